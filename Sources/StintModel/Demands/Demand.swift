public import StintUnits

/// A client's lease on a device: what it wants, from whom, since when. It ends when it is released, and only
/// then.
public struct Demand: Hashable, Sendable {
  public var id: DemandID
  public var client: ClientID
  public var target: DeviceID
  public var wants: DemandSettings
  /// The service that raised it; nil for any other demand.
  public var service: ServiceMark?

  /// Makes a demand; raising it is the caller's business.
  public init(
    id: DemandID, client: ClientID, target: DeviceID, wants: DemandSettings, service: ServiceMark? = nil
  ) {
    self.service = service
    self.id = id
    self.client = client
    self.target = target
    self.wants = wants
  }
}

/// What a demand asks of a device; nil where the client leaves it to the policy's `default` and the manifest.
public struct DemandSettings: Hashable, Sendable {
  /// 95 % radius in metres.
  public var accuracy: Double?
  /// The time between two samples.
  public var period: TimeSpan?
  /// How long a sample may wait before it is handed over, at most; it comes sooner where the processor is up
  /// anyway. From `newestOnlyLatency` on, samples that find no room are forgotten.
  public var latency: TimeSpan?
  /// A word of the device's `activity` attribute: `fitness`, `automotive`.
  public var activity: String?
  /// Whether the demand stands while the app is in the background.
  public var background: Bool?
  /// Whether `pause` directives may touch it.
  public var pausing: Bool?
  /// One piece of work for a radio; the demand ends when it is carried.
  public var transfer: Transfer?

  /// At this latency only the newest sample, or the facts from samples, matter; older ones may be
  /// overwritten.
  public static let newestOnlyLatency = TimeSpan.hours(24)

  /// Asks for nothing in particular.
  public init(
    accuracy: Double? = nil, period: TimeSpan? = nil, latency: TimeSpan? = nil, activity: String? = nil,
    background: Bool? = nil, pausing: Bool? = nil, transfer: Transfer? = nil
  ) {
    self.accuracy = accuracy
    self.period = period
    self.latency = latency
    self.activity = activity
    self.background = background
    self.pausing = pausing
    self.transfer = transfer
  }

  /// These wants, with what they leave open taken from `other`.
  public func completed(by other: DemandSettings) -> DemandSettings {
    DemandSettings(
      accuracy: accuracy ?? other.accuracy, period: period ?? other.period, latency: latency ?? other.latency,
      activity: activity ?? other.activity, background: background ?? other.background,
      pausing: pausing ?? other.pausing, transfer: transfer)
  }
}

/// Bytes to carry, and by when they must be on their way.
public struct Transfer: Hashable, Sendable {
  public var bytesUp: Int64
  public var bytesDown: Int64
  /// Counted from the moment the demand is raised; nil when it may wait for ever.
  public var deadline: TimeSpan?

  /// Makes a transfer.
  public init(bytesUp: Int64, bytesDown: Int64, deadline: TimeSpan? = nil) {
    self.bytesUp = bytesUp
    self.bytesDown = bytesDown
    self.deadline = deadline
  }

  /// The bytes both ways; the largest number there is where they are more.
  public var bytes: Int64 { bytesUp.addingSaturated(bytesDown) }
}
