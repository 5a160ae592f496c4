import StintLanguage
import StintModel
import StintSimulation
import StintTestSupport
import StintTools
import Testing

@Suite("Rules that make their own conditions unknown")
struct SelfBlindingTests {
  private static func codes(_ rule: String) throws -> [String] {
    let text = "policy \"p\" version 1\nuse location.gnss as gps\nuse location.wifi as place\n\(rule)\n"
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    return PolicyCheck([SourceText(file: "p.stint", text: text)], vocabulary: vocabulary)
      .diagnostics.map(\.code.name)
  }

  @Test(
    "a rule is reported when its own condition needs a device that the rule replaces or turns off",
    arguments: [
      "rule r while gps.speed < 1 m/s for 2 min { downgrade gps to 100 m }",
      "rule r while screen.on and known(gps.speed) { downgrade gps to 100 m }",
      "rule r while avg(gps.speed, 5 min) < 1 m/s { downgrade gps to 1 km }",
      "rule r while gps.on { downgrade gps to 100 m }",
      "rule r while gps.on and screen.on { stop gps }",
      "rule r while gps.powered for 5 min { pause [gps, place] }",
      "rule r while place.speed < 1 m/s for 2 min { downgrade gps to 3 km }",
      "rule r while gps.speed < 1 m/s for 2 min { pause gps }",
      "rule r while motion.activity is still for 2 min { pause motion.accelerometer }",
      "rule r while screen.on and avg(gps.speed, 5 min) < 1 m/s { stop gps }",
    ])
  func selfBlinding(rule: String) throws { #expect(try Self.codes(rule).contains("W0310")) }

  @Test(
    "a rule that does not make its own condition unknown is not reported",
    arguments: [
      "rule r while gps.speed < 1 m/s for 2 min { downgrade gps to 20 m }",
      "rule r while gps.speed < 1 m/s or screen.on { downgrade gps to 100 m }",
      "rule r while motion.activity is still for 2 min { downgrade gps to 100 m }",
      "rule r when gps.speed < 1 m/s { downgrade gps to 100 m for 5 min }",
      "rule r while age(gps.speed) > 5 min { downgrade gps to 100 m }",
      "rule r while count(gps.accuracy, 90 s) < 3 { downgrade gps to 100 m }",
      "rule r while not gps.on { downgrade gps to 100 m }",
      "rule r while gps.on or screen.on { stop gps }",
      "rule r when gps.on for 2 min { stop gps for 5 min }",
      "rule r while gps.on in last 10 min { stop gps }",
      "rule r while gps.on { downgrade gps to 20 m }",
      "rule r while demanded(gps) { stop gps }",
      "rule r while gps.speed < 1 m/s or screen.on { pause gps }",
      "rule r while gps.speed < 1 m/s { pause gps except \"owner\" }",
      "rule r while place.speed < 1 m/s { pause gps }",
      "rule r while place.on { stop gps }",
      "rule r while place.speed < 1 m/s for 2 min { downgrade gps to 100 m }",
      "rule r while place.speed < 1 m/s { downgrade gps to 3 km }\nrule s always { start place }",
    ])
  func others(rule: String) throws { #expect(try !Self.codes(rule).contains("W0310")) }

  private static func machine(_ body: String) -> String {
    """
    machine m starts active {
      state active { goto idle when motion.activity is still for 5 min }
      state idle { \(body) }
    }
    """
  }

  @Test(
    "a state is reported when all its gotos need facts of a device that its `downgrade` turns off",
    arguments: [
      "downgrade gps to 100 m goto active when gps.speed > 2 m/s",
      "downgrade gps to 100 m goto active when gps.speed > 2 m/s for 10 s and screen.on",
      "downgrade gps to 3 km goto active when place.speed > 2 m/s goto active when gps.speed > 2 m/s",
      "downgrade gps to 3 km goto active when gps.on",
    ])
  func trap(body: String) throws {
    let found = try Self.codes(Self.machine(body)).filter { $0 == "W0310" || $0 == "P0601" }
    #expect(found == ["W0310"], "\(found)")
  }

  @Test(
    "a state with a goto that its `downgrade` leaves possible is not reported",
    arguments: [
      "downgrade gps to 20 m goto active when gps.speed > 2 m/s",
      "downgrade gps to 100 m goto active when gps.speed > 2 m/s goto active when screen.on",
      "downgrade gps to 100 m goto active when not known(gps.speed) for 10 min",
      "downgrade gps to 100 m goto active when place.speed > 2 m/s",
      "downgrade gps to 100 m goto active when motion.activity is walking",
      "downgrade gps to 100 m goto active when m is idle for 10 min",
      "downgrade gps to 100 m until gps.speed > 2 m/s goto active when gps.speed > 2 m/s",
      "downgrade gps to 100 m except \"owner\" goto active when gps.speed > 2 m/s",
      "downgrade gps to 100 m",
    ])
  func noTrap(body: String) throws {
    let found = try Self.codes(Self.machine(body)).filter { $0 == "W0310" || $0 == "P0601" }
    #expect(found.isEmpty, "\(found)")
  }

  @Test(
    "a state that cannot end because of its `stop` gives one error, even if it also has a `downgrade`"
  )
  func stopAndDowngrade() throws {
    let body = "stop gps downgrade gps to 100 m goto active when gps.speed > 2 m/s"
    let found = try Self.codes(Self.machine(body)).filter { $0 == "W0310" || $0 == "P0601" }
    #expect(found == ["P0601"], "\(found)")
  }

  @Test("no shipped policy turns off a device on which its own condition depends")
  func shipped() throws {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    for source in try PolicyFiles.read([Repository.path("policies")]) {
      let check = PolicyCheck([source], vocabulary: vocabulary)
      #expect(!check.diagnostics.contains { $0.code.name == "W0310" }, "\(source.file)")
    }
  }
}
