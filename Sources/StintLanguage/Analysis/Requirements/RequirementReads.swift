import StintModel

/// The sensors whose `on` fact a requirement reads, and whether the analysis can search for a counterexample.
struct RequirementReads {
  /// The sensors whose `on` fact the requirement reads, sorted.
  private(set) var devices: [DeviceID] = []
  /// The reason why the analysis does not search for a counterexample with constant facts and demands. Nil
  /// when the analysis searches for one.
  private(set) var skipReason: String?

  /// Classifies the facts of a condition; `bound` returns the wake-up bound of a device.
  init(
    _ condition: CheckedExpression, _ vocabulary: Vocabulary, bound: (DeviceID) -> WakeupBound.Limit
  ) {
    for path in condition.facts {
      if let device = vocabulary.switchableSensor(path) {
        devices.append(device)
      } else if !vocabulary.isPublished(path), skipReason == nil {
        skipReason = Self.reason(path, vocabulary, bound)
      }
    }
    devices.sort()
    if devices.count > 2 { skipReason = skipReason ?? "it reads more than two sensors" }
  }

  private static func reason(
    _ path: String, _ vocabulary: Vocabulary, _ bound: (DeviceID) -> WakeupBound.Limit
  ) -> String {
    guard let number = vocabulary.fact(path) else { return "\(path) is not known" }
    guard number >= vocabulary.firstComputed else { return "\(path) may change at any time" }
    switch vocabulary.computed[number - vocabulary.firstComputed].source {
    case .wakeups(let device):
      switch bound(device) {
      case .atMost(let most): return "the wake-up bound of \(device) is \(most) per hour"
      case .unbounded(let reason): return "wake-ups of \(device) are unbounded, because \(reason)"
      }
    case .budget, .energy, .unexplained: return "\(path) rises with time"
    case .zone, .machine, .rule, .client, .grant, .respite, .observed, .keyed:
      return "the governor computes \(path) over time"
    }
  }
}

extension Vocabulary {
  /// Returns the sensor whose `on` fact has this path; nil for every other fact.
  func switchableSensor(_ path: String) -> DeviceID? {
    guard let device = schema(path)?.device, device.path + ".on" == path, manifest(device)?.kind == .sensor
    else { return nil }
    return device
  }

  /// Returns true when a source or device publishes the fact, false when the governor computes or sets the
  /// fact.
  func isPublished(_ path: String) -> Bool {
    guard let number = fact(path), number < firstComputed else { return false }
    guard let device = facts[number].device, manifest(device)?.kind != .source else { return true }
    return ![".on", ".state", ".available"].contains { device.path + $0 == path }
  }
}
