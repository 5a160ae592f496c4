import StintCompiler
import StintLanguage
import StintMachine
import StintModel
import Testing

/// Tests the analyses of per-demand rules, which read `client.*`. The analyses assume that a client can
/// request any settings.
@Suite struct ClientAnalysisTests {
  private let vocabulary = TrialDevices.vocabulary

  private func check(_ body: String) throws -> (policies: [CheckedPolicy], found: [Finding]) {
    let checked = Checker.check([RandomConflict.source(body)], vocabulary: vocabulary)
    let errors = checked.diagnostics.filter { $0.severity == .error }
    try #require(errors.isEmpty, "\(errors.map(\.title)) in \(body)")
    return (checked.policies, Analysis.run(checked.policies, vocabulary: vocabulary))
  }

  @Test(
    "for a policy with per-demand rules, the analyses report exactly the expected findings",
    arguments: [
      // Two limits that exclude each other, and two limits that can both apply.
      ("rule r while client.accuracy > 100 m and client.accuracy < 50 m { pause gps }", ["W0302"]),
      ("rule r while client.accuracy > 50 m and client.accuracy < 100 m { pause gps }", []),
      ("rule r while client.latency >= 1 min and screen.on and not screen.on { pause gps }", ["W0302"]),
      // A client has exactly one name.
      ("rule r while client.name == \"a\" and client.name == \"b\" { pause gps }", ["W0302"]),
      ("rule r while client.name == \"a\" or client.name == \"b\" { pause gps }", []),
      ("rule r while client.name == \"a\" or client.name != \"a\" { pause gps }", ["W0303"]),
      (
        "rule a while client.name == \"a\" { downgrade gps to 100 m }\nrule b while client.name in [\"a\", \"b\"] { downgrade gps to 200 m }",
        ["W0306"]
      ),
      (
        "rule a while client.name == \"a\" { downgrade gps to 100 m }\nrule b over a while client.name == \"b\" { downgrade gps to 50 m }",
        ["W0307"]
      ),
      // A rule for all demands can make a rule for some demands ineffective; the reverse is not possible.
      (
        "rule low while battery.level < 20 % and client.accuracy > 50 m { pause gps }\nrule all while battery.level < 30 % { stop gps except \"sos\" }",
        []
      ),
      (
        "rule low while battery.level < 20 % and client.accuracy > 50 m { downgrade gps to 100 m }\nrule all while battery.level < 30 % { downgrade gps to 200 m }",
        ["W0306"]
      ),
      (
        "rule low while battery.level < 30 % and client.accuracy > 50 m { downgrade gps to 200 m }\nrule all while battery.level < 20 % { downgrade gps to 100 m }",
        []
      ),
      (
        "rule a while client.accuracy > 100 m and battery.level < 20 % { downgrade gps to 100 m }\nrule b while client.accuracy > 50 m and battery.level < 20 % { downgrade gps to 200 m }",
        ["W0306"]
      ),
      // A client that is stopped because of its settings can request other settings, so the rule is no dead
      // end.
      ("rule r while client.accuracy < 10 m { stop gps }", []),
      ("rule r while client.name == \"logger\" { stop gps }", []),
      ("rule r while client.name == \"logger\" and gps.accuracy > 50 m { stop gps }", ["P0601"]),
      // This `start` specifies no accuracy. So `client.accuracy > 50 m` is not true for its demand, and the
      // stop does not apply to this demand.
      (
        "rule go while screen.on { start gps for \"map\" }\nrule halt while client.accuracy > 50 m { stop gps }",
        []
      ),
    ])
  func decided(_ body: String, _ codes: [String]) throws {
    let (policies, found) = try check(body)
    let relevant = found.filter { ![.flapping].contains($0.diagnostic.code) }
    #expect(relevant.map(\.diagnostic.code.name) == codes, "\(found.map(\.diagnostic.title))")
    guard let witness = relevant.first(where: { $0.diagnostic.code == .shadowed })?.witness else { return }
    let image = try #require(Compiler.compileForDemands(policies, vocabulary: vocabulary))
    let known = vocabulary.computing(policies.flatMap(\.computed))
    let stage = WitnessStage(try ImageVerifier.verify(image), of: policies, vocabulary: known, witness)
    #expect(stage.isActive(image.rules[0].id.rule), "\(witness)")
  }

  @Test(
    "if a policy difference concerns only some clients, the report names the fact that selects these clients")
  func difference() throws {
    let old = "rule low while battery.level < 20 % and client.accuracy >= 50 m { pause gps }"
    let new = "rule low while battery.level < 20 % and client.accuracy >= 80 m { pause gps }"
    let difference = PolicyDifference(
      from: try check(old).policies, to: try check(new).policies, vocabulary: vocabulary)
    let text = difference.regions.flatMap(\.conditions).joined(separator: ", ")
    #expect(text.contains("client.accuracy"), "\(text)")
  }
}
