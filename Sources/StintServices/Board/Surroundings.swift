import StintModel
import StintUnits

/// What all services look at: facts with their instants, and which devices are there.
struct Surroundings: Sendable {
  let vocabulary: Vocabulary
  let backgroundState: FactValue
  /// The devices that say where they are, sorted.
  let positioning: [DeviceID]
  /// What policies say where clients leave something open, sorted by device.
  var defaults: [DeviceDefaults] = []
  /// Whose tasks of transfers rules let begin, by the lease that says so.
  var starts: [ServiceLease: TransferStart] = [:]
  private var values: [String: (value: FactValue, at: Instant)] = [:]
  private var missing: Set<DeviceID> = []

  init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    positioning = vocabulary.manifests.map(\.device).filter { device in
      ["latitude", "longitude", "accuracy"].allSatisfy { vocabulary.fact("\(device.path).\($0)") != nil }
    }
    backgroundState = vocabulary.schema("app.state")?.value(from: "background") ?? .unknown
  }

  mutating func note(_ path: String, _ value: FactValue, at instant: Instant) {
    values[path] = (value, instant)
  }

  mutating func note(_ device: DeviceID, isAvailable: Bool) {
    if isAvailable { missing.remove(device) } else { missing.insert(device) }
  }

  func fact(_ path: String, at instant: Instant) -> FactValue {
    guard let known = values[path] else { return .unknown }
    if let maxAge = vocabulary.schema(path)?.maxAge, instant - known.at > maxAge { return .unknown }
    return known.value
  }

  /// The last value that was said, however old.
  func remembered(_ path: String) -> (value: FactValue, at: Instant)? {
    guard let known = values[path], known.value != .unknown else { return nil }
    return known
  }

  func isAvailable(_ device: DeviceID) -> Bool {
    vocabulary.manifest(device) != nil && !missing.contains(device)
  }
}
