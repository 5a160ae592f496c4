import StintFormats
import StintModel
import StintRuntime
import StintTestSupport
import StintTools
import StintUnits
import Testing

/// Simulated devices whose manifests provide the role of a carrier.
@Suite struct SimulatedCarrierTests {
  private let temporaryFiles = TemporaryFiles()

  private static let modem = """
    {"stint_manifest": 1, "device": "modem.link", "kind": "radio", "title": "modem", "vendor": "example",
     "provides": ["transfers", "carrier"],
     "states": [{"name": "off", "power": "0 W", "on": false}, {"name": "active", "power": "1 W", "on": true}],
     "transitions": [["off", "active"], ["active", "off"]], "initial": "off", "safe": "off",
     "verbs": ["defer", "batch", "flush"], "figures": {"link_rate": "10 kB/s"}}
    """
  private static let carrier = """
    {"stint_manifest": 1, "device": "net.mover", "kind": "source", "title": "mover", "vendor": "example",
     "provides": ["carrier"]}
    """

  @Test("a simulation runs with a radio that carries, and with a carrier that is no radio")
  func simulated() throws {
    let folder = temporaryFiles.path("manifests")
    try Folder.make(folder)
    try FileText.write(Array(Self.modem.utf8), to: folder + "/modem.json")
    try FileText.write(Array(Self.carrier.utf8), to: folder + "/mover.json")
    let policy = try temporaryFiles.file(
      "modem.stint",
      """
      policy "modem" version 1
      use modem.link as link
      rule pack always { batch link until 10 min }
      """)
    let scenario = try temporaryFiles.file(
      "modem-scenario.json",
      """
      {"stint_scenario": 1, "name": "modem", "start": "2026-05-16T00:00:00Z", "duration": "1 h",
       "world": {"origin": [47, 8]},
       "clients": [{"name": "mail", "transfers": [
         {"target": "modem.link", "first": "1 min", "every": "5 min", "count": 6, "up": "1 kB"}]}]}
      """)
    let report = try SimulationRun(
      SimulationRequest(policies: [policy], scenario: scenario, manifests: folder)
    ).run().report
    #expect(report.ledger.byDevice["modem.link"].map { $0.nanojoules > 0 } == true)
  }
}
