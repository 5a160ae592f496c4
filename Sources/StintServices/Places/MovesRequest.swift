import StintModel
public import StintUnits

/// A request for notices when the host has moved by half a kilometre or more. The service demands a satellite
/// receiver only if all positioning devices use satellites.
public struct MovesRequest: NamedRequest, Encodable {
  /// The largest age at which a delivered position counts as current.
  public var maxAge: Duration
  /// The period at which the app is woken although the host does not move; nil for no such wake-ups. Policies
  /// can make the period longer or turn the wake-ups off. The service of a policy ignores this value and uses
  /// the period that the policies set.
  public var heartbeat: Duration?
  /// Whether the service may reduce its position probes to one probe per hour while the host rests.
  /// Heartbeats continue.
  public var pausing: Bool
  /// Has no effect; the notice `noEffect` reports this.
  public var accuracy: Length?
  /// Has no effect; the notice `noEffect` reports this.
  public var filter: Length?

  /// Settings without effect are not saved.
  enum CodingKeys: String, CodingKey {
    case heartbeat, pausing
    case maxAge = "max_age"
  }

  /// Makes a request.
  public init(
    maxAge: Duration = .minutes(10), heartbeat: Duration? = .minutes(15), pausing: Bool = false,
    accuracy: Length? = nil, filter: Length? = nil
  ) {
    self.maxAge = maxAge
    self.heartbeat = heartbeat
    self.pausing = pausing
    self.accuracy = accuracy
    self.filter = filter
  }

  public var rejectionReason: ServiceFailure? {
    if let failure = ServiceFailure(accuracy, "the accuracy", .accuracy) { return failure }
    if let failure = ServiceFailure(filter, "the filter", .distance) { return failure }
    if let failure = ServiceFailure(maxAge, "the maximum age", .delay) { return failure }
    guard let heartbeat else { return nil }
    if heartbeat < .minutes(1) {
      return ServiceFailure(
        .invalid, "a heartbeat of \(heartbeat.timeSpan) is too short; request a minute or more")
    }
    return ServiceFailure(heartbeat, "the heartbeat", .period)
  }

  public func makeService() -> any Service { MovesService(self) }
}

extension MovesRequest {
  public static let kind = "moves"

  /// Decodes the form of files and messages, which is also the saved form. Without the key `heartbeat`, the
  /// app has no periodic wake-ups.
  public init(from decoder: any Decoder) throws {
    let settings = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      maxAge: try settings.optional(TimeSpan.self, .maxAge)?.duration ?? .minutes(10),
      heartbeat: try settings.optional(TimeSpan.self, .heartbeat)?.duration,
      pausing: try settings.optional(Bool.self, .pausing) ?? false)
  }
}

/// A notice of significant location changes.
public enum MoveNotice: PersistentNotice, Hashable {
  public static let kind = "move"

  /// The current positions: at least one, oldest first, none older than the request's `maxAge`.
  case moved([Fix])
  /// An earlier position with its age. It precedes the first `moved`, or replaces a `moved` whose positions
  /// have all become too old.
  case cached(Fix, age: Duration)
  /// The periodic wake-up of the app without a change.
  case heartbeat
  /// The settings of the request that have no effect.
  case noEffect([String])

  public var isValid: Bool {
    if case .moved(let fixes) = self { !fixes.isEmpty } else { true }
  }

  /// Returns the notice for delivery at an instant, without the positions that are too old by then. When all
  /// positions are too old, the newest position becomes `cached` with its age. A cached position that is too
  /// old is stale.
  public func withAge(at instant: Instant, maxAge: TimeSpan) -> any ServiceNotice {
    switch self {
    case .moved(let fixes):
      let current = fixes.filter { $0.isFresh(at: instant, maxAge: maxAge) }
      guard current.isEmpty, var newest = fixes.last else { return MoveNotice.moved(current) }
      newest.isStale = true
      return MoveNotice.cached(newest, age: max(instant - newest.instant, .zero).duration)
    case .cached(var fix, let age):
      fix.isStale = !fix.isFresh(at: instant, maxAge: maxAge)
      return MoveNotice.cached(fix, age: fix.age(at: instant)?.duration ?? age)
    case .heartbeat, .noEffect: return self
    }
  }

  public var coarsened: any ServiceNotice {
    switch self {
    case .moved(let fixes): MoveNotice.moved(fixes.map(\.coarsened))
    case .cached(let fix, let age): MoveNotice.cached(fix.coarsened, age: age)
    case .heartbeat, .noEffect: self
    }
  }
}
