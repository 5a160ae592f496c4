import StintAuthoring
import StintFormats
import StintGovernor
import StintLanguage
import StintModel
import StintRuntime
import StintServices
import StintTestSupport
import StintTools
import StintUnits
import Testing

/// Checks how attribute values reach a device, and that estimates of energy include the power of
/// these values.
@Suite("Sources of attribute values")
struct AttributeEntryTests {
  private let temporaryFiles = TemporaryFiles()

  private static let manifest = """
    {"stint_manifest": 2, "device": "bench.adc", "kind": "sensor", "title": "converter", "vendor": "example",
     "states": [{"name": "off", "power": "0 W", "on": false}, {"name": "on", "power": "1 mW", "on": true}],
     "transitions": [["off", "on"], ["on", "off"]], "initial": "off", "safe": "off",
     "verbs": ["start", "stop", "pause", "downgrade"],
     "attributes": [
       {"name": "rate", "unit": "Hz", "range": ["1 per h", "10 Hz"], "default": "1 per 10 s"},
       {"name": "gain", "values": [{"value": "low"}, {"value": "mid", "power": "2 mW"},
                                   {"value": "high", "power": "5 mW"}], "default": "low"},
       {"name": "boost", "values": [{"value": "false"}, {"value": "true", "power": "3 mW"}]},
       {"name": "window", "unit": "ms", "range": ["10 ms", "110 ms"], "power": ["0 W", "10 mW"]}],
     "channels": [{"name": "level", "unit": "V"}],
     "facts": [{"name": "level", "unit": "V", "range": ["0 V", "10 V"], "max_age": "10 min"}]}
    """

  private func manifest() throws -> Manifest {
    try ManifestReader.manifest(of: Array(Self.manifest.utf8), source: "adc.json")
  }

  private func policy(_ rules: String, name: String = "adc") -> String {
    "policy \"\(name)\" version 1\nuse bench.adc as adc\n\(rules)\n"
  }

  private func joules(_ policies: [String], client: String) throws -> Double? {
    let folder = temporaryFiles.path("manifests")
    try Folder.make(folder)
    try FileText.write(Array(Self.manifest.utf8), to: folder + "/adc.json")
    let scenario = try temporaryFiles.file(
      "adc-scenario.json",
      """
      {"stint_scenario": 1, "name": "adc", "start": "2026-05-16T00:00:00Z", "duration": "1 h",
       "world": {"origin": [47, 8]}, "clients": [{"name": "app", \(client)}]}
      """)
    let paths = try policies.enumerated().map { try temporaryFiles.file("\($0.offset).stint", $0.element) }
    let report = try SimulationRun(
      SimulationRequest(policies: paths, scenario: scenario, manifests: folder)
    ).run().report
    return report.ledger.byDevice["bench.adc"].map { Double($0.nanojoules) / 1e9 }
  }

  private let plain = "\"demands\": [{\"target\": \"bench.adc\"}]"

  @Test("when two policies set defaults of an attribute, the cheaper value applies in either order")
  func cheaperDefault() throws {
    let high = policy("default adc { gain high  window 10 ms }", name: "first")
    let mid = policy("default adc { gain mid  window 60 ms }", name: "second")
    #expect(try joules([high], client: plain) == 3.6 * 6)
    #expect(try joules([high, mid], client: plain) == 3.6 * 3)
    #expect(try joules([mid, high], client: plain) == 3.6 * 3)
  }

  @Test(
    "a `samples` service of a scenario sets attributes, and an unknown attribute is refused before the run"
  )
  func service() throws {
    func samples(_ attributes: String) -> String {
      "\"permission\": \"always\", \"background\": true, "
        + "\"services\": [{\"kind\": \"samples\", \"name\": \"s\", \"with\": "
        + "{\"device\": \"bench.adc\", \"attributes\": {\(attributes)}}}]"
    }
    #expect(try joules([policy("")], client: samples("\"gain\": \"high\"")) == 3.6 * 6)
    #expect(try joules([policy("")], client: samples("\"boost\": true")) == 3.6 * 4)
    let problem = #expect(throws: Problem.self) {
      try joules([policy("")], client: samples("\"gian\": \"high\""))
    }
    #expect("\(problem!)".contains("bench.adc has no attribute “gian”"), "\(problem!)")
  }

  @Test("the board refuses a request for an attribute or value that the device does not support")
  func refused() throws {
    var board = ServiceBoard(Vocabulary(manifests: [try manifest()]), at: .epoch)
    let attach = ServiceInput.attach("app", permissions: Permissions(.always), mayBackground: true)
    _ = board.step([attach], at: .epoch)
    func reply(_ attributes: AttributeValues) -> String {
      var wants = DemandSettings()
      wants.attributes = attributes
      let requests: [any ServiceRequest] = [
        RawSamples("bench.adc", wants: wants), SampleRequest(DemandID(7), target: "bench.adc", wants: wants),
      ]
      let replies = requests.enumerated().flatMap { number, request in
        board.step([.ask(ServiceID("app", "\(attributes)\(number)"), request, receivers: .both)], at: .epoch)
      }.compactMap { effect in
        switch effect {
        case .refused(_, let failure): "\(failure.code.rawValue): \(failure.sentence)"
        case .accepted: "accepted"
        default: nil as String?
        }
      }
      return replies.joined(separator: ", ")
    }
    #expect(reply(["gain": "high", "window": "60 ms"]) == "accepted, accepted")
    let unknown = "invalid: bench.adc has no attribute “gian”; it has gain, boost, window"
    #expect(reply(["gian": "high"]) == "\(unknown), \(unknown)")
    let beyond = "invalid: bench.adc does not support window 1 s"
    #expect(reply(["window": "1 s"]) == "\(beyond), \(beyond)")
  }

  @Test("the predicted energy of readings includes the power of default attributes")
  func predicted() throws {
    let vocabulary = Vocabulary(manifests: [try manifest()])
    func nanojoules(_ rules: String) throws -> Int128 {
      let text = policy("rule low when adc.level < 2 V { emit \"low\" }\n\(rules)")
      let checked = Checker.check([SourceText(file: "adc.stint", text: text)], vocabulary: vocabulary)
      try #require(!checked.diagnostics.contains { $0.severity == .error })
      let need = try #require(ReadingNeed.all(checked.policies, vocabulary: vocabulary).first)
      return need.maxPerDay.nanojoules
    }
    #expect(try nanojoules("") == 86_400_000_000)
    // The device draws 1 mW, `gain` adds 5 mW, and `window` in the middle of its range adds 5 mW.
    #expect(try nanojoules("default adc { gain high  window 60 ms }") == 950_400_000_000)
  }

  @Test("a warning states that a downgrade to the most expensive value has no effect")
  func noEffect() throws {
    let vocabulary = Vocabulary(manifests: [try manifest()])
    func titles(_ values: String) -> [String] {
      let text = policy("rule r while adc.level < 2 V { downgrade adc to { \(values) } }")
      return PolicyCheck([SourceText(file: "adc.stint", text: text)], vocabulary: vocabulary).diagnostics
        .map(\.title)
    }
    #expect(
      titles("gain high").contains(
        "this has no effect: gain high is the most expensive value of bench.adc"))
    #expect(!titles("gain mid").contains { $0.contains("no effect") })
    #expect(!titles("gain high  window 60 ms").contains { $0.contains("no effect") })
  }

  @Test("values that a process receives without dimensions get the dimensions of the manifest")
  func received() throws {
    let values: AttributeValues = ["window": 0.06, "boost": true, "gain": "high"]
    #expect(
      try manifest().withDimensions(values)
        == ["window": "60 ms", "boost": .word("true"), "gain": "high"])
  }
}
