public import StintUnits

/// Asks for notices when the phone has moved by half a kilometre or more, without a satellite receiver.
public struct MovesRequest: ServiceRequest {
  /// The greatest age at which a delivered position counts as current.
  public var maxAge: TimeSpan
  /// How often the app is woken when nothing changes; nil for never, which a policy's own watch may ask for.
  public var heartbeat: TimeSpan?
  /// Whether looks become rare while the phone rests; the heartbeat stays.
  public var pausing: Bool
  /// Has no effect here; told so.
  public var accuracy: Double?
  /// Has no effect here; told so.
  public var filter: Double?

  /// Watches with the usual settings.
  public init(
    maxAge: TimeSpan = .minutes(10), heartbeat: TimeSpan? = .minutes(15), pausing: Bool = false,
    accuracy: Double? = nil, filter: Double? = nil
  ) {
    self.maxAge = maxAge
    self.heartbeat = heartbeat
    self.pausing = pausing
    self.accuracy = accuracy
    self.filter = filter
  }

  public var rejectionReason: ServiceFailure? {
    if maxAge < .zero { return ServiceFailure(.invalid, "a position cannot be younger than now") }
    if let heartbeat, heartbeat < .minutes(1) {
      return ServiceFailure(.invalid, "a heartbeat of \(heartbeat) is too fast; take a minute or more")
    }
    return nil
  }

  public func makeService() -> any Service { MovesService(self) }
}

/// What the watch on significant changes tells.
public enum MoveNotice: ServiceNotice, Hashable {
  /// Where the phone is now: at least one position, oldest first, none older than the request's `maxAge`.
  case moved([PositionFix])
  /// A position that was known before, and how old it is; only before the first one of `moved`.
  case cached(PositionFix, age: TimeSpan)
  /// Nothing changed; the app was woken all the same.
  case heartbeat
  /// Settings of the request that have no effect here.
  case noEffect([String])

  /// The notice as delivered at an instant: a position that is too old by then becomes `cached`, with its
  /// age.
  public func withAge(at instant: Instant, maxAge: TimeSpan) -> any ServiceNotice {
    switch self {
    case .moved(let fixes):
      let current = fixes.filter { $0.isCurrent(at: instant, maxAge: maxAge) }
      guard current.isEmpty, let newest = fixes.last else { return MoveNotice.moved(current) }
      return MoveNotice.cached(newest, age: max(instant - newest.determined, .zero))
    case .cached(let fix, let age): return MoveNotice.cached(fix, age: fix.age(at: instant) ?? age)
    case .heartbeat, .noEffect: return self
    }
  }
}
