import StintModel
import StintUnits

/// Facts that come sooner than their manifests say.
extension Governor {
  static func gates(_ vocabulary: Vocabulary, at now: Instant) -> (gates: [FactGate], numbers: [Int]) {
    var gates: [FactGate] = []
    var numbers = Array(repeating: -1, count: vocabulary.facts.count)
    for (fact, schema) in vocabulary.facts.enumerated() {
      guard let gate = FactGate(fact, schema, at: now) else { continue }
      numbers[fact] = gates.count
      gates.append(gate)
    }
    return (gates, numbers)
  }

  /// Whether the value may be believed now; else it is believed later, unless a newer one comes.
  mutating func admits(_ fact: Int, _ value: FactValue) -> Bool {
    guard fact < gateNumbers.count, gateNumbers[fact] >= 0 else { return true }
    let gate = gateNumbers[fact]
    if gates[gate].admits(value, at: now) { return true }
    if let waiting = gates[gate].waiting { gateTimer = min(gateTimer, waiting.until) }
    return false
  }

  /// Believes what waited long enough.
  mutating func releaseGates() {
    guard gateTimer <= now else { return }
    gateTimer = .distantFuture
    for gate in gates.indices {
      if let value = gates[gate].release(at: now) { takeAdmitted(gates[gate].fact, value) }
      if let waiting = gates[gate].waiting { gateTimer = min(gateTimer, waiting.until) }
    }
  }
}
