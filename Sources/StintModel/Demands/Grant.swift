public import StintUnits

/// What a demand gets, within the limits that rules set.
public struct Grant: Hashable, Sendable {
  /// Where a demand stands.
  public enum Status: String, Hashable, Sendable {
    /// Served by `provider`.
    case served
    /// A rule paused it; the rule's end brings it back.
    case paused
    /// A rule stopped it.
    case stopped
    /// A rule put it off until a condition or its deadline.
    case deferred
    /// The app is in the background and the demand is not for that.
    case background
    /// No device that could serve it is there.
    case unavailable
  }

  public var status: Status
  /// The device that serves it, the target itself or a cheaper one of its ladder; nil unless served.
  public var provider: DeviceID?
  public var accuracy: Double?
  public var period: TimeSpan?
  public var latency: TimeSpan?
  /// Samples or transfers are kept together until every hold has ended; empty when handed over at once.
  public var holds: [Hold]
  /// The rules that made it differ from the demand, sorted.
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

/// What a `batch` directive asks: keep until the first of these bounds.
public struct Hold: Hashable, Sendable {
  public var rule: RuleID
  public var bounds: [HoldBound]

  /// Makes a hold; it needs at least one bound.
  public init(rule: RuleID, bounds: [HoldBound]) {
    self.rule = rule
    self.bounds = bounds
  }
}

/// One end of a hold, counted from the last hand-over.
public enum HoldBound: Hashable, Sendable, CustomStringConvertible {
  case time(TimeSpan)
  /// Metres along the way.
  case distance(Double)
  case items(Int)
  /// Bytes.
  case data(Int64)

  public var description: String {
    switch self {
    case .time(let span): span.description
    case .distance(let metres): Quantity(metres, .length).description
    case .items(let count): "\(count) items"
    case .data(let bytes): Quantity(Double(bytes), .data).description
    }
  }
}

/// Why a batch was handed over.
public enum DeliveryReason: Hashable, Sendable, CustomStringConvertible {
  /// Nothing held it.
  case immediate
  /// This bound of a hold was reached, and no other hold was left.
  case reached(HoldBound)
  /// The device could hold no more.
  case full
  /// The demand, its hold or the device's time ended.
  case ended
  /// A rule said `flush`.
  case flushed
  /// A deadline came, and nothing better had.
  case deadline
  /// The radio or the processor was up anyway for something else.
  case piggybacked
  /// It came so late that what it says is not believed any more; not to be taken for the present.
  case late

  public var description: String {
    switch self {
    case .immediate: "immediate"
    case .reached(let bound): "reached \(bound)"
    case .full: "full"
    case .ended: "ended"
    case .flushed: "flushed"
    case .deadline: "deadline"
    case .piggybacked: "rode along"
    case .late: "late"
    }
  }
}
