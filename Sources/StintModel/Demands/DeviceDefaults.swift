public import StintUnits

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

  /// The settings as a `default` block of a policy writes them, such as `rate 1 per 5 s`. Used by reports.
  public var words: [String] {
    [
      wants.accuracy.map { "accuracy \(Quantity($0, .length))" }, wants.period.map { "rate 1 per \($0)" },
      wants.latency.map { "latency \($0)" }, wants.activity.map { "activity \($0)" },
      wants.attributes.isEmpty ? nil : wants.attributes.text,
      wants.background.map { "background \($0 ? "on" : "off")" },
      wants.pausing.map { "pause \($0 ? "auto" : "off")" }, linger.map { "linger \($0)" },
    ].compactMap { $0 } + services.words
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
  /// first applies. Without a manifest, the first of two values in `attributes` also applies.
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
    // Serving apps in the background costs energy. Allowing pauses saves energy.
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
