import StintBus
import StintGovernor
import StintModel
import StintServices
import StintUnits
import Testing

@testable import StintRuntime

/// Batches that wait for a service.
@Suite struct JoinedBatchTests {
  private static let device: DeviceID = "a"
  private static let vocabulary = Vocabulary(manifests: [
    Manifest(
      device: device, kind: .sensor, title: "",
      states: [
        PowerState(name: "off", power: .zero, isOn: false),
        PowerState(name: "on", power: Power(nanowatts: 1), isOn: true),
      ], transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)], verbs: Verb.allCases)
  ])

  private static func batch(
    _ numbers: Range<UInt64>, _ reason: DeliveryReason = .immediate, isWide: Bool = false
  ) -> Batch {
    let samples = numbers.map { Sample(instant: .epoch + .seconds(Int64($0)), sequence: $0, 1) }
    return Batch(
      device: device, samples: samples, reason: reason,
      wide: isWide ? WideValues(width: 1, samples: samples, values: samples.map { _ in 1 }) : nil)
  }

  /// Passes batches to a request for raw samples, and returns the sequence numbers of each of its notices.
  private static func notices(_ batches: [Batch], _ delivery: ServiceDelivery? = nil) throws -> [[UInt64]] {
    var desk = ServiceDesk(vocabulary, at: .epoch, carriesTransfers: false)
    desk.connect(Governor(vocabulary: vocabulary, at: .epoch)) { [] }
    desk.add([
      .attach("app", permissions: .always, mayBackground: true),
      .ask(ServiceID("app", "raw"), RawSamples(device), receivers: .both),
    ])
    var demands: [Demand] = []
    for effect in desk.step(at: .epoch).effects {
      if case .raise(let demand) = effect { demands.append(demand) }
    }
    let demand = try #require(demands.first)
    #expect(desk.delivery(to: demand.id) == .joined && desk.delivery(to: DemandID(1)) == .none)
    let receiver = StintRuntime.Receiver(
      demand: demand, channel: BatchChannel(.dropOldest(capacity: 1)), isReadByClient: false,
      service: delivery ?? desk.delivery(to: demand.id))
    for batch in batches { desk.add(batch, for: [receiver]) }
    var notices: [[UInt64]] = []
    for effect in desk.step(at: .epoch + .hours(1)).effects {
      if case .notice(_, SampleNotice.samples(let batch)) = effect {
        notices.append(batch.samples.map(\.sequence))
      }
    }
    return notices
  }

  @Test("batches that wait for a service arrive as one batch, in order, when the service permits it")
  func joined() throws {
    let batches = [Self.batch(0..<1), Self.batch(1..<3), Self.batch(3..<4)]
    #expect(try Self.notices(batches) == [[0, 1, 2, 3]])
    #expect(try Self.notices(batches, .single) == [[0], [1, 2], [3]])
    #expect(try Self.notices(batches, ServiceDelivery.none).isEmpty)
  }

  @Test(
    "batches with different reasons or wide values stay separate; a joined batch has at most 256 samples")
  func separate() throws {
    #expect(try Self.notices([Self.batch(0..<1), Self.batch(1..<2, .full)]) == [[0], [1]])
    let wide = Self.batch(1..<2, isWide: true)
    #expect(try Self.notices([Self.batch(0..<1), wide, Self.batch(2..<3)]).count == 3)
    let many = try Self.notices((0..<600).map { Self.batch($0..<$0 + 1) })
    #expect(many.map(\.count) == [256, 256, 88] && many.flatMap { $0 } == Array(0..<600))
  }
}
