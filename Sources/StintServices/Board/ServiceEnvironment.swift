import StintModel
import StintUnits

/// The data that all services may read: facts with their instants, and the available devices.
struct ServiceEnvironment: Sendable {
  /// The data that never change. All copies of the environment share one object, because each event of a
  /// service gets a copy of the environment.
  private final class Fixed: Sendable {
    let vocabulary: Vocabulary
    let backgroundState: FactValue

    init(_ vocabulary: Vocabulary) {
      self.vocabulary = vocabulary
      backgroundState = vocabulary.schema("app.state")?.value(from: "background") ?? .unknown
    }
  }

  private let fixed: Fixed
  /// The policies' defaults for options that clients do not set, sorted by device.
  var defaults: [DeviceDefaults] = []
  /// The transfer tasks that rules allow to begin, by the rule's service.
  private(set) var starts: [RuleService: TransferStart] = [:]
  private var values: [String: (value: FactValue, at: Instant)] = [:]
  private var missing: Set<DeviceID> = []

  init(_ vocabulary: Vocabulary) { fixed = Fixed(vocabulary) }

  var vocabulary: Vocabulary { fixed.vocabulary }
  /// The value of `app.state` in the background; unknown when the fact does not exist.
  var backgroundState: FactValue { fixed.backgroundState }

  /// Adds transfer tasks that a rule allows to begin.
  mutating func set(_ start: TransferStart, of ruleService: RuleService) { starts[ruleService] = start }

  /// Removes the transfer tasks that a rule allowed to begin. Returns false when the rule allowed no tasks.
  mutating func removeStart(of ruleService: RuleService) -> Bool {
    starts.removeValue(forKey: ruleService) != nil
  }

  mutating func note(_ path: String, _ value: FactValue, at instant: Instant) {
    values[path] = (value, instant)
  }

  mutating func note(_ device: DeviceID, isAvailable: Bool) {
    if isAvailable { missing.remove(device) } else { missing.insert(device) }
  }

  /// Returns the value of a fact; unknown when the value is older than its maximum age.
  func fact(_ path: String, at instant: Instant) -> FactValue {
    guard let known = values[path] else { return .unknown }
    if let maxAge = vocabulary.schema(path)?.maxAge, instant - known.at > maxAge { return .unknown }
    return known.value
  }

  /// Returns the last published value, regardless of its age, and its instant. Nil when no value is known.
  func remembered(_ path: String) -> (value: FactValue, at: Instant)? {
    guard let known = values[path], known.value != .unknown else { return nil }
    return known
  }

  func isAvailable(_ device: DeviceID) -> Bool {
    vocabulary.manifest(device) != nil && !missing.contains(device)
  }
}
