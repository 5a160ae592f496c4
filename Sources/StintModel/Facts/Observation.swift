public import StintUnits

/// A fact that the governor observes about a device or a service.
public enum Observation: Hashable, Sendable {
  /// The largest distance between positions of the device within the time span, in metres.
  case spread(DeviceID, TimeSpan)
  /// Whether a client or service reads the samples of the device.
  case heard(DeviceID)
  /// Whether the device's last report was a fault, or the device is unavailable although it is demanded.
  case failed(DeviceID)
  /// True at the instant at which the device delivers its held samples.
  case batchDone(DeviceID)
  /// How long the device has been on without a complete cause.
  case unexplained(DeviceID)
  /// Whether the setting of the device or its reported state is on. Between two samples, the device may be in
  /// standby.
  case powered(DeviceID)
  /// The number of times within the last hour that the device turned on after it was off or in standby. The
  /// device reports this number.
  case starts(DeviceID)
  /// The number of wake-ups of the processor within the last hour.
  case hostWakeups
  /// Whether the service runs for at least one client or rule.
  case watching(ServiceWord)
  /// Whether the device serves a demand of the service.
  case used(DeviceID, by: ServiceWord)
  /// The energy of the service since local midnight.
  case energy(ServiceWord)
  /// A signal of the services.
  case signal(ServiceSignal)

  /// The path in policies, with full device names.
  public var path: String {
    switch self {
    case .spread(let device, let window): "spread(\(device.path), \(window))"
    case .heard(let device): "heard(\(device.path))"
    case .failed(let device): "\(device.path).failed"
    case .batchDone(let device): "\(device.path).batch_done"
    case .unexplained(let device): "unexplained(\(device.path))"
    case .powered(let device): "\(device.path).powered"
    case .starts(let device): "starts(\(device.path))"
    case .hostWakeups: "wakeups()"
    case .watching(let word): "\(word.rawValue).watching"
    case .used(let device, let word): "used_by(\(device.path), \(word.rawValue))"
    case .energy(let word): "energy(\(word.rawValue))"
    case .signal(let signal): signal.rawValue
    }
  }

  /// The type of the value.
  public var type: FactType {
    switch self {
    case .spread: .quantity(.length)
    case .unexplained: .quantity(.time)
    case .energy: .quantity(.energy)
    case .starts, .hostWakeups: .quantity(.rate)
    case .heard, .failed, .batchDone, .powered, .watching, .used: .boolean
    case .signal(let signal): signal.type
    }
  }

  /// The observed device; nil for an observation of services.
  public var device: DeviceID? {
    switch self {
    case .spread(let device, _), .heard(let device), .failed(let device), .batchDone(let device),
      .unexplained(let device), .powered(let device), .starts(let device), .used(let device, _):
      device
    case .hostWakeups, .watching, .energy, .signal: nil
    }
  }

  /// The meaning of the fact in a few words, for editors and reports.
  public var meaning: String {
    switch self {
    case .spread: "the distance between the farthest positions of the device"
    case .heard: "whether a client or service receives the samples of the device"
    case .failed: "whether the last report was a fault, or the device is unavailable although demanded"
    case .batchDone: "true at the moment at which the device delivers its held samples"
    case .unexplained: "how long the device has been on without a complete cause"
    case .powered: "whether the governor keeps the device on, standby between samples included"
    case .starts: "how often the device turned on in the last hour, also after a standby"
    case .hostWakeups: "how often the processor woke in the last hour"
    case .watching: "whether the service runs for a client or rule"
    case .used: "whether the device serves a demand of the service"
    case .energy: "the energy of the service since local midnight"
    case .signal(let signal): signal.meaning
    }
  }

  /// The computed fact for policies that use it.
  public var computed: ComputedFact {
    if case .signal(let signal) = self { return signal.computed }
    let range: ClosedRange<Double>? = if case .quantity = type { 0...1e12 } else { nil }
    let schema = FactSchema(path: path, type: type, range: range, meaning: meaning)
    return ComputedFact(schema: schema, source: .observed(self))
  }
}

extension Manifest {
  /// The path of the fact that states whether the setting or the reported state of the device is on.
  public var poweredFact: String { Observation.powered(device).path }

  /// The paths of the facts that are true while the device works for a demand.
  public var onFacts: [String] { ["\(device.path).on", poweredFact] }

  /// The path of the fact that contains the power state of the device.
  public var stateFact: String { "\(device.path).state" }

  /// The indexes of the states that the device can have while it works for a demand. These are the states
  /// that are on, and the states of standby between two samples.
  public var workingStates: [Int] { states.indices.filter { states[$0].isOn || $0 != initial } }
}
