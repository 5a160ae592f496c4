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
}
