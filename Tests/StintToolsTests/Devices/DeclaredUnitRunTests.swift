import StintFormats
import StintLanguage
import StintModel
import StintRuntime
import StintServices
import StintTestSupport
import StintUnits
import Testing

@testable import StintTools

/// Tests units that a scenario or site declares for its own facts.
@Suite("Units of declared facts")
struct DeclaredUnitRunTests {
  private let temporaryFiles = TemporaryFiles()

  private static let units = """
    "units": [{"symbol": "AQI", "dimension": "1"}, {"symbol": "uS/cm", "dimension": "A/V/m", "factor": 0.0001}],
    "declares": [{"name": "city.index", "unit": "AQI", "range": ["0 AQI", "500 AQI"]},
                 {"name": "city.salt", "unit": "uS/cm", "range": ["0 uS/cm", "2000 uS/cm"]}]
    """

  private static let policy = """
    policy "city" version 1
    use location.gnss as gps
    param most = 500 uS/cm in 100 uS/cm .. 900 uS/cm
    rule bad while city.index > 100 AQI { stop gps }
    rule salty while city.salt > most { downgrade gps to 1 per min }
    """

  private func scenario(_ units: String = Self.units) throws -> String {
    try temporaryFiles.file(
      "city.json",
      """
      {"stint_scenario": 1, "name": "city", "start": "2026-05-16T00:00:00Z", "duration": "1 h",
       "world": {"origin": [47, 8]}, "devices": ["location.gnss"], \(units),
       "clients": [{"name": "app", "demands": [{"target": "location.gnss"}]}],
       "facts": [{"at": "30 min", "set": {"city.index": "140 AQI", "city.salt": "600 uS/cm"}}]}
      """)
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try FileText.read(path), as: UTF8.self)
  }

  @Test("a policy reads declared facts in their units, and the journal replays to the same decisions")
  func run() throws {
    let journal = temporaryFiles.path("journal")
    let report = try SimulationRun(
      SimulationRequest(
        policies: [try temporaryFiles.file("city.stint", Self.policy)], scenario: try scenario(),
        journal: journal)
    ).run().report
    let replay = try ReplayReport(journal: journal)
    #expect(replay.isWhole && replay.decisionLogHash == report.decisionLogHash && replay.otherImages == 0)
    let late = try WhyQuery.report("location.gnss", at: "00:45", journal: journal).text
    #expect(late.contains("stopped; by city/bad, city/salty"), "\(late)")
    #expect(late.contains("ends when city.index is at most 100 AQI"), "\(late)")
    #expect(late.contains("ends when city.salt is at most 500 uS/cm"), "\(late)")
    let early = try WhyQuery.report("location.gnss", at: "00:15", journal: journal).text
    #expect(early.contains("served, by location.gnss"), "\(early)")
  }

  @Test("the journal text of declared facts has their units and is read back as the same facts")
  func journalText() throws {
    func facts(_ text: String) throws -> [FactSchema] {
      try ScenarioReader.scenario(of: Array(text.utf8), source: "city.json", requests: .all).declares
    }
    let declared = try facts(try text(scenario()))
    #expect(declared.map(\.unit?.symbol) == ["AQI", "uS/cm"])
    #expect(try facts(DeclaredFacts.journalText(declared)) == declared)
    let site = """
      {"stint_site": 1, "plugins": [], \(Self.units)}
      """
    let read = try SiteReader.site(
      of: Array(site.utf8), source: "site.json", plugins: [], requests: .all, mayBeEmpty: true)
    #expect(read.declares == declared)
    #expect(try facts(read.journalText) == declared)
  }

  @Test(
    "a wrong unit is refused with the cause",
    arguments: [
      ("\"AQI\", \"dimension\"", "\"ppm\", \"dimension\"", "“ppm” is already a unit of the language"),
      ("A/V/m", "A/V/x", "“A/V/x” is not a product of units"),
      ("\"uS/cm\", \"dimension\"", "\"AQI\", \"dimension\"", "two units have the symbol “AQI”"),
    ])
  func wrong(old: String, new: String, cause: String) throws {
    let text = try text(scenario(Self.units.replacing(old, with: new)))
    let problem = try #require(throws: Problem.self) {
      try ScenarioReader.scenario(of: Array(text.utf8), source: "city.json", requests: .all)
    }
    #expect("\(problem)".contains(cause), "\(problem)")
  }

  @Test("a unit that a manifest and a “declares” list define with different factors is a conflict")
  func conflict() throws {
    let unit = MeasureUnit(symbol: "AQI", dimension: .none, scale: 2)
    var manifest = Manifest(device: "air.probe", kind: .sensor, title: "")
    manifest.units = [unit]
    var fact = FactSchema(path: "city.index", type: .quantity(.none))
    fact.unit = unit
    #expect(Vocabulary(manifests: [manifest], declared: [fact]).unitConflict == nil)
    fact.unit = MeasureUnit(symbol: "AQI", dimension: .none, scale: 1)
    let problem = Vocabulary(manifests: [manifest], declared: [fact]).unitConflict
    #expect(
      problem?.cause
        == "air.probe and the file with “declares” declare the unit with different dimensions or factors")
  }

  @Test("a parameter in a declared unit is tuned in this unit")
  func tuned() throws {
    let unit = try #require(MeasureUnit(symbol: "uS/cm", product: "A/V/m", factor: 0.0001))
    let source = SourceText(file: "city.stint", text: Self.policy)
    let parameter = try #require(TunedParameter.all(of: source, units: UnitTable([unit])).first)
    #expect(parameter.choices.count > 20)
    #expect(parameter.choices.allSatisfy { $0.text.hasSuffix(" uS/cm") })
    #expect(parameter.choices.first?.text == "100 uS/cm" && parameter.choices.last?.text == "900 uS/cm")
    #expect(TunedParameter.all(of: source, units: .standard).isEmpty)
  }

  @Test("the dimension of each unit, written as a product of units, is read back unchanged")
  func products() {
    for unit in MeasureUnit.all where unit.dimension != .ratio {
      let read = MeasureUnit(symbol: "x", product: unit.dimension.product, factor: 1)
      #expect(read?.dimension == unit.dimension, "\(unit.symbol): \(unit.dimension.product)")
    }
  }
}
