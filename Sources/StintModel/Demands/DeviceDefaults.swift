public import StintUnits

/// What holds for a device where neither client nor rule says anything; from the `default` blocks of policies.
public struct DeviceDefaults: Hashable, Sendable {
  public var device: DeviceID
  public var wants: Wants
  /// How long the device stays on after its last demand; nil for what the manifest says.
  public var linger: TimeSpan?
  public var services: ServiceDefaults

  /// Makes defaults.
  public init(
    device: DeviceID, wants: Wants, linger: TimeSpan? = nil, services: ServiceDefaults = ServiceDefaults()
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
