import StintGovernor
public import StintModel
public import StintUnits

/// Counts of the samples that a client received from streaming devices.
public struct DeliveryCount: Hashable, Sendable {
  /// The number of delivered samples.
  public var samples: Int
  /// The number of delivered batches.
  public var batches: Int
  /// The longest time between two samples of one demand while the demand was active.
  public var worstGap: TimeSpan

  /// Creates counts; the defaults are zero.
  public init(samples: Int = 0, batches: Int = 0, worstGap: TimeSpan = .zero) {
    self.samples = samples
    self.batches = batches
    self.worstGap = worstGap
  }
}

/// Accuracy of the positions that a client received, compared with the true positions.
public struct AccuracyRecord: Hashable, Sendable {
  /// The median error of the fixes in metres; nil without fixes.
  public var medianError: Double?
  /// The 95th percentile of the error of the fixes in metres; nil without fixes.
  public var error95: Double?
  /// The share of the seconds with movement in which the latest fix had the requested accuracy, 0 to 1. Nil
  /// when the phone never moved or no accuracy was requested.
  public var withinBound: Double?

  /// Creates a record.
  public init(medianError: Double?, error95: Double?, withinBound: Double?) {
    self.medianError = medianError
    self.error95 = error95
    self.withinBound = withinBound
  }
}

/// Counts of processor wake-ups.
public struct WakeupCount: Hashable, Sendable {
  /// The number of wake-ups.
  public var total: Int
  /// Wake-ups by the device whose delivery caused them. A wake-up that several devices share counts for each
  /// of these devices.
  public var byDevice: [DeviceID: Int]

  /// Creates counts; the defaults are zero.
  public init(total: Int = 0, byDevice: [DeviceID: Int] = [:]) {
    self.total = total
    self.byDevice = byDevice
  }
}

/// Counts of radio transfers.
public struct TransferCount: Hashable, Sendable {
  /// The number of finished transfers.
  public var carried: Int
  /// The number of sent bytes.
  public var bytesUp: Int64
  /// The number of received bytes.
  public var bytesDown: Int64
  /// The number of transfers that ran after their deadline, or not at all.
  public var late: Int
  /// The number of transfers that did not run before the end, although their deadline had passed. `late`
  /// includes them, and `carried` does not.
  public var missed: Int
  /// The longest time between the request and the transfer.
  public var longestWait: TimeSpan

  /// Creates counts; the defaults are zero.
  public init(
    carried: Int = 0, bytesUp: Int64 = 0, bytesDown: Int64 = 0, late: Int = 0, missed: Int = 0,
    longestWait: TimeSpan = .zero
  ) {
    self.carried = carried
    self.bytesUp = bytesUp
    self.bytesDown = bytesDown
    self.late = late
    self.missed = missed
    self.longestWait = longestWait
  }
}

/// The activity of a rule during a run.
public struct RuleActivity: Hashable, Sendable {
  /// How many times the rule came into force or acted.
  public var activations: Int
  /// The total time during which the rule was in force.
  public var inForce: TimeSpan

  /// Creates an activity; the defaults are zero.
  public init(activations: Int = 0, inForce: TimeSpan = .zero) {
    self.activations = activations
    self.inForce = inForce
  }
}

/// The evaluation of a requirement during a run.
public struct RequirementActivity: Hashable, Sendable {
  /// How many times the requirement was violated.
  public var violations: Int
  /// The time during which the requirement was watched.
  public var watched: TimeSpan
  /// The part of `watched` during which its facts were known, so that a violation would have been noticed.
  public var evaluated: TimeSpan

  /// Creates an activity; the defaults are zero.
  public init(violations: Int = 0, watched: TimeSpan = .zero, evaluated: TimeSpan = .zero) {
    self.violations = violations
    self.watched = watched
    self.evaluated = evaluated
  }

  /// The share of the watched time with known facts, from 0 to 1; nil before any time has passed.
  public var share: Double? {
    watched > .zero ? Double(evaluated.nanoseconds) / Double(watched.nanoseconds) : nil
  }
}

extension Governor {
  /// Returns the evaluation of every requirement that is watched at run time, up to `instant`.
  func requirementActivity(at instant: Instant) -> [RuleID: RequirementActivity] {
    let use = ruleUse(at: instant)
    return Dictionary(
      uniqueKeysWithValues: requirementUse(at: instant).map { id, entry in
        let violations = use[id]?.count ?? 0
        return (
          id,
          RequirementActivity(violations: violations, watched: entry.watched, evaluated: entry.evaluated)
        )
      })
  }
}
