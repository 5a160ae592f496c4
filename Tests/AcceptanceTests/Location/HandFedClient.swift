import StintModel
import StintServices
import StintSimulation
import StintUnits
import Testing

/// One client whose positioning device delivers the positions of the test, including invalid positions: old,
/// repeated, or from the future.
struct HandFedClient {
  static let home = Coordinate(latitude: 47, longitude: 8)

  private(set) var board: ServiceBoard
  private(set) var now = Instant.epoch + .hours(100)
  private(set) var notices: [(at: Instant, notice: any ServiceNotice)] = []
  private(set) var refusals: [ServiceFailure] = []
  /// The active demands on positioning devices, with their devices.
  private(set) var demands: [(id: DemandID, device: DeviceID)] = []
  private let service = ServiceID("app", "service")

  init(_ vocabulary: Vocabulary) {
    board = ServiceBoard(vocabulary, at: now)
    serve(.attach("app", permissions: .always, mayBackground: true))
  }

  static func vocabulary() throws -> Vocabulary { Vocabulary(manifests: try ReferencePhone.manifests()) }

  mutating func ask(_ request: any ServiceRequest) { serve(.ask(service, request, receivers: .both)) }

  mutating func serve(_ inputs: ServiceInput...) {
    for effect in board.step(inputs, at: now) {
      switch effect {
      case .raise(let demand) where demand.target.path.hasPrefix("location."):
        demands.append((demand.id, demand.target))
      case .release(let id), .withdraw(let id): demands.removeAll { $0.id == id }
      case .notice(_, let notice): notices.append((now, notice))
      case .refused(_, let failure), .refusedCommand(_, let failure): refusals.append(failure)
      default: break
      }
    }
  }

  mutating func run(for span: TimeSpan) {
    let end = now + span
    var rings = 0
    while board.nextTimer <= end, rings < 10_000 {
      now = max(now, board.nextTimer)
      serve()
      rings += 1
    }
    #expect(rings < 10_000, "the board's timer expires endlessly")
    now = end
  }

  /// Makes every demanded device deliver these samples to all its demands.
  mutating func deliver(_ samples: [Sample], _ reason: DeliveryReason = .immediate) {
    for device in Set(demands.map(\.device)).sorted(by: { $0.path < $1.path }) {
      let owners = demands.filter { $0.device == device }.map(\.id)
      if !owners.isEmpty {
        serve(.batch(Batch(device: device, samples: samples, reason: reason), owners))
      }
    }
  }

  /// Returns a position of this age, at this distance north of home in metres.
  func sample(
    _ age: TimeSpan, north metres: Double = 0, accuracy: Double = 5, sequence: UInt64 = 0
  ) throws -> Sample {
    let place = try #require(Self.home).moved(north: metres, east: 0)
    return Sample(
      instant: now - age, sequence: sequence, place.latitude, place.longitude, accuracy, 0)
  }

  var fixes: [(at: Instant, fix: Fix)] {
    notices.flatMap { entry -> [(Instant, Fix)] in
      switch entry.notice {
      case LocationNotice.fixes(let fixes): fixes.map { (entry.at, $0) }
      case LocationNotice.answer(let fix): [(entry.at, fix)]
      case LocationNotice.unanswered(_, let best?): [(entry.at, best)]
      default: []
      }
    }
  }
}
