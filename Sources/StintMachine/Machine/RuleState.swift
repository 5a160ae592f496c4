import StintUnits

/// The state of a rule.
struct RuleState: Hashable, Sendable {
  var truth = Truth.no
  var isHeld = false
  var isAnnounced = false
  var lastFired: Instant?
  var nextPeriod = Instant.distantFuture
}

/// The state of a directive.
struct RunState: Hashable, Sendable {
  var isInForce = false
  var isAnnounced = false
  /// When it ends by itself.
  var end = Instant.distantFuture
  /// How often it has run since the run began.
  var count = 0
  var lastEnd: Instant?
}

/// What a schedule says, and until when it does.
struct ScheduleState: Hashable, Sendable {
  var isInside = false
  var changes = Instant(nanoseconds: .min)
}
