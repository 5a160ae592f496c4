import StintUnits

/// The state of a rule.
struct RuleState: Hashable, Sendable {
  var truth = Truth.no
  var isActive = false
  /// The value of `isActive` that was reported last.
  var isAnnounced = false
  /// The instant of the last action of a `when` rule; nil before the first action.
  var lastFired: Instant?
  /// The end of the present period; the distant future for a rule without a period.
  var nextPeriod = Instant.distantFuture
}

/// The state of a directive. A run is the time from its activation to its end.
struct RunState: Hashable, Sendable {
  var isInForce = false
  /// The value of `isInForce` that was reported last.
  var isAnnounced = false
  /// The instant at which the directive expires; the distant future when it does not.
  var end = Instant.distantFuture
  /// The number of activations since the count last restarted at 0.
  var count = 0
  /// The end of the last run; nil before the first end.
  var lastEnd: Instant?
}

/// The cached result of a schedule, and the instant at which this result changes next.
struct ScheduleState: Hashable, Sendable {
  var isInside = false
  var changes = Instant(nanoseconds: .min)
}
