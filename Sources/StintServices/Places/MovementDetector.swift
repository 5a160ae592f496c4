import StintModel
import StintUnits

/// Detects whether the host moves, and since when, with the activity classifier of the accelerometer.
///
/// The accelerometer takes one sample per second and may hold its samples. Without an accelerometer,
/// `isMoving` is nil and the service must use positions.
struct MovementDetector: Sendable {
  static let fact = "motion.activity"

  /// True while the host moves. Nil without an accelerometer, and before the first report of the
  /// accelerometer.
  private(set) var isMoving: Bool?
  /// The instant of the last change of `isMoving`.
  private(set) var since: Instant?
  private var activity: Activity?
  private var demand: DemandID?
  /// The device of the demand; nil without a demand.
  private var device: DeviceID?

  /// The highest speed of the host for its present activity, in metres per second. For an unknown activity,
  /// the speed of a fast car.
  var topSpeed: Double {
    switch activity {
    case .still, .walking: 2.5
    case .running: 6
    case .cycling: 15
    case .automotive, nil: 40
    }
  }

  /// Raises a demand on the accelerometer when the accelerometer is available.
  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard demand == nil, let device = context.device(for: .activity) else { return }
    self.device = device
    demand = outbox.raise(
      device, DemandSettings(period: .seconds(1), latency: .minutes(5), background: true, pausing: false)
    )
  }

  /// Processes an event. Returns true when the event changes the activity or `isMoving`.
  mutating func handle(
    _ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) -> Bool {
    switch event {
    case .fact(Self.fact, let value):
      guard case .symbol(let word) = value, let schema = context.schema(Self.fact),
        case .symbol(let words) = schema.type, words.indices.contains(word)
      else { return false }
      let before = activity
      activity = Activity(rawValue: words[word])
      return note(activity != .still, at: context.instant) || activity != before
    case .device(let device, .available(true)) where context.roles.has(device, .activity):
      begin(context, &outbox)
      return false
    case .device(let device, .available(false)) where device == self.device:
      forget(&outbox)
      begin(context, &outbox)
      return false
    case .ended(let id) where id == demand:
      forget(&outbox)
      return false
    default: return false
    }
  }

  private mutating func note(_ moving: Bool, at instant: Instant) -> Bool {
    guard isMoving != moving else { return false }
    isMoving = moving
    since = instant
    return true
  }

  private mutating func forget(_ outbox: inout ServiceOutbox) {
    if let demand { outbox.release(demand) }
    demand = nil
    device = nil
    isMoving = nil
    activity = nil
    since = nil
  }
}
