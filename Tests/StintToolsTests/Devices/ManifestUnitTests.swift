import StintFormats
import StintLanguage
import StintModel
import StintRuntime
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite("Units of manifests of version 2")
struct ManifestUnitTests {
  private let temporaryFiles = TemporaryFiles()

  /// A sensor of air quality with units of the language and two units that its manifest declares. One of
  /// these two (AQI) has no dimension.
  static let air = """
    {"stint_manifest": 2, "device": "air.quality", "kind": "sensor", "title": "air sensor", "vendor": "example",
     "version": "1.4", "author": "A. Maker", "licence": "MIT", "roles": ["air_quality"],
     "units": [{"symbol": "uS/cm", "dimension": "A/V/m", "factor": 0.0001},
               {"symbol": "AQI", "dimension": "1"}],
     "states": [{"name": "off", "power": "0 W", "on": false}, {"name": "on", "power": "9 mW", "on": true}],
     "transitions": [["off", "on"], ["on", "off"]], "initial": "off", "safe": "off",
     "verbs": ["start", "stop", "pause", "downgrade"],
     "attributes": [{"name": "rate", "unit": "Hz", "range": ["1 per h", "1 Hz"], "default": "1 per min"}],
     "channels": [{"name": "conductivity", "unit": "uS/cm"}],
     "facts": [{"name": "co2", "unit": "ppm", "range": ["0 ppm", "5000 ppm"], "max_age": "10 min"},
               {"name": "dust", "unit": "µg/m³", "range": ["0 µg/m³", "1000 ug/m3"], "max_age": "10 min"},
               {"name": "pressure", "unit": "hPa", "range": ["300 hPa", "1.1 kPa"], "max_age": "10 min"},
               {"name": "index", "unit": "AQI", "range": ["0 AQI", "500 AQI"], "max_age": "10 min"},
               {"name": "conductivity", "unit": "uS/cm", "range": ["0 uS/cm", "2000 uS/cm"], "max_age": "10 min"}]}
    """.replacing("1.1 kPa", with: "110 kPa")

  private static let policy = """
    policy "air" version 1
    use air.quality as air
    rule stale while air.co2 > 800 ppm or air.dust > 35 ug/m3 { downgrade air to 1 per 30 s }
    rule salty while air.conductivity above 500 uS/cm { downgrade air to 1 per 5 min }
    rule bad while air.index > 100 AQI and air.pressure < 1000 hPa { downgrade air to 1 per 10 min }
    test "stale, bad and salty apply beyond their limits" {
      at 0 s attach "app" on air with { rate 1 per 10 s }
      expect air.co2 > 800 ppm at 5 min because stale
      expect air.index > 100 AQI at 5 min because bad
      expect air.conductivity > 500 uS/cm at 5 min because salty
    }
    """

  private static let values = """
    {"of": "air.quality.co2", "constant": "900 ppm"}, {"of": "air.quality.dust", "constant": "40 µg/m³"},
    {"of": "air.quality.index", "constant": "140 AQI"}, {"of": "air.quality.pressure", "constant": "990 hPa"},
    {"of": "air.quality.conductivity", "constant": "600 uS/cm"}
    """

  private func manifest(_ old: String = "", _ new: String = "") throws -> Manifest {
    let text = old.isEmpty ? Self.air : Self.air.replacing(old, with: new)
    return try ManifestReader.manifest(of: Array(text.utf8), source: "air.json")
  }

  @Test("quantities in units of the language and in declared units are converted to base units")
  func values() throws {
    let manifest = try manifest()
    func range(_ name: String) -> ClosedRange<Double>? {
      manifest.facts.first { $0.path == "air.quality.\(name)" }?.range
    }
    #expect(range("co2") == 0...0.005)
    #expect(range("dust") == 0...(try Quantity(parsing: "1000 ug/m3").value))
    #expect(range("pressure") == 30_000...110_000)
    #expect(range("index") == 0...500)
    #expect(range("conductivity") == 0...0.2)
    let fact = try #require(manifest.facts.last)
    #expect(fact.value(from: "600 uS/cm") == .number(0.06))
    #expect(fact.text(of: .number(0.06)) == "600 uS/cm")
    #expect(manifest.facts[0].text(of: .number(0.0008)) == "800 ppm")
    #expect(manifest.about.version == "1.4" && manifest.about.author == "A. Maker")
    #expect(manifest.about.licence == "MIT" && manifest.about.roles == ["air_quality"])
  }

  @Test("a policy in declared units is checked, formatted, tested and simulated with only the manifest")
  func life() throws {
    let folder = temporaryFiles.path("manifests")
    try Folder.make(folder)
    try FileText.write(Array(Self.air.utf8), to: folder + "/air.json")
    let path = try temporaryFiles.file("air.stint", Self.policy + "\n")
    let scenario = try temporaryFiles.file(
      "air-scenario.json",
      """
      {"stint_scenario": 1, "name": "air", "start": "2026-05-16T00:00:00Z", "duration": "1 h",
       "world": {"origin": [47, 8]},
       "clients": [{"name": "app", "demands": [{"target": "air.quality"}]}], "values": [\(Self.values)]}
      """)
    let vocabulary = try PolicyDevices(site: nil, manifests: folder, linked: []).vocabulary
    let sources = try PolicyFiles.read([path])
    let check = PolicyCheck(sources, vocabulary: vocabulary)
    let hasErrors = check.hasErrors
    #expect(!hasErrors, "\(check.text())")
    #expect(PolicyFormatting(sources[0], units: vocabulary.units).text != nil)
    #expect(PolicyFormatting(sources[0]).text == nil)
    let tests = try PolicyTests(
      sources, vocabulary: vocabulary, circumstances: try TestCircumstances(scenario: scenario)
    ).run()
    #expect(tests.outcomes.count == 1 && tests.failures == 0, "\(tests.text())")
    let request = SimulationRequest(policies: [path], scenario: scenario, manifests: folder)
    let rules = try SimulationRun(request).run().report.rules
    #expect(rules.values.map(\.activations) == [1, 1, 1])
  }

  @Test(
    "wrong units, a role of two words, and keys of version 2 in a manifest of version 1 are refused",
    arguments: [
      ("\"A/V/m\"", "\"A/volt\"", "is not a product of units"),
      ("0.0001", "0", "the factor must be above 0"),
      ("\"symbol\": \"AQI\"", "\"symbol\": \"kg\"", "is already a unit of the language"),
      ("\"symbol\": \"AQI\"", "\"symbol\": \"uS/cm\"", "two units have the symbol"),
      ("\"symbol\": \"AQI\"", "\"symbol\": \"A Q\"", "is not one or two words of ASCII letters"),
      ("\"stint_manifest\": 2", "\"stint_manifest\": 1", "version 1 of the format has no “units”"),
      ("\"unit\": \"ppm\"", "\"unit\": \"pp\"", "no unit is spelled “pp”"),
      ("\"air_quality\"", "\"air quality\"", "is not one word"),
    ])
  func refused(old: String, new: String, cause: String) throws {
    let problem = try #require(throws: Problem.self) { try manifest(old, new) }
    #expect("\(problem)".contains(cause), "\(problem)")
  }

  @Test("two manifests that declare the same unit symbol with different factors cannot be used together")
  func conflict() throws {
    let other = try manifest("\"factor\": 0.0001", "\"factor\": 0.001")
    var renamed = other
    renamed.device = "water.quality"
    renamed.facts = []
    let conflict = Vocabulary(manifests: [try manifest(), renamed]).unitConflict
    #expect(
      conflict?.cause == "air.quality and water.quality declare the unit with different dimensions or factors"
    )
    renamed.units = try manifest().units
    #expect(Vocabulary(manifests: [try manifest(), renamed]).unitConflict == nil)
  }
}
