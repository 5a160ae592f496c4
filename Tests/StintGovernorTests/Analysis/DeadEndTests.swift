import StintLanguage
import StintModel
import StintTestSupport
import StintUnits
import Testing

@Suite("Devices that a policy never switches on again") struct DeadEndTests {
  private let vocabulary = TrialDevices.vocabulary

  private func check(_ body: String) throws -> [CheckedPolicy] {
    let checked = Checker.check([PlantedDeadEnd.source(body)], vocabulary: vocabulary)
    let errors = checked.diagnostics.filter { $0.severity == .error }
    try #require(errors.isEmpty, "\(errors.map(\.title))")
    return checked.policies
  }

  @Test("F17 W7: each of 50 policies with a dead end gives one error with a hint")
  func refused() throws {
    #expect(PlantedDeadEnd.all.count == 50)
    for planted in PlantedDeadEnd.all {
      let found = Analysis.run(try check(planted.deadEnd), vocabulary: vocabulary)
        .filter { $0.diagnostic.code == .noWayBack }
      #expect(found.count == 1, "\(planted): \(found.map(\.diagnostic.title))")
      #expect(found.allSatisfy { $0.diagnostic.severity == .error && $0.diagnostic.hint != nil })
    }
  }

  @Test("F17: similar policies that can switch the device on again give no finding")
  func accepted() throws {
    for planted in PlantedDeadEnd.all {
      let found = Analysis.run(try check(planted.clean), vocabulary: vocabulary)
        .filter { $0.diagnostic.code == .noWayBack }
      #expect(found.isEmpty, "\(planted): \(found.map(\.diagnostic.title))")
    }
  }

  @Test(
    "after the facts of a dead end are published, no random facts of other devices switch the device on")
  func reproduced() throws {
    for (number, planted) in PlantedDeadEnd.all.enumerated() {
      let policies = try check(planted.deadEnd)
      let ends = DeadEndAnalysis.deadEnds(policies, vocabulary: vocabulary)
      guard let end = ends.first, let device = end.devices.compactMap({ vocabulary.device($0) }).first,
        vocabulary.manifests[device].kind == .sensor
      else { continue }
      try reproduce(end, policies, seed: UInt64(number), planted.name)
    }
  }

  /// Publishes the facts of the dead end while the devices are on, then random facts of other devices. Checks
  /// that the devices stay off.
  private func reproduce(_ end: DeadEnd, _ policies: [CheckedPolicy], seed: UInt64, _ name: String) throws {
    var random = SeededGenerator(seed: seed)
    var now = Instant(nanoseconds: 1_000_000_000_000)
    var trial = try PolicyTrial(policies, vocabulary: vocabulary, at: now)
    // Values that devices published before the first demand are still known when a client raises a demand.
    for reading in end.readings where reading.value != .unknown {
      if let fact = vocabulary.fact(reading.path) { trial.set(fact, reading.value, at: now) }
    }
    trial.demandSensors()
    let silent = end.devices
    for fact in vocabulary.facts.indices where isExternal(fact) {
      if let value = end.readings.first(where: { $0.path == vocabulary.facts[fact].path })?.value {
        if value != .unknown { trial.set(fact, value, at: now) }
      } else if !silent.contains(vocabulary.facts[fact].device ?? "") {
        trial.set(fact, randomValue(fact, &random), at: now)
      }
    }
    let free = vocabulary.facts.indices.filter { fact in
      isExternal(fact) && !silent.contains(vocabulary.facts[fact].device ?? "")
        && !end.readings.contains { $0.path == vocabulary.facts[fact].path }
    }
    var wasOn = 0
    for round in 0..<80 {
      now = now + .seconds(Int64.random(in: 1...90, using: &random))
      let fact = random.pick(free)
      trial.set(fact, randomValue(fact, &random), at: now)
      for device in end.devices.compactMap({ vocabulary.device($0) }) where round > 25 {
        if trial.isOn[device] { wasOn += 1 }
      }
    }
    #expect(wasOn == 0, "\(name)")
  }

  /// Returns whether a device or app publishes the fact; false when the governor publishes it.
  private func isExternal(_ fact: Int) -> Bool {
    let path = vocabulary.facts[fact].path
    return ![".on", ".state", ".available"].contains { path.hasSuffix($0) } || path == "screen.on"
      || path == "app.state"
  }

  private func randomValue(_ fact: Int, _ random: inout SeededGenerator) -> FactValue {
    switch vocabulary.facts[fact].type {
    case .boolean: return .boolean(random.once(in: 2))
    case .symbol(let words): return .symbol(Int.random(in: 0..<words.count, using: &random))
    case .quantity:
      let range = vocabulary.facts[fact].range ?? 0...100
      return .number(Double.random(in: range, using: &random))
    }
  }
}
