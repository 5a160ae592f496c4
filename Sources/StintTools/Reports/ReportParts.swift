public import StintModel
public import StintUnits

/// Counts of the samples that a client received from streaming devices.
public struct DeliveryCount: Hashable, Sendable {
  /// The number of delivered samples.
  public var samples: Int
  /// The number of delivered batches.
  public var batches: Int
  /// The longest time between two successive samples of one demand while the demand was active.
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
  /// The number of started transfers.
  public var carried: Int
  /// The number of bytes that these transfers send.
  public var bytesUp: Int64
  /// The number of bytes that these transfers receive.
  public var bytesDown: Int64
  /// The number of late transfers: those that started after their deadline, and those in `missed`.
  public var late: Int
  /// The number of transfers whose deadline passed during the run and that did not start. `late` includes
  /// them, and `carried` does not.
  public var missed: Int
  /// The longest time between the request and the start of a transfer.
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
  /// The number of times that the rule came into force or acted.
  public var activations: Int
  /// The total time during which the rule was in force.
  public var inForce: TimeSpan

  /// Creates an activity; the defaults are zero.
  public init(activations: Int = 0, inForce: TimeSpan = .zero) {
    self.activations = activations
    self.inForce = inForce
  }
}
