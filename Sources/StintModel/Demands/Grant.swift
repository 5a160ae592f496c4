public import StintUnits

/// The settings that a demand receives, within the limits of the rules.
public struct Grant: Hashable, Sendable {
  /// The state of a demand.
  public enum Status: String, Hashable, Sendable {
    /// The device `provider` serves the demand.
    case served
    /// A rule paused the demand; it resumes when the rule ends.
    case paused
    /// A rule stopped the demand.
    case stopped
    /// A rule deferred the demand until a condition or a deadline.
    case deferred
    /// The app is in the background and the demand does not apply there.
    case background
    /// No device that can serve the demand is available.
    case unavailable
  }

  /// The state of the demand.
  public var status: Status
  /// The device that serves the demand: the target or a cheaper device of its ladder. Nil unless served.
  public var provider: DeviceID?
  /// The granted 95 % radius, in metres. Nil when neither the demand, a default nor a rule specifies a
  /// radius.
  public var accuracy: Double?
  /// The granted time between two samples. Nil when neither the demand, a default nor a rule specifies this
  /// time.
  public var period: TimeSpan?
  /// The longest time that a sample may wait before delivery; nil for immediate delivery.
  public var latency: TimeSpan?
  /// The granted values of the attributes that only the device's manifest defines.
  public var attributes = AttributeValues()
  /// Samples or transfers are held until every hold has ended. Empty for immediate delivery.
  public var holds: [Hold]
  /// The rules that make the grant differ from the demand, sorted.
  public var rules: [RuleID]

  /// Makes a grant.
  public init(
    status: Status, provider: DeviceID? = nil, accuracy: Double? = nil, period: TimeSpan? = nil,
    latency: TimeSpan? = nil, holds: [Hold] = [], rules: [RuleID] = []
  ) {
    self.status = status
    self.provider = provider
    self.accuracy = accuracy
    self.period = period
    self.latency = latency
    self.holds = holds
    self.rules = rules
  }
}

/// A hold because of a `batch` directive: it lasts until its first bound is reached.
public struct Hold: Hashable, Sendable {
  /// The rule of the `batch` directive.
  public var rule: RuleID
  /// The bounds; the first bound reached ends the hold.
  public var bounds: [HoldBound]

  /// Makes a hold with at least one bound.
  public init(rule: RuleID, bounds: [HoldBound]) {
    self.rule = rule
    self.bounds = bounds
  }
}

/// One bound of a hold. For samples, the bound is measured from the beginning of the hold or from the last
/// delivery, whichever is later. For a transfer, the bound is measured from the beginning of the demand.
public enum HoldBound: Hashable, Sendable, CustomStringConvertible {
  case time(TimeSpan)
  /// The distance travelled, in metres.
  case distance(Double)
  case items(Int)
  /// The amount of data, in bytes.
  case data(Int64)

  public var description: String {
    switch self {
    case .time(let span): span.description
    case .distance(let metres): Quantity(metres, .length).description
    case .items(let count): count == 1 ? "1 item" : "\(count) items"
    case .data(let bytes): Quantity(Double(bytes), .data).description
    }
  }
}

/// The reason for the delivery of a batch.
public enum DeliveryReason: Hashable, Sendable, CustomStringConvertible {
  /// No hold applied.
  case immediate
  /// This bound of a hold was reached, and all other holds had ended.
  case reached(HoldBound)
  /// The device had no space for further samples.
  case full
  /// The demand or its hold ended, or the device was switched off.
  case ended
  /// A rule requested `flush`.
  case flushed
  /// A deadline was reached.
  case deadline
  /// The radio or the processor was already active for another purpose.
  case piggybacked
  /// The samples arrived too late to set facts; they do not describe the present.
  case late

  public var description: String {
    switch self {
    case .immediate: "immediate"
    case .reached(let bound): "reached \(bound)"
    case .full: "full"
    case .ended: "ended"
    case .flushed: "flushed"
    case .deadline: "deadline"
    case .piggybacked: "piggybacked"
    case .late: "late"
    }
  }
}
