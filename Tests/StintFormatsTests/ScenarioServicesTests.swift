import StintFormats
import StintModel
import StintServices
import StintUnits
import Testing

@Suite("Services of scenarios")
struct ScenarioServicesTests {
  private func text(_ services: String) -> String {
    """
    {"stint_scenario": 1, "name": "s", "start": "2026-05-16T08:00:00Z", "duration": "10 h",
    "world": {"origin": [47, 8]}, "clients": [{"name": "app", "services": [\(services)]}]}
    """
  }

  private func services(_ text: String) throws -> [ScenarioService] {
    try #require(try ScenarioReaderTests.read(self.text(text)).clients.first).services
  }

  @Test("services for fixes, updates, regions, beacons, visits, moves, samples and sessions are read")
  func kinds() throws {
    let read = try services(
      """
      {"name": "where", "kind": "fix", "from": "5 min", "with": {"accuracy": "100 m", "timeout": "20 s"}},
      {"name": "way", "kind": "updates", "from": "1 h", "until": "2 h", "with": {"accuracy": "10 m",
       "rate": "1 per 5 s", "filter": "50 m", "activity": "fitness", "background": true, "pause": false}},
      {"name": "home", "kind": "regions", "with": {"regions": [{"name": "a", "at": [47, 8], "radius": "1 km"}]}},
      {"name": "gate", "kind": "beacons", "with": {"beacons": [{"name": "b", "identity": "f7", "major": 1}]}},
      {"name": "stays", "kind": "visits"}, {"name": "trips", "kind": "moves", "with": {"heartbeat": "15 min"}},
      {"name": "more", "kind": "moves", "with": {"max_age": "5 min", "pausing": true}},
      {"name": "any", "kind": "updates"},
      {"name": "air", "kind": "samples", "with": {"device": "air.quality", "latency": "20 s"}},
      {"name": "mail", "kind": "transfers", "with": {"discretionary": true, "window": "2 h", "cellular": false}}
      """)
    let place = try #require(Coordinate(latitude: 47, longitude: 8))
    var session = TransferConfiguration.discretionary
    session.window = .hours(2)
    session.allowsCellular = false
    #expect(
      read == [
        ScenarioService(
          name: "where", request: FixRequest(accuracy: .meters(100), timeout: .seconds(20)), from: .minutes(5)
        ),
        ScenarioService(
          name: "way",
          request: LocationUpdates(
            accuracy: .meters(10), filter: .meters(50), period: .seconds(5), activity: .fitness,
            background: true,
            pausing: false),
          from: .hours(1), until: .hours(2)),
        ScenarioService(
          name: "home", request: RegionsRequest([Region("a", centre: place, radius: .meters(1000))])),
        ScenarioService(
          name: "gate", request: BeaconsRequest([BeaconRegion("b", identity: "f7", major: 1)])),
        ScenarioService(name: "stays", request: VisitsRequest()),
        ScenarioService(name: "trips", request: MovesRequest(heartbeat: .minutes(15))),
        ScenarioService(
          name: "more", request: MovesRequest(maxAge: .minutes(5), heartbeat: nil, pausing: true)),
        ScenarioService(name: "any", request: LocationUpdates()),
        ScenarioService(
          name: "air", request: RawSamples("air.quality", wants: DemandSettings(latency: .seconds(20)))),
        ScenarioService(name: "mail", request: session),
      ])
  }

  @Test(
    "an invalid service is rejected, and the error contains its path",
    arguments: [
      (#"{"kind": "visits"}"#, "clients[0].services[0]"),
      (#"{"name": "a"}"#, "clients[0].services[0]"),
      (#"{"name": "a", "kind": "visit"}"#, "clients[0].services[0].kind"),
      (
        #"{"name": "a", "kind": "transfers", "with": {"accuracy": "5 m"}}"#,
        "clients[0].services[0].with.accuracy"
      ),
      (#"{"name": "a", "kind": "visits", "from": "2 h", "until": "1 h"}"#, "clients[0].services[0].until"),
      (#"{"name": "a", "kind": "visits", "with": {"accuracy": "5 m"}}"#, "clients[0].services[0].with"),
      (#"{"name": "a", "kind": "fix", "with": {"rate": "1 Hz"}}"#, "clients[0].services[0].with.rate"),
      (
        #"{"name": "a", "kind": "updates", "with": {"accuracy": "10 s"}}"#,
        "clients[0].services[0].with.accuracy"
      ),
      (
        #"{"name": "a", "kind": "updates", "with": {"activity": "fly"}}"#,
        "clients[0].services[0].with.activity"
      ),
      (#"{"name": "a", "kind": "fix", "with": {"timeout": "-1 s"}}"#, "clients[0].services[0].with.timeout"),
      (#"{"name": "a", "kind": "samples", "with": {"rate": "0 Hz"}}"#, "clients[0].services[0].with"),
      (#"{"name": "a", "kind": "regions"}"#, "clients[0].services[0]"),
      (#"{"name": "a", "kind": "regions", "with": {}}"#, "clients[0].services[0].with"),
      (
        #"{"name": "a", "kind": "regions", "with": {"regions": [{"name": "r", "at": [47, 8]}]}}"#,
        "clients[0].services[0].with.regions[0]"
      ),
      (
        #"{"name": "a", "kind": "beacons", "with": {"beacons": [{"name": "b", "identity": "f", "major": 70000}]}}"#,
        "clients[0].services[0].with.beacons[0].major"
      ),
      (#"{"name": "a", "kind": "visits"}, {"name": "a", "kind": "moves"}"#, "clients[0].services[1]"),
      (#"7"#, "clients[0].services[0]"),
    ])
  func refusals(services: String, path: String) {
    let problems = ScenarioReaderTests.problems(text(services))
    #expect(problems.count == 1, "\(problems)")
    #expect(problems.first?.place.part.hasPrefix(path) == true, "\(problems)")
  }
}
