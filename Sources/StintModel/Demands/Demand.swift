public import StintUnits

/// A client's request that a device works: the client, the device and the requested settings. The demand
/// lasts until it is released.
public struct Demand: Hashable, Sendable {
  /// The id of the demand, unique within a run.
  public var id: DemandID
  /// The client that raised the demand.
  public var client: ClientID
  /// The requested device.
  public var target: DeviceID
  /// The requested settings.
  public var wants: DemandSettings
  /// The service that raised the demand; nil when a client raised it directly.
  public var service: ServiceOrigin?
  /// True when only the target may serve the demand, because its client reads the samples of this device.
  /// False when a cheaper device of the target's ladder may serve it.
  public var isForTargetOnly: Bool

  /// Makes a demand without raising it.
  public init(
    id: DemandID, client: ClientID, target: DeviceID, wants: DemandSettings, service: ServiceOrigin? = nil,
    isForTargetOnly: Bool = false
  ) {
    self.service = service
    self.isForTargetOnly = isForTargetOnly
    self.id = id
    self.client = client
    self.target = target
    self.wants = wants
  }
}

/// The requested settings of a demand. The policy's `default` or the manifest determines a setting that is
/// nil.
public struct DemandSettings: Hashable, Sendable {
  /// The 95 % radius, in metres.
  public var accuracy: Double?
  /// The time between two samples.
  public var period: TimeSpan?
  /// The longest time that a sample may wait before delivery.
  ///
  /// Samples arrive earlier when the processor is already awake for another purpose. With a latency of
  /// `newestOnlyLatency` or more, a device whose buffer is full overwrites its oldest samples.
  public var latency: TimeSpan?
  /// A value of the device's `activity` attribute, such as `fitness` or `automotive`.
  public var activity: String?
  /// Whether the demand also applies while the app is in the background.
  public var background: Bool?
  /// Whether `pause` directives may pause the demand.
  public var pausing: Bool?
  /// Values of the attributes that only the device's manifest defines.
  public var attributes = AttributeValues()
  /// One transfer for a radio; the demand ends when the transfer is complete.
  public var transfer: Transfer?

  /// With this latency or more, a demand needs only the newest sample and the facts. Older samples may be
  /// overwritten.
  public static let newestOnlyLatency = TimeSpan.hours(24)

  /// Makes settings. By default all are nil.
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

  /// Makes settings from the values that an app writes.
  public init(accuracy: Length? = nil, every period: Duration?, background: Bool? = nil) {
    self.init(accuracy: accuracy?.meters, period: period?.timeSpan, background: background)
  }

  /// Returns these settings, with nil values replaced by the values of `other`. The transfer is not replaced.
  public func completed(by other: DemandSettings) -> DemandSettings {
    var result = DemandSettings(
      accuracy: accuracy ?? other.accuracy, period: period ?? other.period, latency: latency ?? other.latency,
      activity: activity ?? other.activity, background: background ?? other.background,
      pausing: pausing ?? other.pausing, transfer: transfer)
    result.attributes = attributes.completed(by: other.attributes)
    return result
  }
}

/// A transfer: the bytes in each direction and the deadline for its start.
public struct Transfer: Hashable, Sendable {
  /// The bytes to send.
  public var bytesUp: Int64
  /// The bytes to receive.
  public var bytesDown: Int64
  /// The time from raising the demand to the latest start; nil when the transfer may wait without limit.
  public var deadline: TimeSpan?

  /// Makes a transfer.
  public init(bytesUp: Int64, bytesDown: Int64, deadline: TimeSpan? = nil) {
    self.bytesUp = bytesUp
    self.bytesDown = bytesDown
    self.deadline = deadline
  }

  /// The bytes in both directions, saturated at `Int64.max`.
  public var bytes: Int64 { bytesUp.addingSaturated(bytesDown) }
}
