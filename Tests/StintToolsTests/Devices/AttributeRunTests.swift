import StintFormats
import StintGovernor
import StintLanguage
import StintModel
import StintRuntime
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite("Attributes of manifests of version 2 in policies")
struct AttributeRunTests {
  private let temporaryFiles = TemporaryFiles()

  private static let manifest = """
    {"stint_manifest": 2, "device": "bench.adc", "kind": "sensor", "title": "converter", "vendor": "example",
     "states": [{"name": "off", "power": "0 W", "on": false}, {"name": "on", "power": "1 mW", "on": true}],
     "transitions": [["off", "on"], ["on", "off"]], "initial": "off", "safe": "off",
     "verbs": ["start", "stop", "pause", "downgrade"],
     "attributes": [
       {"name": "rate", "unit": "Hz", "range": ["1 per h", "10 Hz"], "default": "1 per 10 s"},
       {"name": "gain", "values": [{"value": "high", "power": "5 mW"}, {"value": "low", "power": "0 W"},
                                   {"value": "mid", "power": "2 mW"}], "default": "low"},
       {"name": "window", "unit": "ms", "range": ["10 ms", "110 ms"], "power": ["0 W", "10 mW"]},
       {"name": "oversampling", "unit": "1", "values": [{"value": "1"}, {"value": "4", "power": "100 uW"}]},
       {"name": "chopped", "boolean": true, "default": false}],
     "channels": [{"name": "level", "unit": "V"}],
     "facts": [{"name": "level", "unit": "V", "range": ["0 V", "10 V"], "max_age": "10 min"}]}
    """

  private func folder(_ manifest: String = Self.manifest) throws -> String {
    let folder = temporaryFiles.path("manifests")
    try Folder.make(folder)
    try FileText.write(Array(manifest.utf8), to: folder + "/adc.json")
    return folder
  }

  private func policy(_ rules: String) -> String {
    "policy \"adc\" version 1\nuse bench.adc as adc\n\(rules)\n"
  }

  private func scenario(_ wants: String = "", more: String = "") throws -> String {
    try temporaryFiles.file(
      "adc-scenario.json",
      """
      {"stint_scenario": 1, "name": "adc", "start": "2026-05-16T00:00:00Z", "duration": "2 h",
       "world": {"origin": [47, 8]},
       "clients": [{"name": "app", "demands": [{"target": "bench.adc", "with": {\(wants)}}\(more)]}],
       "values": [{"of": "bench.adc.level", "steps": [{"at": "0 s", "to": "5 V"}, {"at": "1 h", "to": "1 V"}]}]}
      """)
  }

  private func run(_ rules: String, _ wants: String = "", more: String = "") throws -> SimulationReport {
    let path = try temporaryFiles.file("adc.stint", policy(rules))
    return try SimulationRun(
      SimulationRequest(policies: [path], scenario: try scenario(wants, more: more), manifests: try folder())
    ).run().report
  }

  private func joules(_ report: SimulationReport) -> Double? {
    report.ledger.byDevice["bench.adc"].map { Double($0.nanojoules) / 1e9 }
  }

  @Test("a device consumes the power of the values that a demand, a default or the manifest states")
  func power() throws {
    // 1 mW over 2 h.
    #expect(joules(try run("")) == 7.2)
    #expect(joules(try run("", "\"attributes\": {\"gain\": \"high\"}")) == 7.2 * 6)
    #expect(joules(try run("", "\"attributes\": {\"oversampling\": 4}")) == 7.92)
    // 60 ms is the middle of the window's range, so the window adds 5 mW to the 1 mW of the device.
    #expect(joules(try run("default adc { window 60 ms }")) == 7.2 * 6)
    #expect(joules(try run("default adc { window 60 ms }", "\"attributes\": {\"window\": \"10 ms\"}")) == 7.2)
  }

  @Test("a rule limits an attribute to a cheaper value while the rule is in force")
  func limited() throws {
    let rules = "rule quiet while adc.level < 2 V { downgrade adc to { gain low } }"
    // The device draws 6 mW for 1 h, then 1 mW, because the sample at 1 h is below 2 V.
    let report = try run(rules, "\"attributes\": {\"gain\": \"high\"}")
    #expect(joules(report) == 3.6 * 7)
    let idle = "rule quiet while adc.level < 2 V { downgrade adc to { gain high } }"
    #expect(joules(try run(idle, "\"attributes\": {\"gain\": \"mid\"}")) == 7.2 * 3)
  }

  @Test("a device that serves two demands uses the more expensive value of each attribute")
  func joined() throws {
    let more =
      ", {\"target\": \"bench.adc\", \"with\": {\"attributes\": {\"gain\": \"mid\", \"window\": \"110 ms\"}}}"
    #expect(joules(try run("", "\"attributes\": {\"gain\": \"high\"}", more: more)) == 7.2 * 16)
  }

  @Test(
    "a device with a `start` rule gets the attributes in the rule; the journal replays to equal decisions")
  func started() throws {
    let path = try temporaryFiles.file(
      "adc.stint", policy("rule burst while adc.level > 4 V { start adc with { gain mid  chopped true } }"))
    let journal = temporaryFiles.path("journal")
    let report = try SimulationRun(
      SimulationRequest(
        policies: [path], scenario: try scenario("\"attributes\": {\"window\": \"10 ms\"}"),
        journal: journal, manifests: try folder())
    ).run().report
    let replay = try ReplayReport(journal: journal)
    #expect(replay.isWhole && replay.decisionLogHash == report.decisionLogHash)
    #expect(replay.otherImages == 0)
    let text = try WhyQuery.report("bench.adc", at: "00:30", journal: journal).text
    #expect(text.contains("gain mid"), "\(text)")
  }

  @Test(
    "unsupported values, and unknown or repeated attributes, are refused with the cause",
    arguments: [
      ("default adc { gain medium }", "“gain” cannot be “medium”"),
      ("default adc { oversampling 3 }", "bench.adc does not support oversampling 3"),
      ("default adc { window 1 s }", "bench.adc does not support 1 s"),
      ("default adc { window 3 V }", "“window” is a time"),
      ("rule r always { downgrade adc to { rate 1 Hz } }", "has no attribute “rate” to limit"),
      ("rule r always { downgrade adc to { gian low } }", "has no attribute “gian” to limit"),
      ("rule r always { downgrade adc to { gain low  gain mid } }", "“gain” is set twice"),
    ])
  func refused(rules: String, cause: String) throws {
    let vocabulary = try PolicyDevices(site: nil, manifests: try folder(), linked: []).vocabulary
    let check = PolicyCheck([SourceText(file: "adc.stint", text: policy(rules))], vocabulary: vocabulary)
    #expect(check.diagnostics.contains { $0.title.contains(cause) }, "\(check.text())")
  }

  @Test("the canonical layout of a policy with attributes is stable")
  func formatted() throws {
    let text = policy(
      "default adc { gain mid  window 100 ms }\n\nrule quiet always { downgrade adc to { gain low  window 10 ms } }"
    )
    let once = try #require(PolicyFormatting(SourceText(file: "adc.stint", text: text)).text)
    #expect(PolicyFormatting(SourceText(file: "adc.stint", text: once)).text == once)
    #expect(once.contains("downgrade adc to { gain low  window 10 ms }"))
  }

  @Test("a demand of a scenario for an unknown attribute or value is refused before the run")
  func wanted() throws {
    for (wants, cause) in [
      ("\"gian\": \"low\"", "bench.adc has no attribute “gian”; it has gain, window, oversampling, chopped"),
      ("\"window\": \"1 s\"", "bench.adc does not support window 1 s"),
      ("\"gain\": 4", "bench.adc does not support gain 4"),
    ] {
      let problem = try #require(throws: Problem.self) { try run("", "\"attributes\": {\(wants)}") }
      #expect("\(problem)".contains(cause), "\(problem)")
    }
  }

  @Test(
    "a manifest with an invalid power or default of an attribute is refused",
    arguments: [
      ("{\"value\": \"low\", \"power\": \"0 W\"}", "{\"value\": \"high\"}", "“high” appears twice"),
      ("\"power\": \"5 mW\"", "\"power\": \"-5 mW\"", "negative"),
      ("[\"0 W\", \"10 mW\"]", "[\"0 W\"]", "two powers, for the two ends of the “range”"),
      ("\"default\": \"low\"", "\"default\": \"none\"", "expected one of low, mid, high"),
      (
        "\"range\": [\"1 per h\", \"10 Hz\"]",
        "\"range\": [\"1 per h\", \"10 Hz\"], \"power\": [\"0 W\", \"1 W\"]",
        "a manifest cannot give the power of single values of “rate”"
      ),
    ])
  func wrong(old: String, new: String, cause: String) throws {
    let text = Self.manifest.replacing(old, with: new)
    let problem = try #require(throws: Problem.self) {
      try ManifestReader.manifest(of: Array(text.utf8), source: "adc.json")
    }
    #expect("\(problem)".contains(cause), "\(problem)")
  }
}
