import StintGovernor
import StintLanguage
import StintModel
import StintRuntime
import StintSimulation
import StintUnits
import Testing

@Suite("Reports about facts that are not read")
struct MaskedReadingTests {
  private static let start = Instant(nanoseconds: 1_778_918_400_000_000_000)
  private static let rule = RuleID(policy: "test", rule: "r")

  /// Returns a governor that has loaded a policy and received the facts, and the checked policy.
  private func governor(
    _ items: String, _ facts: [(String, FactValue)] = [], demand: DeviceID? = nil, adding: [Manifest] = []
  ) throws -> (Governor, [CheckedPolicy]) {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests() + adding)
    let text = "policy \"test\" version 1\nuse location.gnss as gps\n\(items)\n"
    let loaded = PolicyLoader(vocabulary: vocabulary).load([
      SourceText(file: "test.stint", bytes: Array(text.utf8))
    ])
    let program = try #require(
      loaded.program, "\(text)\n\(DiagnosticRenderer.text(loaded.diagnostics, sources: loaded.sources))")
    var governor = Governor(vocabulary: vocabulary, at: Self.start)
    _ = try governor.load(program, at: Self.start)
    var inputs: [Input] = try facts.map { .fact(try #require(vocabulary.fact($0.0)), $0.1) }
    if let demand {
      inputs.append(
        .raise(Demand(id: DemandID(1), client: "app", target: demand, wants: DemandSettings(accuracy: 5))))
    }
    _ = governor.step(inputs, at: Self.start)
    return (governor, loaded.policies)
  }

  private func lines(
    _ thing: String, _ made: (governor: Governor, policies: [CheckedPolicy])
  ) throws -> [String] {
    let report = try #require(WhyNotReport(thing, governor: made.governor, policies: made.policies))
    #expect(!report.happens)
    return report.text.split(separator: "\n").filter { $0.hasPrefix("  not read") }
      .map { String($0.dropFirst("  not read    ".count)) }
  }

  private static let guarded =
    "rule r when battery.level < 10 % and motion.activity is still for 1 min { emit \"x\" }"

  @Test("the reports about a rule and a sensor contain the false operand for which a fact is not read")
  func closed() throws {
    let made = try governor(Self.guarded, [("battery.level", .number(0.8))])
    #expect(made.0.status(of: "motion.accelerometer")?.setting.isOn == false)
    #expect(
      try lines("test/r", made) == ["motion.activity: battery.level is 80 %, needs below 10 %"])
    #expect(
      try lines("motion.accelerometer", made) == [
        "motion.activity for test/r: battery.level is 80 %, needs below 10 %"
      ])
  }

  @Test(
    "when a reading makes its own condition false, the report states that the sensor's work decides the rule",
    arguments: ["gps.state is off", "not demanded(gps)", "not gps.powered", "not known(gps.speed)"])
  func decidedByReading(operand: String) throws {
    let made = try governor("rule r when \(operand) and gps.speed > 5 m/s { emit \"x\" }")
    #expect(made.0.status(of: "location.gnss")?.setting.isOn == false)
    #expect(
      try lines("test/r", made) == [
        "location.gnss.speed: once the sensor works, “known”, “age”, “on”, “powered”, “state” or “demanded” in "
          + "the condition decides the rule"
      ])
  }

  @Test(
    "if a rule tests `known` or `age` of the sensor, the report states that other demands provide the values",
    arguments: [nil, "location.gnss"])
  func observed(demand: DeviceID?) throws {
    for test in ["known(gps.speed)", "age(gps.speed) < 1 min"] {
      let made = try governor("rule r when \(test) and gps.speed > 5 m/s { emit \"x\" }", demand: demand)
      #expect(
        try lines("test/r", made) == [
          "location.gnss.speed: the condition tests the sensor with “known” or “age”, so the rule uses only "
            + "values that other demands provide"
        ])
    }
  }

  @Test("when the operand for the battery is true, the report lists no unread fact, and the sensor is on")
  func open() throws {
    let made = try governor(Self.guarded, [("battery.level", .number(0.05))])
    #expect(made.0.maskedReadings().isEmpty)
    #expect(made.0.status(of: "motion.accelerometer")?.setting.isOn == true)
    #expect(try lines("test/r", made).isEmpty)
  }

  @Test("`why` names the rule that reads a sensor, the guard of the reading, and the period of the samples")
  func reader() throws {
    let made = try governor(Self.guarded, [("battery.level", .number(0.05))])
    let report = WhyReport(device: "motion.accelerometer", governor: made.0, policies: made.1)
    let line = try #require(report.lines.first { $0.relation == "read by" })
    #expect(line.subject == "test/r")
    #expect(
      line.text == "its condition needs a fact of the sensor while battery.level < 10 %, every 1 s", "\(line)"
    )
    let others = try governor(Self.guarded, [("battery.level", .number(0.8))])
    let closed = WhyReport(device: "motion.accelerometer", governor: others.0, policies: others.1)
    #expect(!closed.lines.contains { $0.relation == "read by" })
  }

  @Test("a sensor works for a rule that limits another device, and `why` reports the guard `demanded`")
  func demandedReader() throws {
    let made = try governor("rule r while motion.activity is still { stop gps }", demand: "location.gnss")
    let report = WhyReport(device: "motion.accelerometer", governor: made.0, policies: made.1)
    let line = try #require(report.lines.first { $0.relation == "read by" })
    #expect(line.text.contains(" while demanded(location.gnss), every "), "\(line)")
  }

  @Test(
    "a condition that also tests `known`, `age` or `on` of a sensor does not turn the sensor on",
    arguments: ["known(gps.speed)", "age(gps.speed) < 1 min", "gps.on"])
  func observers(condition: String) throws {
    let observing = try governor("rule r when \(condition) and gps.speed > 2 m/s { emit \"x\" }")
    #expect(observing.0.status(of: "location.gnss")?.setting.isOn == false)
    let reading = try governor("rule r when gps.speed > 2 m/s { emit \"x\" }")
    #expect(reading.0.status(of: "location.gnss")?.setting.isOn == true)
  }

  @Test("a rule that reads a beacon's zone scans only while its other operand is true")
  func beacon() throws {
    let items = """
      zone desk = beacon "desk" major 7
      rule r when battery.level < 10 % and heard(desk) { emit "x" }
      """
    var scanner = try #require(ReferencePhone.manifest("radio.ble"))
    scanner.facts.append(FactSchema(path: "beacon.desk.7", type: .boolean, device: "radio.ble"))
    for (level, isOn) in [(0.05, true), (0.8, false)] {
      let made = try governor(items, [("battery.level", .number(level))], adding: [scanner])
      #expect(made.0.status(of: "radio.ble")?.setting.isOn == isOn, "\(level)")
    }
  }

  @Test("for a rule that limits only a device without a demand, the report names the missing demand")
  func noDemand() throws {
    let items = "rule r while motion.activity is still { stop gps }"
    let made = try governor(items)
    #expect(
      try lines("motion.accelerometer", made) == [
        "motion.activity for test/r: there is no demand on location.gnss, which the rule limits"
      ])
    #expect(try governor(items, demand: "location.gnss").0.maskedReadings().isEmpty)
  }

  @Test("while a schedule makes a rule false, the report names the schedule")
  func schedule() throws {
    let made = try governor(
      """
      schedule late = 16:00..19:30
      rule r when time in late and motion.activity is still { emit "x" }
      """)
    let found = try lines("test/r", made)
    #expect(found.count == 1)
    #expect(found.first?.contains("late") == true, "\(found)")
  }

  @Test("for a `goto` of a state other than the current state, the report names both states")
  func state() throws {
    let made = try governor(
      """
      zone home = circle 47.05 8.31 radius 300 m
      machine m starts out {
        state out { goto back when screen.on }
        state back { goto out when not inside(home) }
      }
      """)
    let found = try lines("location.gnss", made)
    #expect(
      found.contains { $0.contains("inside(test/home)") && $0.contains("is out, needs back") }, "\(found)")
  }

  @Test("the report for a zone whose border is far away contains the time of the next position probe")
  func probe() throws {
    var made = try governor(
      """
      zone home = circle 47.05 8.31 radius 300 m
      rule r when inside(home) { emit "x" }
      """)
    let vocabulary = made.0.vocabulary
    let facts = [("latitude", 48.0), ("longitude", 8.31), ("accuracy", 5)]
    _ = made.0.step(
      try facts.map { .fact(try #require(vocabulary.fact("location.gnss.\($0.0)")), .number($0.1)) },
      at: Self.start + .seconds(1))
    let found = try lines("test/r", made)
    #expect(found.contains { $0.contains("the next probe begins at") }, "\(found)")
  }

  private static let place = """
    zone home = circle 47.05 8.31 radius 300 m
    rule r when inside(home) { emit "x" }
    rule off while battery.level < 10 % {
      stop gps
      stop location.wifi
      stop location.cell
    }
    """

  @Test("while a rule keeps every provider off, the report names no instant of a next probe")
  func noProvider() throws {
    let made = try governor(Self.place, [("battery.level", .number(0.05))])
    let found = try lines("test/r", made).filter { $0.hasPrefix("inside(test/home)") }
    #expect(
      found == [
        "inside(test/home): each device that could find the position is missing, or a rule keeps it off"
      ])
  }

  @Test("after each provider has failed, the report states the failure and the time of the next attempt")
  func noPosition() throws {
    var (governor, policies) = try governor(Self.place, [("battery.level", .number(0.8))])
    let end = Self.start + .minutes(7)
    while governor.nextTimer <= end { _ = governor.step([], at: max(governor.nextTimer, governor.now)) }
    _ = governor.step([], at: end)
    let found = try lines("test/r", (governor, policies)).filter { $0.hasPrefix("inside(test/home)") }
    #expect(found.count == 1)
    #expect(found[0].contains("no device found a position; the next attempt begins at 08:09:3"), "\(found)")
  }

  @Test(
    "when a rule keeps a sensor off, the report about a reader of its fact contains this rule",
    arguments: ["stop gps", "pause gps", "downgrade gps to 100 m", "downgrade gps to 3 km"])
  func keptOff(directive: String) throws {
    let policy = """
      rule r when gps.speed > 2 m/s { emit "x" }
      rule off while battery.level < 10 % { \(directive) }
      """
    let made = try governor(policy, [("battery.level", .number(0.05))])
    let found = try lines("test/r", made).filter { $0.hasPrefix("location.gnss.speed") }
    #expect(found == ["location.gnss.speed: test/off keeps the sensor off"], "\(found)")
    for device in ["location.gnss", "location.wifi", "location.cell"] as [DeviceID] {
      #expect(made.0.status(of: device)?.setting.isOn == false, "\(device)")
    }
    let free = try governor(policy, [("battery.level", .number(0.5))])
    #expect(free.0.status(of: "location.gnss")?.setting.isOn == true)
  }
}
