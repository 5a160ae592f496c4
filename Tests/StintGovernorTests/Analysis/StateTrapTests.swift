import StintGovernor
import StintLanguage
import StintModel
import StintTestSupport
import StintUnits
import Testing

@Suite("States that keep a sensor off forever") struct StateTrapTests {
  private let vocabulary = TrialDevices.vocabulary

  private func check(_ body: String) throws -> [CheckedPolicy] {
    let checked = Checker.check([PlantedDeadEnd.source(body)], vocabulary: vocabulary)
    let errors = checked.diagnostics.filter { $0.severity == .error }
    try #require(errors.isEmpty, "\(errors.map(\.title)) \(body)")
    return checked.policies
  }

  private func deadEnds(_ body: String) throws -> [DeadEnd] {
    let policies = try check(body)
    return DeadEndAnalysis.deadEnds(policies, vocabulary: vocabulary.computing(policies.flatMap(\.computed)))
  }

  @Test("F17: each of at least 100 policies that keep a sensor off forever gives exactly one finding")
  func refused() throws {
    #expect(PlantedStateTrap.all.count >= 100)
    for planted in PlantedStateTrap.all {
      let found = try deadEnds(planted.trap)
      #expect(found.count == 1, "\(planted): \(found.map(\.diagnostic.title))")
      #expect(found.allSatisfy { $0.diagnostic.severity == .error && $0.diagnostic.hint != nil })
    }
  }

  @Test("F17: at least 150 similar policies that can switch the sensor on again give no finding")
  func accepted() throws {
    #expect(PlantedStateTrap.all.flatMap(\.clean).count >= 150)
    for planted in PlantedStateTrap.all {
      for clean in planted.clean {
        let found = try deadEnds(clean)
        #expect(found.isEmpty, "\(planted): \(clean) \(found.map(\.diagnostic.title))")
      }
    }
  }

  @Test("the age of a stopped sensor's fact can end a state, except the initial state")
  func age() throws {
    func policy(start: String) -> String {
      """
      machine m starts \(start) {
        state on_ { goto off_ when gps.accuracy > 20 m for 1 min }
        state off_ { pause gps goto on_ when age(gps.accuracy) > 10 min }
      }
      """
    }
    #expect(try deadEnds(policy(start: "on_")).isEmpty)
    #expect(try deadEnds(policy(start: "off_")).count == 1)
  }

  @Test(
    "the emptying window of a stopped odometer ends a state, but not an initial state or for a larger value",
    arguments: [
      ("travelled(gps, 10 min) < 100 m", 0), ("not (travelled(gps, 10 min) > 100 m)", 0),
      ("spread(gps.distance, 10 min) < 100 m", 0), ("travelled(gps, 10 min) < 100 m and screen.on", 0),
      ("travelled(gps, 10 min) > 100 m", 1), ("travelled(gps, 10 min) between 50 m and 100 m", 1),
      ("travelled(gps, 10 min) < 100 m for 5 min", 1), ("max(gps.speed, 10 min) < 1 m/s", 1),
    ])
  func emptyingWindow(exit: String, count: Int) throws {
    func policy(start: String) -> String {
      """
      machine m starts \(start) {
        state on_ { goto off_ when battery.level < 20 % }
        state off_ { stop gps goto on_ when \(exit) }
      }
      """
    }
    #expect(try deadEnds(policy(start: "on_")).count == count)
    #expect(try deadEnds(policy(start: "off_")).count == 1)
  }

  @Test(
    "a governor leaves a state at the end of a stopped sensor's window exactly when no finding exists",
    arguments: [
      ("travelled(day.tracker, 10 min) < 100 m", 1.0, true),
      ("travelled(day.tracker, 10 min) > 100 m", 0.001, false),
      ("travelled(day.tracker, 10 min) between 50 m and 100 m", 1, false),
      ("travelled(day.tracker, 10 min) < 100 m for 5 min", 1, false),
      ("spread(day.tracker, 10 min) < 100 m", 1, false),
    ])
  func emptyingWindowRuns(exit: String, kilometres: Double, leaves: Bool) throws {
    let text = """
      policy "p"
      machine m starts on_ {
        state on_ { goto off_ when battery.level < 20 % }
        state off_ { stop day.tracker goto on_ when \(exit) }
      }
      """
    var bench = try GovernorBench(extra: [Self.tracker])
    let checked = Checker.check(
      [SourceText(file: "p.stint", text: text)], vocabulary: bench.governor.vocabulary)
    let vocabulary = bench.governor.vocabulary.computing(checked.policies.flatMap(\.computed))
    #expect(DeadEndAnalysis.deadEnds(checked.policies, vocabulary: vocabulary).isEmpty == leaves)
    try bench.load(text, at: 0)
    _ = bench.raise("app", on: "day.tracker", at: 1)
    // The vehicle moves by `kilometres` between two samples.
    for sample in 1...20 {
      let second = Double(sample) * 30
      bench.set("day.tracker.distance", "\(Double(sample) * kilometres) km", at: second)
      bench.set("day.tracker.latitude", "\(Double(sample) / 100) deg", at: second)
      bench.set("day.tracker.longitude", "8 deg", at: second)
    }
    bench.set("battery.level", "10 %", at: 610)
    bench.set("battery.level", "90 %", at: 620)
    let machine = try #require(bench.governor.vocabulary.fact("p/m"))
    #expect(bench.governor.facts.value(machine) == .symbol(1))
    bench.run(to: 100_000)
    #expect(bench.governor.facts.value(machine) == .symbol(leaves ? 0 : 1))
  }

  private static let tracker = Manifest(
    device: "day.tracker", kind: .sensor, title: "", states: SensedHour.motion.states,
    transitions: SensedHour.motion.transitions, verbs: Verb.allCases,
    attributes: SensedHour.motion.attributes,
    facts: [
      ("distance", Dimension.length), ("accuracy", .length), ("latitude", .angle), ("longitude", .angle),
    ]
    .map { name, dimension in
      FactSchema(
        path: "day.tracker.\(name)", type: .quantity(dimension),
        maxAge: name == "distance" ? nil : .seconds(10), device: "day.tracker")
    })

  @Test("in the situation of a finding, facts of devices that are on never switch the sensor on")
  func reproduced() throws {
    for (number, planted) in sample {
      let policies = try check(planted.trap)
      let found = try deadEnds(planted.trap).first
      let end = try #require(found)
      let late = try latePublications(policies, end, seed: UInt64(number))
      #expect(late == 0, "\(planted)")
    }
  }

  @Test("if a policy can switch a sensor on again, the sensor is on in the last third of a random run")
  func comesBack() throws {
    for (number, planted) in sample {
      let found = try deadEnds(planted.trap).first
      let end = try #require(found)
      for clean in planted.clean {
        let late = try latePublications(check(clean), end, seed: UInt64(number))
        #expect(late > 0, "\(planted): \(clean)")
      }
    }
  }

  /// Every seventh policy, with its index. Together these policies contain each shape.
  private var sample: [(number: Int, planted: PlantedStateTrap)] {
    let all = PlantedStateTrap.all
    return stride(from: 0, to: all.count, by: 7).map { ($0, all[$0]) }
  }

  /// Returns how many facts are published while a device of `end` is on, in the last third of a long random
  /// run. In this run a sensor publishes only while it is on.
  private func latePublications(_ policies: [CheckedPolicy], _ end: DeadEnd, seed: UInt64) throws -> Int {
    var random = SeededGenerator(seed: seed)
    var now = Instant(nanoseconds: 1_000_000_000_000)
    var trial = try PolicyTrial(policies, vocabulary: vocabulary, at: now)
    // Values that devices published before the first demand are still present when a client raises a demand.
    for reading in end.readings where reading.value != .unknown {
      if let fact = vocabulary.fact(reading.path) { trial.set(fact, reading.value, at: now) }
    }
    trial.demandSensors()
    let numbers = end.devices.compactMap { vocabulary.device($0) }
    let external = vocabulary.facts.indices.filter(isExternal)
    var count = 0
    for round in 0..<900 {
      now = now + .seconds(Int64.random(in: 1...60, using: &random))
      trial.advance(to: now)
      let fact = random.pick(external)
      if let device = vocabulary.facts[fact].device.flatMap({ vocabulary.device($0) }),
        vocabulary.manifests[device].kind == .sensor, !trial.isOn[device]
      {
        continue
      }
      trial.set(fact, randomValue(fact, &random), at: now)
      if round > 600, numbers.contains(where: { trial.isOn[$0] }) { count += 1 }
    }
    return count
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
      // Half of the numbers are small, because the limits are small.
      let most = random.once(in: 2) ? min(range.upperBound, 5) : min(range.upperBound, 100)
      return .number(Double.random(in: range.lowerBound...most, using: &random))
    }
  }
}
