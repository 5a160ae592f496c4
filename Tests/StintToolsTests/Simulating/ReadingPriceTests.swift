import StintAuthoring
import StintLanguage
import StintModel
import StintRuntime
import StintSimulation
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite("The predicted energy of readings")
struct ReadingPriceTests {
  /// Policies that read facts and control no device. Some conditions have a guard, which is a cheaper
  /// operand. The facts come from sensors with and without a FIFO, and from a zone.
  static let policies = [
    "rule r when location.gnss.speed > 40 m/s { emit \"x\" }",
    "rule r when location.wifi.speed > 40 m/s { emit \"x\" }",
    "zone home = circle 47.05 8.31 radius 300 m\nrule r when enter(home) { emit \"x\" }",
    "rule r when app.state is foreground and motion.activity is still for 5 min { emit \"x\" }",
    "rule r when app.state is foreground and location.gnss.speed > 40 m/s { emit \"x\" }",
    "rule r when app.state is foreground and location.wifi.speed > 40 m/s { emit \"x\" }",
    "machine m starts a { state a { goto b when battery.level < 50 % }\n"
      + "state b { goto a when motion.activity is running for 1 min } }",
    "schedule lunch = 12:00..12:30, 15:00..15:20\n"
      + "rule r when time in lunch and location.gnss.speed > 40 m/s { emit \"x\" }",
    "schedule lunch = 12:00..12:30\nzone home = circle 47.05 8.31 radius 300 m\n"
      + "rule r when time in lunch and inside(home) { emit \"x\" }",
    "schedule lunch = 12:00..12:30\nmachine m starts a { state a { goto b when time in lunch }\n"
      + "state b { goto a when m is b for 2 min\n"
      + "  rule r when location.wifi.speed > 40 m/s { emit \"x\" } } }",
  ]

  /// A day on foot. The app comes to the foreground at random times, and the battery level changes.
  private static func scenario(_ random: inout SeededGenerator) -> String {
    var facts = [
      #"{"at": "0 s", "set": {"app.state": "background", "screen.on": false, "battery.level": "80 %"}}"#
    ]
    for minute in 1..<360 {
      let state = random.pick(["background", "foreground"])
      let level = random.pick([40, 60])
      facts.append(
        #"{"at": "\#(minute * 60) s", "set": {"app.state": "\#(state)", "battery.level": "\#(level) %"}}"#)
    }
    return """
      {"stint_scenario": 1, "name": "walk", "start": "2026-05-18T09:00:00+02:00", "duration": "24 h",
       "world": {"origin": [47.05, 8.31], "legs": [
         {"activity": "walking", "for": "24 h", "speed": "1.4 m/s", "heading": "40 deg", "sky": "open"}]},
       "clients": [], "facts": [\(facts.joined(separator: ", "))]}
      """
  }

  @Test(
    "the readings of a simulated day, including wake-ups, need at most the energy that `check` predicts",
    arguments: policies.indices)
  func neverBelow(number: Int) throws {
    let temporaryFiles = TemporaryFiles()
    var random = SeededGenerator(seed: UInt64(number) + 1)
    let scenario = try temporaryFiles.file("day.json", Self.scenario(&random))
    let text = "policy \"p\" version 1\n" + Self.policies[number]
    let path = try temporaryFiles.file("p.stint", text)
    let vocabulary = Vocabulary(manifests: try DeviceProfile.reference.manifests())
    let check = PolicyCheck([SourceText(file: path, text: text)], vocabulary: vocabulary)
    #expect(!check.hasErrors && !check.readings.isEmpty, "\(check.diagnostics)")
    let predicted = check.readings.reduce(Energy.zero) { $0 + $1.maxPerDay }
    let report = try SimulationRun(SimulationRequest(policies: [path], scenario: scenario)).run().report
    let simulated = report.ledger.byClient[ClientID("p")] ?? .zero
    #expect(simulated > .zero && simulated <= predicted, "\(simulated) of \(predicted)")
  }

  @Test(
    "a guard that a schedule limits to a part of the day limits the predicted energy; other guards do not",
    arguments: [
      ("time in lunch", "for at most 30 min per day, at most "),
      ("not (time in lunch)", "J per day"),
      ("(time in lunch and screen.on)", "for at most 30 min per day, at most "),
      ("(time in lunch or time in night)", "for at most 2 h 30 min per day, at most "),
      ("(time in lunch in last 10 min)", "for at most 50 min per day, at most "),
      ("battery.level < 10 %", " J per h while this condition is true, at most "),
      ("(time in lunch or screen.on)", " J per h while this condition is true, at most "),
    ])
  func guards(condition: String, price: String) throws {
    let text = """
      policy "p" version 1
      schedule lunch = 12:00..12:30
      schedule night = 23:00..00:00
      rule r when \(condition) and location.gnss.speed > 40 m/s { emit "x" }
      """
    let vocabulary = Vocabulary(manifests: try DeviceProfile.reference.manifests())
    let check = PolicyCheck([SourceText(file: "p.stint", text: text)], vocabulary: vocabulary)
    let need = try #require(check.readings.first, "\(check.diagnostics)")
    #expect(need.text.contains(price), "\(need.text)")
    #expect(need.guards.count == 1, "\(need.text)")
  }

  @Test("the predicted energy per beginning covers readings that begin with each transfer of a client")
  func beginnings() throws {
    let temporaryFiles = TemporaryFiles()
    let text = """
      policy "p" version 1
      use radio.cellular as cell
      rule r while motion.activity is still { batch cell until 10 s }
      """
    let path = try temporaryFiles.file("p.stint", text)
    let scenario = try temporaryFiles.file(
      "hour.json",
      """
      {"stint_scenario": 1, "name": "hour", "start": "2026-05-18T09:00:00+02:00", "duration": "1 h",
       "world": {"origin": [47.05, 8.31], "legs": [{"activity": "still", "for": "1 h"}]},
       "clients": [{"name": "app", "transfers":
         [{"target": "radio.cellular", "up": "1 kB", "every": "15 s"}]}]}
      """)
    let vocabulary = Vocabulary(manifests: try DeviceProfile.reference.manifests())
    let check = PolicyCheck([SourceText(file: path, text: text)], vocabulary: vocabulary)
    let need = try #require(check.readings.first, "\(check.diagnostics)")
    #expect(need.dependsOnDemands && need.text.contains("30 mJ for each beginning"), "\(need.text)")
    #expect(need.text.hasSuffix("J per day if clients keep their demands"), "\(need.text)")
    let report = try SimulationRun(SimulationRequest(policies: [path], scenario: scenario)).run().report
    let simulated = report.ledger.byClient[ClientID("p")] ?? .zero
    // 240 transfers begin 240 readings, which cost far more than an hour of readings.
    #expect(simulated > need.perHour && simulated <= need.perHour + need.perBeginning * 240, "\(simulated)")
  }

  @Test(
    "with a faster client, the readings of an hour are charged with at most the energy that `check` predicts",
    arguments: [
      ("motion.accelerometer", "100 Hz", "motion.activity is running"),
      ("location.wifi", "1 per 30 s", "location.wifi.speed > 40 m/s"),
      ("location.gnss", "1 Hz", "location.gnss.speed > 40 m/s"),
    ])
  func besideFasterClient(sensor: String, rate: String, condition: String) throws {
    let temporaryFiles = TemporaryFiles()
    let scenario = try temporaryFiles.file(
      "fast.json",
      """
      {"stint_scenario": 1, "name": "fast", "start": "2026-05-18T09:00:00+02:00", "duration": "1 h",
       "world": {"origin": [47.05, 8.31], "legs": [{"activity": "still", "for": "1 h"}]},
       "clients": [{"name": "app", "demands":
         [{"target": "\(sensor)", "with": {"rate": "\(rate)", "background": true}}]}],
       "facts": [{"at": "0 s", "set": {"app.state": "background", "screen.on": false}}]}
      """)
    func run(_ condition: String) throws -> (report: SimulationReport, needs: [ReadingNeed]) {
      let text = "policy \"p\" version 1\nrule r when \(condition) { emit \"x\" }"
      let path = try temporaryFiles.file("p.stint", text)
      let vocabulary = Vocabulary(manifests: try DeviceProfile.reference.manifests())
      let check = PolicyCheck([SourceText(file: path, text: text)], vocabulary: vocabulary)
      let request = SimulationRequest(policies: [path], scenario: scenario)
      return (try SimulationRun(request).run().report, check.readings)
    }
    let (with, without) = (try run(condition), try run("screen.on"))
    let need = try #require(with.needs.first)
    let predicted = need.perHour + need.perBeginning
    let added = with.report.ledger.total.nanojoules - without.report.ledger.total.nanojoules
    #expect(added <= predicted.nanojoules, "\(added) nJ of \(predicted)")
    let charged = with.report.ledger.byClient[ClientID("p")] ?? .zero
    #expect(charged > .zero && charged <= predicted, "\(charged) of \(predicted)")
    #expect(with.report.ledger.isBalanced)
    guard sensor == "motion.accelerometer" else { return }
    let guide = try FileText.read(Repository.path("Sources/Stint/Stint.docc/Operators.md"))
    let words = String(decoding: guide, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let statement =
      "`check` predicts 13.8 J per day for a rule that reads the accelerometer once a second, and the "
    #expect(words.joined(separator: " ").contains(statement + "ledger charges 2.5 J to the rule"))
    #expect(need.text.contains("at most 13.8 J per day"), "\(need.text)")
    #expect((charged.joules * 240).rounded() == 25, "\(charged) per hour")
  }

  @Test("a condition on a missing device guards no reading; a rule that needs the device reads nothing")
  func missing() throws {
    let vocabulary = Vocabulary(manifests: try DeviceProfile.reference.manifests())
    func needs(_ condition: String) -> [ReadingNeed] {
      let text = "policy \"p\" version 1\nuse scale.kitchen as scale\nrule r when \(condition) { emit \"x\" }"
      let check = PolicyCheck([SourceText(file: "p.stint", text: text)], vocabulary: vocabulary)
      #expect(!check.hasErrors, "\(check.diagnostics)")
      return check.readings
    }
    #expect(needs("scale.mass > 5 or location.gnss.speed > 40 m/s").first?.guards == [])
    #expect(
      needs("(scale.mass > 5 and location.gnss.speed > 40 m/s) or screen.on").first?.guards
        == ["not (screen.on)"])
    #expect(needs("scale.mass > 5 and location.gnss.speed > 40 m/s").isEmpty)
  }

  @Test("a sensor that is read behind either of two guards is listed with both guards, joined by `or`")
  func alternative() throws {
    let text = """
      policy "p" version 1
      rule r when (battery.level < 10 % and location.gnss.speed > 40 m/s)
        or (screen.on and location.gnss.speed > 20 m/s) { emit "x" }
      """
    let vocabulary = Vocabulary(manifests: try DeviceProfile.reference.manifests())
    let check = PolicyCheck([SourceText(file: "p.stint", text: text)], vocabulary: vocabulary)
    #expect(check.readings.first?.guards == ["(battery.level < 10 % or screen.on)"])
  }

  @Test("the predicted energy of a sensor without a FIFO includes one wake-up for each sample")
  func wakeups() throws {
    func price(_ manifests: [Manifest]) throws -> Energy {
      let text = "policy \"p\" version 1\nrule r when location.wifi.speed > 40 m/s { emit \"x\" }"
      let check = PolicyCheck(
        [SourceText(file: "p.stint", text: text)], vocabulary: Vocabulary(manifests: manifests))
      return try #require(check.readings.first).maxPerDay
    }
    var manifests = try DeviceProfile.reference.manifests()
    let whole = try price(manifests)
    let processor = try #require(manifests.firstIndex { $0.kind == .processor })
    let wake = manifests[processor].events[try #require(manifests[processor].event(named: "wake"))].energy
    manifests.remove(at: processor)
    // A day has 576 samples, one every 2 min 30 s. The first sample and the beginning of the need add two
    // wake-ups.
    #expect(try whole - price(manifests) == wake * 578)
    // The predicted energy depends on the manifest of the device.
    let wifi = try #require(manifests.firstIndex { $0.device == "location.wifi" })
    let before = try price(manifests)
    for place in manifests[wifi].events.indices { manifests[wifi].events[place].energy += before }
    #expect(try price(manifests) > before * 500)
  }
}
