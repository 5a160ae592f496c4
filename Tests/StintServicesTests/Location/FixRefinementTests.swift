import StintModel
import StintUnits
import Testing

@testable import StintServices

/// A request for one fix that a cheaper device serves with fixes of insufficient accuracy.
@Suite struct FixRefinementTests {
  private static let coarse: DeviceID = "acme.rough"

  private func batch(_ device: DeviceID, accuracy: Double, _ seconds: Int64) -> Batch {
    let sample = Sample(instant: PartContext.at(seconds), sequence: UInt64(seconds), 47, 8, accuracy)
    return Batch(device: device, samples: [sample], reason: .immediate)
  }

  /// Returns the demanded radius of each demand that the service raises for the batches, in metres.
  private func radii(_ batches: [Batch], precision: Precision = .precise) -> [Double?] {
    var service = FixService(FixRequest(accuracy: .meters(100)))
    func context(_ seconds: Int64) -> ServiceContext {
      let plain = PartContext.context(seconds)
      var client = plain.client
      client.permissions = .always
      client.permissions.precision = precision
      return ServiceContext(
        instant: plain.instant, id: plain.id, client: client, environment: plain.environment)
    }
    var outbox = PartContext.outbox
    service.begin(context(0), &outbox)
    var demand = DemandID(1)
    for batch in batches {
      let at = batch.samples[0].instant.nanoseconds / 1_000_000_000
      service.handle(.batch(batch, demand), context(at), &outbox)
      if case .raise(let raised)? = outbox.items.last(where: { if case .raise = $0 { true } else { false } })
      {
        demand = raised.id
      }
    }
    return outbox.items.compactMap { if case .raise(let demand) = $0 { demand.wants.accuracy } else { nil } }
  }

  @Test("a fix of a cheaper device that is too coarse makes the request demand the next finer accuracy")
  func refined() {
    let rough = [batch(Self.coarse, accuracy: 110, 2), batch(Self.coarse, accuracy: 130, 8)]
    #expect(radii(rough) == [100, 10, 5])
  }

  @Test("a coarse fix of the most accurate device changes no demand")
  func receiver() {
    #expect(radii([batch(PartContext.receiver, accuracy: 140, 2)]) == [100])
  }

  @Test("a client with coarse positions never demands a finer accuracy")
  func coarseClient() {
    #expect(radii([batch(Self.coarse, accuracy: 4000, 2)], precision: .coarse) == [3000])
  }
}
