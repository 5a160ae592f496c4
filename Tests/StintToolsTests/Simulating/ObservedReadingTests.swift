import StintAuthoring
import StintLanguage
import StintModel
import StintSimulation
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite("Conditions that test whether their own fact is known")
struct ObservedReadingTests {
  private let temporaryFiles = TemporaryFiles()

  private static func text(_ condition: String, _ trigger: String = "when") -> String {
    let effect = trigger == "when" ? "emit \"x\"" : "start accel"
    return "policy \"p\" version 1\nuse location.gnss as gps\nuse motion.accelerometer as accel\n"
      + "rule r \(trigger) \(condition) { \(effect) }\n"
  }

  /// A client that requests an accurate position every ten minutes.
  private static func slowClient(until end: String) -> String {
    """
    {"name": "slow", "demands": [{"target": "location.gnss", "until": "\(end)",
      "with": {"accuracy": "10 m", "rate": "1 per 10 min", "background": true}}]}
    """
  }

  /// Simulates an hour of driving. Returns the energy of one client: by default, of the policy's readings.
  private func energy(
    _ condition: String, beside client: String = "", of name: ClientID = "p",
    setting facts: String = "\"screen.on\": false, "
  ) throws -> Energy {
    try report(condition, beside: client, setting: facts).ledger.byClient[name] ?? .zero
  }

  private func report(
    _ condition: String,
    legs: String = "{\"activity\": \"automotive\", \"for\": \"1 h\", \"speed\": \"14 m/s\"}",
    during duration: String = "1 h", beside client: String = "", setting facts: String = "",
    trigger: String = "when"
  ) throws -> SimulationReport {
    let scenario = try temporaryFiles.file(
      "drive.json",
      """
      {"stint_scenario": 1, "name": "drive", "start": "2026-05-18T09:00:00+02:00", "duration": "\(duration)",
       "world": {"origin": [47.05, 8.31], "legs": [\(legs)]},
       "clients": [\(client)], "facts": [
         {"at": "0 s", "set": {"app.state": "background", \(facts)"battery.level": "80 %"}}]}
      """)
    let policy = try temporaryFiles.file("p.stint", Self.text(condition, trigger))
    return try SimulationRun(SimulationRequest(policies: [policy], scenario: scenario)).run().report
  }

  private func check(_ condition: String) throws -> PolicyCheck {
    let check = PolicyCheck(
      [SourceText(file: "p.stint", text: Self.text(condition))],
      vocabulary: Vocabulary(manifests: try DeviceProfile.reference.manifests()))
    #expect(!check.hasErrors, "\(check.diagnostics)")
    return check
  }

  @Test(
    "if a known or new value already decides the condition, no value is read, and `check` lists no reading and no bound",
    arguments: [
      "known(gps.speed) or gps.speed > 5 m/s", "gps.speed > 5 m/s or known(gps.latitude)",
      "age(gps.speed) < 1 min or gps.speed > 5 m/s", "not known(gps.speed) and gps.speed > 5 m/s",
      "known(gps.speed) or screen.on or gps.speed > 5 m/s", "gps.on or gps.speed > 5 m/s",
      "known(gps.speed) for 5 min or gps.speed > 5 m/s",
      "known(motion.activity) or motion.activity is automotive", "gps.powered or gps.speed > 5 m/s",
      "not gps.powered and gps.speed > 5 m/s", "gps.state is off and gps.speed > 5 m/s",
      "gps.state is off for 1 min and gps.speed > 5 m/s", "gps.state is not off or gps.speed > 5 m/s",
      "gps.state in [search, track, standby] or gps.speed > 5 m/s",
      "not demanded(gps) and gps.speed > 5 m/s", "demanded(gps) or gps.speed > 5 m/s",
      "count(gps.speed, 5 min) < 2 or gps.speed > 5 m/s",
    ])
  func decided(condition: String) throws {
    #expect(try energy(condition) == .zero)
    let check = try check(condition)
    #expect(check.readings.isEmpty, "\(check.readings.map(\.text))")
    #expect(check.bounds.isEmpty, "\(check.bounds)")
  }

  @Test(
    "behind an operand that is unknown and costs nothing, nothing is read, also inside `for`, `in last` and `or`",
    arguments: [
      "(screen.on and gps.speed > 5 m/s) for 2 min", "(screen.on and gps.speed > 5 m/s) in last 2 min",
      "(screen.on and gps.speed > 5 m/s) or net.kind is none",
    ])
  func unknownGuard(condition: String) throws { #expect(try energy(condition, setting: "") == .zero) }

  @Test("a cheap sensor stays on while an expensive one decides, so that it can turn the expensive one off")
  func cheapSensorStays() throws {
    let legs = """
      {"activity": "still", "for": "8 min"}, {"activity": "walking", "for": "12 min", "speed": "1.4 m/s"},
      {"activity": "automotive", "for": "8 min", "speed": "14 m/s"}, {"activity": "still", "for": "1 h"}
      """
    let report = try report(
      "motion.activity is automotive and gps.speed > 2 m/s", legs: legs, during: "88 min")
    let receiver = report.ledger.byDevice["location.gnss"] ?? .zero
    // The receiver works for about 8 min, at 75 mW or less.
    #expect(receiver > .zero && receiver.joules < 40, "\(receiver)")
  }

  @Test("the reading for travelled() finds nearly the same times as a client at 1 Hz")
  func travelled() throws {
    let legs = """
      {"activity": "walking", "for": "20 min", "speed": "1.4 m/s"}, {"activity": "still", "for": "40 min"}
      """
    let client = """
      {"name": "fast", "demands": [{"target": "location.gnss",
        "with": {"accuracy": "10 m", "rate": "1 Hz", "background": true}}]}
      """
    let spans = try ["", client].map { client in
      let report = try report("travelled(gps, 10 min) > 500 m", legs: legs, beside: client, trigger: "while")
      return try #require(report.rules[RuleID(policy: "p", rule: "r")]).inForce
    }
    #expect(spans[0] > .minutes(8) && abs((spans[0] - spans[1]).nanoseconds) < 180_000_000_000, "\(spans)")
  }

  @Test("a condition that only another demand can make true costs nothing without that demand")
  func beside() throws {
    for condition in ["known(gps.speed) and gps.speed > 5 m/s", "not known(gps.speed) or gps.speed > 5 m/s"] {
      #expect(try energy(condition) == .zero, "\(condition)")
    }
  }

  @Test(
    "a rule that tests `known` or `age` of its own sensor reads nothing, with and without a slow client",
    arguments: [
      "known(gps.speed) and gps.speed > 40 m/s", "age(gps.speed) < 1 min and gps.speed > 40 m/s",
      "known(gps.speed) in last 5 min and gps.speed > 40 m/s",
      "known(gps.speed) for 1 min and gps.speed > 40 m/s", "known(gps.latitude) and gps.speed > 40 m/s",
      "count(gps.speed, 5 min) > 40 and gps.speed > 40 m/s", "count(gps.speed, 5 min) < 2",
      "rate(gps.accuracy, 5 min) > 1 Hz", "rate(gps.speed, 5 min) > 1 Hz and gps.speed > 40 m/s",
    ])
  func observers(condition: String) throws {
    let client = Self.slowClient(until: "1 h")
    let alone = try energy("battery.level < 1 %", beside: client, of: "slow")
    #expect(try energy(condition) == .zero)
    #expect(try energy(condition, beside: client) == .zero)
    #expect(try energy(condition, beside: client, of: "slow") == alone)
    let check = try check(condition)
    #expect(check.readings.isEmpty && check.bounds.isEmpty, "\(check.readings.map(\.text)) \(check.bounds)")
  }

  @Test(
    "a rule that tests `on`, `powered` or `state` of its sensor reads it only while another demand exists",
    arguments: ["gps.on", "gps.powered", "gps.state is not off", "gps.on in last 5 min", "demanded(gps)"])
  func guards(test: String) throws {
    let condition = "\(test) and gps.speed > 40 m/s"
    #expect(try energy(condition) == .zero)
    let half = try energy(condition, beside: Self.slowClient(until: "30 min"))
    let whole = try energy(condition, beside: Self.slowClient(until: "1 h"))
    #expect(half > .zero && whole.nanojoules * 10 > half.nanojoules * 15, "\(half), \(whole)")
    #expect(whole.nanojoules * 10 < half.nanojoules * 25, "\(half), \(whole)")
  }

  @Test(
    "a condition that a comparison can decide costs as much as this comparison alone",
    arguments: [
      "age(gps.speed) > 1 min or gps.speed > 5 m/s", "known(motion.activity) or gps.speed > 5 m/s",
      "(known(gps.speed) and screen.on) or gps.speed > 5 m/s",
      "gps.state in [off, track] and gps.speed > 5 m/s",
      "not demanded(accel) and gps.speed > 5 m/s", "accel.state is off and gps.speed > 5 m/s",
      "count(gps.speed, 5 min) < 2000 and gps.speed > 5 m/s",
    ])
  func open(condition: String) throws {
    let alone = try energy("gps.speed > 5 m/s")
    #expect(alone > .zero)
    #expect(try energy(condition) == alone)
    #expect(try check(condition).readings.contains { $0.devices == ["location.gnss"] })
  }
}
