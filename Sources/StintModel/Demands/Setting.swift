public import StintUnits

/// The operating mode that the host requests from a device. A setting is complete: it replaces the previous
/// setting of the device as a whole.
public struct Setting: Hashable, Sendable, CustomStringConvertible {
  /// Whether the device is on.
  public var isOn: Bool
  /// The 95 % radius, in metres; nil when nothing specifies it.
  public var accuracy: Double?
  /// The time between two samples; nil when nothing specifies it.
  public var period: TimeSpan?
  /// True when samples stay in the device until they are drained or the device is full.
  public var isHolding: Bool
  /// True when no client waits for the samples in the device.
  ///
  /// A device whose buffer is full then overwrites its oldest samples instead of waking the processor. A
  /// device that cannot overwrite samples delivers them when its buffer is full.
  public var keepsNewest: Bool
  /// A value of the device's `activity` attribute; nil when nothing specifies it.
  public var activity: String?
  /// The values of the attributes that only the device's manifest defines.
  public var attributes = AttributeValues()

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

  /// The setting of a device that is off.
  public static let off = Setting(isOn: false)

  public var description: String {
    guard isOn else { return "off" }
    var text = "on"
    if let accuracy { text += ", accuracy \(Quantity(accuracy, .length))" }
    if let period { text += ", every \(period)" }
    if isHolding { text += ", holding" }
    if keepsNewest { text += ", keeping the newest" }
    if let activity { text += ", \(activity)" }
    if !attributes.isEmpty { text += ", \(attributes.text)" }
    return text
  }
}

/// A device's report of its actual behaviour.
public enum Outcome: Hashable, Sendable {
  /// The device entered a power state, given as an index into the manifest's states. `period` is the time
  /// between two samples; nil when the device takes no samples.
  case state(Int, period: TimeSpan?)
  /// A priced event, given as an index into the manifest's events, happened `count` times.
  case event(Int, count: Int)
  /// The device could not apply its setting; the reason is attached.
  case fault(String)
}

/// The defaults of a device for settings that neither a client nor a rule specifies. They come from the
/// `default` blocks of policies.
public struct DeviceDefaults: Hashable, Sendable {
  /// The device.
  public var device: DeviceID
  /// The default settings of demands.
  public var wants: DemandSettings
  /// How long the device stays on after its last demand; nil for the value of the manifest.
  public var linger: TimeSpan?
  /// The defaults for service requests.
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

  /// Merges the defaults of several policies; the result has one entry per device, sorted by device. The
  /// manifests of `vocabulary` determine which value of an attribute is cheaper.
  public static func joined(_ defaults: [DeviceDefaults], vocabulary: Vocabulary?) -> [DeviceDefaults] {
    var joined: [DeviceID: DeviceDefaults] = [:]
    for item in defaults {
      joined[item.device] =
        joined[item.device]?.merged(with: item, of: vocabulary?.manifest(item.device)) ?? item
    }
    return joined.values.sorted { $0.device < $1.device }
  }

  /// Merges the defaults of two policies: the cheaper value of each attribute applies. Of two activities, the
  /// first applies. Without a manifest, the first of two values in `attributes` applies too.
  private func merged(with other: DeviceDefaults, of manifest: Manifest?) -> DeviceDefaults {
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
    result.wants.attributes =
      manifest?.cheapest(wants.attributes, other.wants.attributes)
      ?? wants.attributes.completed(by: other.wants.attributes)
    // Serving background apps costs energy; allowing pauses saves it.
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
