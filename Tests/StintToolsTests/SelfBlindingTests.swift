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
      "rule r while place.on { stop gps }",
      "rule r while place.speed < 1 m/s for 2 min { downgrade gps to 100 m }",
      "rule r while place.speed < 1 m/s { downgrade gps to 3 km }\nrule s always { start place }",
    ])
  func others(rule: String) throws { #expect(try !Self.codes(rule).contains("W0310")) }

  @Test("no shipped policy turns off a device on which its own condition depends")
  func shipped() throws {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    for source in try PolicyFiles.read([Repository.path("policies")]) {
      let check = PolicyCheck([source], vocabulary: vocabulary)
      #expect(!check.diagnostics.contains { $0.code.name == "W0310" }, "\(source.file)")
    }
  }
}
