import StintUnits

/// The state of a rule.
struct RuleState: Hashable, Sendable {
  var truth = Truth.no
  var isHeld = false
  var isAnnounced = false
  var lastFired: Instant?
  var nextPeriod = Instant.distantFuture
}

/// The state of a directive. A run is the time from its activation to its end.
struct RunState: Hashable, Sendable {
  var isInForce = false
  var isAnnounced = false
  /// The instant at which the directive expires; the distant future when it does not.
  var end = Instant.distantFuture
  /// The number of activations since the doubling last started over.
  var count = 0
  var lastEnd: Instant?
}

/// The cached result of a schedule, and the instant at which it changes next.
struct ScheduleState: Hashable, Sendable {
  var isInside = false
  var changes = Instant(nanoseconds: .min)
}
