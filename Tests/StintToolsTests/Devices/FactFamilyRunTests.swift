import StintCompiler
import StintFormats
import StintLanguage
import StintMachine
import StintModel
import StintRuntime
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite("Families of facts in manifests, policies and simulations")
struct FactFamilyRunTests {
  private let temporaryFiles = TemporaryFiles()

  static let reader = """
    {"stint_manifest": 2, "device": "dock.reader", "kind": "source", "title": "tag reader",
     "facts": [{"name": "tag.*", "unit": "m", "range": ["0 m", "50 m"], "keys": 4, "max_age": "2 h"},
               {"name": "open", "boolean": true}]}
    """

  private static let policy = """
    policy "dock" version 1
    use location.gnss as gps
    use dock.reader as dock
    rule near while dock.tag.4711 < 2 m { downgrade gps to 100 m }
    rule seen while known(dock.reader.tag.1_a) { downgrade gps to 50 m }
    test "near applies below 2 m" {
      given dock.tag.4711 = 5 m
      at 0 s attach "app" on gps with { accuracy 10 m }
      at 1 min set dock.tag.4711 = 1 m
      expect gps.on at 30 s
      expect dock.tag.4711 < 2 m at 2 min because near
    }
    """

  private func manifest(_ old: String = "", _ new: String = "") throws -> Manifest {
    let text = old.isEmpty ? Self.reader : Self.reader.replacing(old, with: new)
    return try ManifestReader.manifest(of: Array(text.utf8), source: "reader.json")
  }

  private func vocabulary() throws -> Vocabulary {
    let gps = try FileText.read(Repository.path("Plugins/Gpsd/manifest.json"))
    return Vocabulary(manifests: [
      try manifest(), try ManifestReader.manifest(of: Array(gps), source: "gps.json"),
    ])
  }

  @Test("a manifest declares a family with its number of keys; a short name gets the name of the device")
  func reading() throws {
    let family = try #require(try manifest().facts.first)
    #expect(family.path == "dock.reader.tag.*" && family.keys == 4 && family.range == 0...50)
    #expect(try manifest("\"tag.*\"", "\"yard.tag.*\"").facts.first?.path == "yard.tag.*")
  }

  @Test(
    "a family with a wrong number of keys, a wrong name, or in a manifest of version 1 is refused",
    arguments: [
      ("\"keys\": 4", "\"keys\": 0", "256"), ("\"keys\": 4", "\"keys\": 257", "256"),
      ("\"keys\": 4, ", "", "is not a name of words joined by dots"),
      ("\"tag.*\"", "\"tag\"", "only a family of facts, such as “tag.*”, has “keys”"),
      ("\"tag.*\"", "\"*\"", "is not a name of words joined by dots"),
      ("\"stint_manifest\": 2", "\"stint_manifest\": 1", "version 1 of the format has no families of facts"),
    ])
  func refused(old: String, new: String, cause: String) throws {
    let problem = try #require(throws: Problem.self) { try manifest(old, new) }
    #expect("\(problem)".contains(cause), "\(problem)")
  }

  @Test("check knows the type, the unit and the range of each key")
  func check() throws {
    func text(_ old: String, _ new: String) throws -> String {
      let source = SourceText(file: "dock.stint", text: Self.policy.replacing(old, with: new))
      return PolicyCheck([source], vocabulary: try vocabulary()).text()
    }
    #expect(try text("dock.tag.4711 < 2 m {", "dock.tag.4711 < 2 s {").contains("length"))
    #expect(
      try text("set dock.tag.4711 = 1 m", "set dock.tag.4711 = 60 m").contains("its range is 0 m to 50 m"))
    #expect(try text("dock.tag.4711 < 2 m {", "dock.tags.4711 < 2 m {").contains("dock.tags.4711"))
    #expect(try text("dock.tag.4711 < 2 m {", "dock.tag.4711.x < 2 m {").contains("dock.tag.4711.x"))
  }

  @Test("a policy about keys is checked, formatted and tested")
  func life() throws {
    let vocabulary = try vocabulary()
    let source = SourceText(file: "dock.stint", text: Self.policy + "\n")
    let check = PolicyCheck([source], vocabulary: vocabulary)
    let hasErrors = check.hasErrors
    #expect(!hasErrors, "\(check.text())")
    let formatted = try #require(PolicyFormatting(source).text)
    #expect(formatted.contains("rule seen while known(dock.reader.tag.1_a) {"))
    let tests = try PolicyTests([source], vocabulary: vocabulary).run()
    #expect(tests.outcomes.count == 1 && tests.failures == 0, "\(tests.text())")
  }

  @Test("an image of a policy about keys loads again, but not for a device without the family")
  func image() throws {
    let vocabulary = try vocabulary()
    let source = SourceText(file: "dock.stint", text: Self.policy)
    let checked = Checker.check([source], vocabulary: vocabulary)
    let file = Compiler.file(checked.policies, sources: [source], vocabulary: vocabulary)
    let read = try ImageFile(file.bytes)
    #expect(read == file)
    _ = try ImageVerifier.verify(read, vocabulary: vocabulary)
    var manifests = vocabulary.manifests
    for index in manifests.indices { manifests[index].facts.removeAll(where: \.isFamily) }
    #expect(throws: Problem.self) {
      try ImageVerifier.verify(read, vocabulary: Vocabulary(manifests: manifests))
    }
  }

  @Test("a line of facts sets the fact of a key that the policy names")
  func evaluation() throws {
    let path = try temporaryFiles.file("dock.stint", Self.policy)
    var evaluation = try PolicyEvaluation(
      policies: [path], vocabulary: try vocabulary(), timeZone: nil, isIncremental: true)
    func line(_ text: String) throws -> String { try evaluation.decide(Array(text.utf8)[...]) }
    let far = try line(#"{"at": 1, "facts": {"dock.tag.4711": "3 m"}}"#)
    let near = try line(#"{"at": 2, "facts": {"dock.tag.4711": "1 m"}}"#)
    #expect(!far.contains("near") && near.contains("near"), "\(far)\n\(near)")
  }

  @Test("a simulation publishes the keys that the scenario names in “values” and in “facts”")
  func simulation() throws {
    let folder = temporaryFiles.path("manifests")
    try Folder.make(folder)
    try FileText.write(Array(Self.reader.utf8), to: folder + "/reader.json")
    try FileText.write(
      try FileText.read(Repository.path("Plugins/Gpsd/manifest.json")), to: folder + "/gps.json")
    let path = try temporaryFiles.file("dock.stint", Self.policy + "\n")
    let scenario = try temporaryFiles.file(
      "dock-scenario.json",
      """
      {"stint_scenario": 1, "name": "dock", "start": "2026-05-16T00:00:00Z", "duration": "2 h",
       "world": {"origin": [47, 8]},
       "clients": [{"name": "app", "demands": [{"target": "location.gnss", "with": {"accuracy": "5 m"}}]}],
       "facts": [{"at": "90 min", "set": {"dock.reader.tag.1_a": "7 m"}}],
       "values": [{"of": "dock.reader.tag.4711",
                   "steps": [{"at": "0 s", "to": "20 m"}, {"at": "1 h", "to": "1 m"}]}]}
      """)
    let request = SimulationRequest(policies: [path], scenario: scenario, manifests: folder)
    let report = try SimulationRun(request).run().report
    #expect(report.refusals.isEmpty, "\(report.refusals)")
    for (rule, minutes) in [("near", 60), ("seen", 30)] as [(String, Int64)] {
      let found = try #require(report.rules[RuleID(policy: "dock", rule: rule)])
      #expect(found.activations == 1)
      let difference = found.inForce - .minutes(minutes)
      #expect(max(difference, TimeSpan.zero - difference) <= .minutes(2), "\(rule): \(found.inForce)")
    }
  }
}
