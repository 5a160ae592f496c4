public import StintUnits

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
  public func judged(at instant: Instant, maxAge: TimeSpan) -> any ServiceNotice {
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
