import StintModel
import StintReplay
import StintRuntime
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite("Simulated runs on the devices and facts of a site")
struct SiteRunTests {
  private let temporaryFiles = TemporaryFiles()

  private func site(_ declares: String) throws -> String {
    let descriptor = Repository.path("Plugins/Thermometer/plugin.json")
    return try temporaryFiles.file(
      "site.json",
      """
      {"stint_site": 1, "plugins": [{"process": "\(descriptor)", "allow": ["/sys/devices"]}],
       "clients": [{"name": "logger", "demands": [{"target": "ambient.temperature"}]}],
       "declares": [\(declares)], "facts": {"trip.left": "5 m"}}
      """)
  }

  private func policy(_ rule: String) throws -> String {
    try temporaryFiles.file(
      "slow.stint", "policy \"slow\" version 1\nuse ambient.temperature as therm\n\(rule)\n")
  }

  private let near = "rule near while trip.left < 1 km { downgrade therm to 1 per 60 s }"
  private let left = "{\"name\": \"trip.left\", \"unit\": \"m\", \"range\": [\"0.0004 m\", \"9 km\"]}"

  @Test("the journal of a run on a site contains the site's facts, so its replay makes the same decisions")
  func replay() throws {
    let journal = temporaryFiles.path("journal")
    let request = SimulationRequest(
      policies: [try policy(near)], scenario: "quiet", journal: journal, site: try site(left))
    let report = try SimulationRun(request).run().report
    let replay = try ReplayReport(journal: journal)
    #expect(replay.isWhole && replay.decisionLogHash == report.decisionLogHash)
    #expect(report.rules.values.map(\.activations) == [1])
    #expect(report.jsonText.contains("\"site\":\"\(request.site ?? "")\""))
  }

  @Test("a what-if candidate may use a device and a fact of the site that have no values in the journal")
  func candidate() throws {
    let journal = temporaryFiles.path("journal")
    _ = try SimulationRun(
      SimulationRequest(
        policies: [try temporaryFiles.policy()], scenario: try temporaryFiles.walk(), journal: journal)
    ).run()
    let devices = try PolicyDevices(site: try site(left), manifests: nil, linked: []).vocabulary
    let same = try WhatIfReport(journal: journal, candidate: try temporaryFiles.policy(), adding: devices)
    #expect(same.result.divergences.isEmpty && same.difference == .zero, "\(same.text())")
    let further = try policy(near + "\nrule log always { start therm }")
    #expect(throws: PolicyRefusal.self) { try WhatIfReport(journal: journal, candidate: further) }
    let report = try WhatIfReport(journal: journal, candidate: further, adding: devices)
    // The thermometer draws 2 mW for 9 minutes.
    #expect(report.result.newLedger.byDevice["ambient.temperature"] == Energy(nanojoules: 1_080_000_000))
    #expect(report.result.unknown.contains { $0.device == "ambient.temperature" && $0.reason == .off })
    #expect(!report.result.divergences.contains { $0.subject == "act slow/near" })
  }

  @Test("a tuning on a site runs with the site's clients, devices and facts")
  func tuning() throws {
    let folder = temporaryFiles.path("tracks")
    try Folder.make(folder)
    let rows = (0...60).map { "\($0 * 10),\(47 + Double($0) / 10_000),8.3\n" }
    for name in ["a", "b"] {
      try FileText.write(Array(("t_s,lat,lon\n" + rows.joined()).utf8), to: "\(folder)/\(name).csv")
    }
    let manifests = temporaryFiles.path("manifests")
    try Folder.make(manifests)
    try FileText.write(
      try FileText.read(Repository.path("Plugins/Gpsd/manifest.json")), to: manifests + "/gpsd.json")
    let text = """
      policy "slow" version 1
      use location.gnss as gps
      param pace = 1 per 5 s in 1 per 2 min .. 1 per 1 s
      rule near while trip.left < 1 km { downgrade gps to pace }
      """
    let scenario = try temporaryFiles.file(
      "walker.json",
      """
      {"stint_scenario": 1, "name": "walker", "start": "2026-05-16T08:00:00Z", "duration": "1 h",
       "world": {"origin": [47, 8.3]},
       "clients": [{"name": "trail", "demands": [{"target": "location.gnss", "with": {"accuracy": "10 m"}}]}]}
      """)
    let request = TuningRequest(
      policy: try temporaryFiles.file("pace.stint", text), traces: folder, scenario: scenario,
      trials: 3, site: try site(left), manifests: manifests)
    let report = try PolicyTuning(request).run()
    #expect(report.trials == 3 && report.refused == 0)
    // For 10 minutes, the thermometer of the site's client draws 2 mW and the receiver draws 60 mW.
    let written = try #require(report.written)
    #expect(written.byTrack.map(\.energy) == [Energy(nanojoules: 37_200_000_000)])
  }
}
