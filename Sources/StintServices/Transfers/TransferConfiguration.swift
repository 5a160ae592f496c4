import StintModel
public import StintUnits

/// A request for a session of transfers. Its configuration cannot change afterwards.
///
/// The name of the service identifies the session within its client. A client whose process has restarted
/// joins the session again with a request under the same name.
public struct TransferConfiguration: NamedRequest, Encodable {
  public typealias Message = TransferClientCommand
  public static let kind = "transfers"

  /// The action on a task whose window ends before a good moment occurs. A moment is good when there has been
  /// Wi-Fi for the time `settling`, or external power if the session may use the cellular radio.
  public enum ExpiryAction: String, Hashable, Sendable, Codable {
    /// The task starts early enough to be complete when the window ends, at any energy cost. The manifest of
    /// the radio must contain the figure `link_rate`, from which the duration of the transfer is estimated.
    case force
    /// The task fails when the window ends.
    case fail
  }

  /// Whether the system chooses the time of transfers.
  public var isDiscretionary = false
  /// Whether transfers may use the cellular radio.
  public var allowsCellular = true
  /// Whether tasks continue when the client's process has ended. When false, the session ends with
  /// the process.
  public var outlivesClient = true
  /// The window of each task whose request contains no window. The window is the maximum time from the first
  /// resume of the task to its end.
  public var window = Duration.hours(7 * 24)
  /// The action on a task whose window ends before a good moment occurs.
  public var windowEnd = ExpiryAction.force
  /// When failed tasks are retried.
  public var retries = RetryPlan()
  /// When a link is too slow to use; nil to use any link.
  public var slowLink: SlowLinkLimits?
  /// The size in bytes above which a task waits for a good moment, even if the session is not discretionary.
  /// Nil for no limit.
  public var largeTask: Int64?
  /// The time for which Wi-Fi or external power must have been present before a moment counts as good.
  public var settling = Duration.seconds(30)
  /// True to reject the request when the session does not exist.
  public var mustExist = false

  enum CodingKeys: String, CodingKey {
    case window, retries
    case isDiscretionary = "discretionary"
    case allowsCellular = "cellular"
    case outlivesClient = "outlives_client"
    case windowEnd = "window_end"
    case slowLink = "slow_link"
    case largeTask = "large_task"
    case settling
    case mustExist = "must_exist"
  }

  /// Makes the default configuration: transfers start at once, over any network, within seven days.
  public init() {}

  /// Decodes a configuration; missing members have their default values.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func read<Value: Decodable>(_ key: CodingKeys, into value: inout Value) throws {
      if let found = try values.decodeIfPresent(Value.self, forKey: key) { value = found }
    }
    try read(.isDiscretionary, into: &isDiscretionary)
    try read(.allowsCellular, into: &allowsCellular)
    try read(.outlivesClient, into: &outlivesClient)
    window = try values.decodeIfPresent(Duration.self, forKey: .window) ?? window
    try read(.windowEnd, into: &windowEnd)
    try read(.retries, into: &retries)
    slowLink = try values.decodeIfPresent(SlowLinkLimits.self, forKey: .slowLink)
    largeTask = try values.decodeIfPresent(Int64.self, forKey: .largeTask)
    settling = try values.decodeIfPresent(Duration.self, forKey: .settling) ?? settling
    try read(.mustExist, into: &mustExist)
  }

  /// The default configuration of a discretionary session.
  public static var discretionary: TransferConfiguration {
    var configuration = TransferConfiguration()
    configuration.isDiscretionary = true
    return configuration
  }

  public var rejectionReason: ServiceFailure? {
    if let failure = ServiceFailure(window, "the window", .period) { return failure }
    if let failure = ServiceFailure(settling, "the settling time", .delay) { return failure }
    if let failure = ServiceFailure(slowLink?.span, "the time of a slow link", .delay) { return failure }
    if let failure = ServiceFailure(slowLink?.probe, "the time until the next attempt", .period) {
      return failure
    }
    if let largeTask, largeTask < 0 {
      return ServiceFailure(.invalid, "the size of a large task is negative; use 0 bytes or more, or nil")
    }
    if let rejectionReason = retries.rejectionReason { return ServiceFailure(.invalid, rejectionReason) }
    if let slowLink, !(slowLink.below > 0 && slowLink.release >= slowLink.below && slowLink.release.isFinite)
    {
      return ServiceFailure(
        .invalid, "`below` must be above 0, and `release` must be finite and at least `below`")
    }
    return nil
  }

  public var needsCarrier: Bool { true }

  public func makeService() -> any Service { TransferSession(self) }

  /// Applies those defaults of the policies that reduce the use of energy: discretionary on, cellular off,
  /// outliving the client off. The session keeps the result when the defaults change later.
  func following(_ defaults: ServiceDefaults) -> TransferConfiguration {
    var result = self
    if defaults.discretionary == true { result.isDiscretionary = true }
    if defaults.cellular == false { result.allowsCellular = false }
    if defaults.outOfProcess == false { result.outlivesClient = false }
    return result
  }
}

/// The limits below which a link is too slow to use, and above which it is used again.
///
/// The rate is the fact `net.throughput`, which only real transfers measure. So a deferred transfer is tried
/// again after `probe`, and this attempt measures the rate.
public struct SlowLinkLimits: Hashable, Sendable, Codable {
  /// The rate below which a link is slow, in bytes per second.
  public var below: Double
  /// The rate from which a link is good again, in bytes per second; at least `below`.
  public var release: Double
  /// How long the link must have been slow before transfers stop.
  public var span: Duration
  /// The time until a stopped transfer is tried again.
  public var probe: Duration

  /// Makes limits. By default, a link counts as slow after 20 s and is tried again every 5 min.
  public init(
    below: Double, release: Double, span: Duration = .seconds(20), probe: Duration = .minutes(5)
  ) {
    self.below = below
    self.release = release
    self.span = span
    self.probe = probe
  }
}
