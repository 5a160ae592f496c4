public import StintModel
public import StintUnits

/// What a client was handed by the devices it streams from.
public struct DeliveryCount: Hashable, Sendable {
  public var samples: Int
  public var batches: Int
  /// The longest time between two samples of one demand while it stood.
  public var worstGap: TimeSpan

  /// Counts nothing unless told otherwise.
  public init(samples: Int = 0, batches: Int = 0, worstGap: TimeSpan = .zero) {
    self.samples = samples
    self.batches = batches
    self.worstGap = worstGap
  }
}

/// How good positions were, against where the phone really was, each second while it moved and was tracked.
public struct AccuracyRecord: Hashable, Sendable {
  /// Metres; nil without any second to judge.
  public var medianError: Double?
  /// Metres: 95 % of the seconds were better.
  public var error95: Double?
  /// The part of the seconds in which the position was as good as was asked, 0 to 1.
  public var withinBound: Double?

  /// Makes a record.
  public init(medianError: Double?, error95: Double?, withinBound: Double?) {
    self.medianError = medianError
    self.error95 = error95
    self.withinBound = withinBound
  }
}

/// How often the processor was woken.
public struct WakeupCount: Hashable, Sendable {
  public var total: Int
  /// By device whose hand-over woke it; a wake that several shared counts for each.
  public var byDevice: [DeviceID: Int]

  /// Counts nothing unless told otherwise.
  public init(total: Int = 0, byDevice: [DeviceID: Int] = [:]) {
    self.total = total
    self.byDevice = byDevice
  }
}

/// What radios carried.
public struct TransferCount: Hashable, Sendable {
  public var carried: Int
  public var bytesUp: Int64
  public var bytesDown: Int64
  /// Transfers that went out after their deadline, or not at all.
  public var late: Int
  /// The longest time between asking and carrying.
  public var longestWait: TimeSpan

  /// Counts nothing unless told otherwise.
  public init(
    carried: Int = 0, bytesUp: Int64 = 0, bytesDown: Int64 = 0, late: Int = 0, longestWait: TimeSpan = .zero
  ) {
    self.carried = carried
    self.bytesUp = bytesUp
    self.bytesDown = bytesDown
    self.late = late
    self.longestWait = longestWait
  }
}

/// How much a rule was at work.
public struct RuleActivity: Hashable, Sendable {
  /// How often it came into force, or acted.
  public var activations: Int
  public var inForce: TimeSpan

  /// Counts nothing unless told otherwise.
  public init(activations: Int = 0, inForce: TimeSpan = .zero) {
    self.activations = activations
    self.inForce = inForce
  }
}
