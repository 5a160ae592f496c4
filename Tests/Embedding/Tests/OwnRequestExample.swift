import Stint

/// A request for a notice each time the speed rises above a limit.
struct SpeedAlarm: ServiceRequest {
  /// The limit in metres per second.
  var limit: Double

  var rejectionReason: ServiceFailure? {
    limit > 0 ? nil : ServiceFailure(.invalid, "the limit is \(limit) m/s; it must be above 0")
  }

  func makeService() -> any Service { SpeedService(limit: limit) }
}

/// A notice of the speed alarm. It waits for a client that is detached.
enum SpeedNotice: PersistentNotice {
  static let kind = "trail.speed-notice"

  /// The speed in metres per second when it rose above the limit.
  case exceeded(Double)
}

/// A command to the speed alarm.
enum SpeedCommand: ServiceCommand {
  case setLimit(Double)
}

/// The state of one alarm: its inputs are events, its outputs are demands and notices.
struct SpeedService: PersistentService {
  static let kind = "trail.speed-alarm"

  var limit: Double
  private var isAbove = false

  init(limit: Double) { self.limit = limit }

  var outlivesClient: Bool { true }
  func need(_ roles: DeviceRoles) -> PermissionNeed { .location(.whenInUse) }
  var role: DeviceRole? { .positioning }
  var commandType: (any ServiceCommand.Type)? { SpeedCommand.self }
  var interests: ServiceInterests { .demands }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard let receiver = context.device(for: .positioning) else { return }
    _ = outbox.raise(receiver, DemandSettings(accuracy: .meters(20), every: .seconds(5)))
  }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    switch event {
    case .batch(let batch, _):
      // The channels of positions are latitude, longitude, accuracy and speed.
      for sample in batch.samples {
        if sample.fourth > limit, !isAbove { outbox.notify(SpeedNotice.exceeded(sample.fourth)) }
        isAbove = sample.fourth > limit
      }
    case .command(SpeedCommand.setLimit(let metresPerSecond)): limit = metresPerSecond
    default: break
    }
  }
}

func firstAlarm(_ app: Client) async throws -> Double? {
  try await app.withService("fast", SpeedAlarm(limit: 1)) { notices in
    for await notice in notices { if case SpeedNotice.exceeded(let speed) = notice { return speed } }
    return nil
  }
}
