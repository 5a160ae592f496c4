import StintDaemon
import StintModel
import StintServices
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@testable import StintTools

/// Tests the simulation of services that are requested in scenario files.
@Suite struct ScenarioServicesRunTests {
  private func scenario(_ temporaryFiles: TemporaryFiles, _ services: String) throws -> String {
    try temporaryFiles.file(
      "services.json",
      """
      {"stint_scenario": 1, "name": "services", "start": "2026-05-16T08:00:00Z", "duration": "30 min",
       "world": {"origin": [47.05, 8.31],
                 "legs": [{"activity": "walking", "for": "30 min", "speed": "1.4 m/s", "heading": "40 deg"}]},
       "clients": [{"name": "trail-app", "services": [\(services)]}]}
      """)
  }

  @Test("requested updates are delivered only between their start and their end, and all energy has a cause")
  func updates() throws {
    let temporaryFiles = TemporaryFiles()
    let path = try scenario(
      temporaryFiles,
      #"""
      {"name": "way", "kind": "updates", "from": "5 min", "until": "15 min",
       "with": {"accuracy": "10 m", "rate": "1 Hz", "background": true, "pause": false}}
      """#)
    let report = try SimulationRun(SimulationRequest(policies: [], scenario: path)).run().report
    let count = try #require(report.deliveries["trail-app"])
    #expect((500...600).contains(count.samples), "\(count)")
    #expect(report.unexplained == .zero)
  }

  @Test("each client of a scenario gets its own rate, for demands and for updates")
  func rates() throws {
    let temporaryFiles = TemporaryFiles()
    func client(_ name: String, _ target: String, _ rate: String) -> String {
      #"{"name": "\#(name)", "demands": [{"target": "\#(target)", "with": {"rate": "\#(rate)"}}]}"#
    }
    func updates(_ name: String, _ rate: String) -> String {
      #"""
      {"name": "\#(name)", "services": [{"name": "way", "kind": "updates",
       "with": {"accuracy": "10 m", "rate": "\#(rate)", "background": true, "pause": false}}]}
      """#
    }
    let path = try temporaryFiles.file(
      "rates.json",
      """
      {"stint_scenario": 1, "name": "rates", "start": "2026-05-16T08:00:00Z", "duration": "10 min",
       "world": {"origin": [47.05, 8.31],
                 "legs": [{"activity": "walking", "for": "10 min", "speed": "1.4 m/s", "heading": "40 deg"}]},
       "clients": [\(client("fast", "motion.accelerometer", "50 Hz")),
                   \(client("slow", "motion.accelerometer", "5 Hz")),
                   \(updates("often", "1 Hz")), \(updates("seldom", "1 per 10 s"))]}
      """)
    let report = try SimulationRun(SimulationRequest(policies: [], scenario: path)).run().report
    let samples = report.deliveries.mapValues(\.samples)
    #expect(abs(try #require(samples["fast"]) - 30_000) <= 2)
    #expect(abs(try #require(samples["slow"]) - 3000) <= 2)
    #expect((500...600).contains(try #require(samples["often"])))
    #expect((50...60).contains(try #require(samples["seldom"])))
  }

  /// Runs ten minutes with one client, which has a demand, a transfer and a stream of positions.
  private func report(permission: String, background: Bool, with: String) throws -> SimulationReport {
    let temporaryFiles = TemporaryFiles()
    let path = try temporaryFiles.file(
      "permission.json",
      """
      {"stint_scenario": 1, "name": "permission", "start": "2026-05-16T08:00:00Z", "duration": "10 min",
       "world": {"origin": [47.05, 8.31],
                 "legs": [{"activity": "walking", "for": "10 min", "speed": "1.4 m/s", "heading": "40 deg"}]},
       "clients": [{"name": "app", "permission": "\(permission)", "background": \(background),
          "demands": [{"target": "location.gnss", "with": {"rate": "1 Hz"\(with)}}],
          "transfers": [{"target": "radio.cellular", "first": "1 min", "up": "1 kB"}],
          "services": [{"name": "way", "kind": "updates", "with": {"accuracy": "10 m"\(with)}}]}]}
      """)
    return try SimulationRun(SimulationRequest(policies: [], scenario: path)).run().report
  }

  @Test("a client of a scenario gets only what its permission allows, and every other request is refused")
  func permission() throws {
    let denied = try report(permission: "denied", background: true, with: "")
    #expect(denied.deliveries.isEmpty && denied.transfers.carried == 0)
    #expect(denied.refusals.count == 3, "\(denied.refusals)")
    let undecided = try report(permission: "undecided", background: true, with: "")
    #expect(undecided.deliveries.isEmpty && undecided.refusals.count == 2, "\(undecided.refusals)")
    #expect(undecided.transfers.carried == 1)
    for report in [denied, undecided] {
      #expect(report.ledger.byDevice["location.gnss"] ?? .zero == .zero)
      #expect(report.refusals.allSatisfy { $0.contains("“app”") }, "\(report.refusals)")
    }
    let allowed = try report(permission: "when_in_use", background: true, with: "")
    #expect(allowed.deliveries["app"] != nil && allowed.refusals.isEmpty, "\(allowed.refusals)")
  }

  /// Returns the number of samples of a client whose only request has no settings. The policy has this
  /// `default` block.
  private func samples(default settings: String, in state: String) throws -> Int {
    let temporaryFiles = TemporaryFiles()
    let path = try temporaryFiles.file(
      "default.json",
      """
      {"stint_scenario": 1, "name": "default", "start": "2026-05-16T08:00:00Z", "duration": "10 min",
       "world": {"origin": [47.05, 8.31],
                 "legs": [{"activity": "walking", "for": "10 min", "speed": "1.4 m/s", "heading": "40 deg"}]},
       "facts": [{"at": "0 s", "set": {"app.state": "\(state)"}}],
       "clients": [{"name": "app", "background": true, "services": [{"name": "way", "kind": "updates"}]}]}
      """)
    let policy = try temporaryFiles.file(
      "trail.stint", "policy \"trail\"\nuse location.gnss as gps\ndefault gps { \(settings) }\n")
    let report = try SimulationRun(SimulationRequest(policies: [policy], scenario: path)).run().report
    return report.deliveries["app"]?.samples ?? 0
  }

  @Test("each setting that a request of a scenario omits comes from the default of the policy")
  func defaults() throws {
    #expect((15...25).contains(try samples(default: "pause off", in: "foreground")), "Wi-Fi positions")
    #expect((500...600).contains(try samples(default: "accuracy 10 m", in: "foreground")))
    #expect((50...60).contains(try samples(default: "accuracy 10 m  rate 1 per 10 s", in: "foreground")))
    #expect(try samples(default: "accuracy 10 m", in: "background") == 0)
    #expect((500...600).contains(try samples(default: "accuracy 10 m  background on", in: "background")))
  }

  @Test("background requests of a client that does not declare background use are refused")
  func background() throws {
    let report = try report(permission: "always", background: false, with: #", "background": true"#)
    #expect(report.deliveries.isEmpty && report.refusals.count == 2, "\(report.refusals)")
  }

  @Test("invalid service requests are refused before the run")
  func refusals() throws {
    let temporaryFiles = TemporaryFiles()
    let path = try scenario(
      temporaryFiles,
      #"""
      {"name": "near", "kind": "updates", "with": {"accuracy": "0 m"}},
      {"name": "home", "kind": "regions", "with": {"regions": []}},
      {"name": "raw", "kind": "samples", "with": {"device": "location.nosuch"}}
      """#)
    let error = #expect(throws: Problem.self) {
      try SimulationRun(SimulationRequest(policies: [], scenario: path)).run()
    }
    let text = error?.description ?? ""
    #expect(text.contains("service “near”: the accuracy 0.0 m is invalid"))
    #expect(text.contains("service “home”: no region is named"))
    #expect(text.contains("no device is called “location.nosuch”"))
  }

  @Test("empty names, names with line breaks and invalid beacon identities are refused with the file's path")
  func invalidNames() throws {
    let temporaryFiles = TemporaryFiles()
    let path = try scenario(
      temporaryFiles,
      #"""
      {"name": "a\nb", "kind": "visits"}, {"name": "", "kind": "visits"},
      {"name": "home", "kind": "regions", "with": {"regions": [
        {"name": "x\u2028y", "at": [47, 8], "radius": "100 m"}]}},
      {"name": "dock", "kind": "beacons", "with": {"beacons": [{"name": "d", "identity": "f7.1"}]}}
      """#)
    let error = #expect(throws: Problem.self) {
      try SimulationRun(SimulationRequest(policies: [], scenario: path)).run()
    }
    let causes = error?.all.map(\.description) ?? []
    #expect(causes.count == 4, "\(causes)")
    #expect(causes.allSatisfy { $0.hasPrefix(path) }, "\(causes)")
    #expect(causes.count { $0.contains("line break or control character") } == 2)
    #expect(causes.contains { $0.contains("identity") && $0.contains("letters, digits") })
  }

  @Test("after a restart, active services are requested again, except fixes and ended services")
  func resuming() throws {
    let services = [
      ScenarioService(name: "once", request: FixRequest()),
      ScenarioService(name: "gone", request: VisitsRequest(), until: .minutes(5)),
      ScenarioService(name: "way", request: LocationUpdates()),
      ScenarioService(name: "later", request: VisitsRequest(), from: .minutes(20)),
    ]
    let origin = try #require(Coordinate(latitude: 47.05, longitude: 8.31))
    let start = Instant(nanoseconds: 1_778_918_400_000_000_000)
    let scenario = Scenario(
      name: "s", start: start, duration: .hours(1), origin: origin,
      clients: [ScenarioClient(name: "app", services: services)])
    var source = ScriptSource(
      scenario.script, vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()))
    source.resume(at: start + .minutes(10), activeDemands: [])
    #expect(source.nextInstant == start + .minutes(10))
    #expect(source.drain().isEmpty)
    #expect(names(&source) == ["attach app", "ask app/way"])
    #expect(source.nextInstant == start + .minutes(20))
    _ = source.drain()
    #expect(names(&source) == ["ask app/later"])
    #expect(source.nextInstant == nil)
  }

  private func names(_ source: inout ScriptSource) -> [String] {
    source.drainServiceInputs().map { (input: ServiceInput) -> String in
      switch input {
      case .attach(let client, _, _): return "attach \(client)"
      case .ask(let id, _, _): return "ask \(id)"
      default: return "\(input)"
      }
    }
  }
}
