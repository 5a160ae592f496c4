import StintModel
import StintUnits

/// What all services look at: facts with their instants, and which devices are there.
struct Surroundings: Sendable {
  let vocabulary: Vocabulary
  let backgroundState: FactValue
  private var values: [String: (value: FactValue, at: Instant)] = [:]
  private var missing: Set<DeviceID> = []

  init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
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

  func isAvailable(_ device: DeviceID) -> Bool {
    vocabulary.manifest(device) != nil && !missing.contains(device)
  }
}
