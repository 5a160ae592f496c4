public import StintUnits

/// The setting that a device gets: one for each device, always complete.
public struct Setting: Hashable, Sendable, CustomStringConvertible {
  public var isOn: Bool
  /// 95 % radius in metres.
  public var accuracy: Double?
  /// The time between two samples.
  public var period: TimeSpan?
  /// True when samples stay in the device until it is drained or full.
  public var isHolding: Bool
  /// True when no client waits for the samples in the device. A full device drops its oldest instead of
  /// waking the processor. A device that cannot do that hands over when it is full.
  public var keepsNewest: Bool
  /// A word of the device's `activity` attribute.
  public var activity: String?

  /// Makes a setting.
  public init(
    isOn: Bool, accuracy: Double? = nil, period: TimeSpan? = nil, isHolding: Bool = false,
    keepsNewest: Bool = false, activity: String? = nil
  ) {
    self.isOn = isOn
    self.accuracy = accuracy
    self.period = period
    self.isHolding = isHolding
    self.keepsNewest = keepsNewest
    self.activity = activity
  }

  public static let off = Setting(isOn: false)

  public var description: String {
    guard isOn else { return "off" }
    var text = "on"
    if let accuracy { text += ", accuracy \(Quantity(accuracy, .length))" }
    if let period { text += ", every \(period)" }
    if isHolding { text += ", holding" }
    if keepsNewest { text += ", keeping the newest" }
    if let activity { text += ", \(activity)" }
    return text
  }
}

/// What a device answered: what it really does now.
public enum Outcome: Hashable, Sendable {
  /// It entered a power state (an index into its manifest's states), sampling each `period` if it samples.
  case state(Int, period: TimeSpan?)
  /// It did something priced (an index into its manifest's events), `count` times.
  case event(Int, count: Int)
  /// It could not do as told.
  case fault(String)
}

/// What holds for a device where neither client nor rule says anything; from the `default` blocks of policies.
public struct DeviceDefaults: Hashable, Sendable {
  public var device: DeviceID
  public var wants: DemandSettings
  /// How long the device stays on after its last demand; nil for what the manifest says.
  public var linger: TimeSpan?
  public var services: ServiceDefaults

  /// Makes defaults.
  public init(
    device: DeviceID, wants: DemandSettings, linger: TimeSpan? = nil,
    services: ServiceDefaults = ServiceDefaults()
  ) {
    self.services = services
    self.device = device
    self.wants = wants
    self.linger = linger
  }

  /// Joins the defaults of two policies: for each attribute the cheaper.
  public func merged(with other: DeviceDefaults) -> DeviceDefaults {
    func cheaper<Value: Comparable>(
      _ left: Value?, _ right: Value?, _ choose: (Value, Value) -> Value
    ) -> Value? {
      guard let left, let right else { return left ?? right }
      return choose(left, right)
    }
    var result = self
    result.linger = cheaper(linger, other.linger, min)
    result.services = services.merged(with: other.services)
    result.wants.accuracy = cheaper(wants.accuracy, other.wants.accuracy, max)
    result.wants.period = cheaper(wants.period, other.wants.period, max)
    result.wants.latency = cheaper(wants.latency, other.wants.latency, max)
    result.wants.activity = wants.activity ?? other.wants.activity
    // Serving the background costs; being open to pauses saves.
    if let left = wants.background, let right = other.wants.background {
      result.wants.background = left && right
    } else {
      result.wants.background = wants.background ?? other.wants.background
    }
    if let left = wants.pausing, let right = other.wants.pausing {
      result.wants.pausing = left || right
    } else {
      result.wants.pausing = wants.pausing ?? other.wants.pausing
    }
    return result
  }
}
