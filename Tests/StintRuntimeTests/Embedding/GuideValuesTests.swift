import Stint
import StintModel
import StintRuntime
import StintServices
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

/// The statements of the guide about the simulated phone, positions, beacons, published facts and defaults.
@Suite("Values in the guide of the library") struct GuideValuesTests {
  private static func bus(facts: [AppFact] = []) async throws -> (bus: Bus, app: Client) {
    let phone = try ReferencePhone(scenario: "day-hike")
    let bus = try await Bus(
      plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart), facts: facts)
    return (bus, try await bus.attach("app", authorized: .always))
  }

  @Test("the guide lists the devices of the default phone with their kinds, and the optional devices")
  func devices() async throws {
    let guide = String(
      decoding: try FileText.read(Repository.path("Sources/Stint/Stint.docc/Embedding.md")), as: UTF8.self)
    let rows = guide.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { $0.split(separator: "|").map { $0.trimmingSpaces } }
    for manifest in try ReferencePhone.manifests() {
      let row = try #require(rows.first { $0[0].contains("`\(manifest.device)`") }, "\(manifest.device)")
      #expect(row[1] == manifest.kind.rawValue)
    }
    let listed = rows.filter { ["source", "processor", "sensor", "radio"].contains($0[1]) }
      .flatMap { $0[0].split(separator: "`").map(String.init).filter { $0.contains(".") } }
    #expect(Set(listed.map { DeviceID($0) }) == Set(ReferencePhone.deviceNames))
    for device in ReferencePhone.optionalDeviceNames { #expect(guide.contains("`\(device)`")) }
    let (bus, app) = try await Self.bus()
    let dock = BeaconRegion("dock", identity: "f7826da6", major: 3)
    let missing = await #expect(throws: Problem.self) {
      try await app.ask("dock", for: BeaconsRequest([dock]))
    }
    #expect(missing?.code == .unavailable)
    for fact in ["screen.on", "app.state", "motion.activity", "battery.level", "power.source"] {
      #expect(guide.contains("`\(fact)`"))
      #expect(await bus.facts().first { $0.name == fact }?.device != nil, "\(fact)")
    }
    await bus.close()
  }

  @Test("the beacons in the guide give a scenario's phone the radio that the guide's requests need")
  func beacons() async throws {
    let guide = String(
      decoding: try FileText.read(Repository.path("Sources/Stint/Stint.docc/Embedding.md")), as: UTF8.self)
    let member = try #require(guide.split(separator: "\n").first { $0.hasPrefix("\"beacons\": ") })
    let folder = TemporaryFolder()
    folder.write(
      "dock.json",
      """
      {"stint_scenario": 1, "name": "dock", "start": "2026-05-16T06:00:00Z", "duration": "1 h",
       "world": {"origin": [47.05, 8.31]}, \(member)}
      """)
    let phone = try ReferencePhone(scenario: folder.at("dock.json"))
    let bus = try await Bus(plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart))
    let app = try await bus.attach("places", authorized: .always)
    await app.setPresence(.foreground)
    let dock = BeaconRegion("dock", identity: "f7826da6", major: 3)
    let notices = try await app.ask("dock", for: BeaconsRequest([dock]))
    try await bus.advance(by: .seconds(120))
    await app.end("dock")
    var changes: [String] = []
    for await notice in notices { changes.append("\(notice)") }
    #expect(changes.first?.contains("isInside: true") == true, "\(changes)")
    await bus.close()
  }

  @Test("a coordinate out of range is nil; the numbers of a beacon are 0 to 65,535, and minor needs major")
  func places() {
    #expect(Coordinate(latitude: 47.05, longitude: 8.31) != nil)
    #expect(Coordinate(latitude: 91, longitude: 8) == nil && Coordinate(latitude: 47, longitude: .nan) == nil)
    func failure(_ region: BeaconRegion) -> ServiceFailure.Code? {
      BeaconsRequest([region]).rejectionReason?.code
    }
    #expect(failure(BeaconRegion("a", identity: "f7826da6-4_b", major: 65_535, minor: 0)) == nil)
    for (major, minor) in [(65_536, nil), (-1, nil), (nil, 1)] as [(Int?, Int?)] {
      #expect(failure(BeaconRegion("a", identity: "f7826da6", major: major, minor: minor)) == .invalid)
    }
    #expect(failure(BeaconRegion("a", identity: "f78 26")) == .invalid)
    #expect(BeaconRegion("a", identity: "f7826da6").exitAfter == .seconds(30))
  }

  @Test("an app publishes truth values, quantities, words and “unknown”, and policies compare them")
  func publish() async throws {
    let (bus, app) = try await Self.bus(facts: [
      AppFact("view.rotatable", .truth), AppFact("hike.left", .quantity(unit: "h")),
      AppFact("view.mode", .words(["map", "list"])),
    ])
    try await bus.load(
      text: """
        policy "p" version 1
        use location.gnss as gps
        rule a while view.rotatable { downgrade gps to 100 m }
        rule b while hike.left < 2 h { downgrade gps to 100 m }
        rule c while view.mode is map { downgrade gps to 100 m }
        """)
    for value in [AppFact.Value.quantity(90, unit: "min"), .quantity(1.5, unit: "h"), .unknown] {
      try await app.publish("hike.left", value)
    }
    try await app.publish("view.rotatable", true)
    #expect(await bus.fact("view.rotatable") == .truth(true))
    try await app.publish("view.mode", .word("map"))
    #expect(await bus.fact("view.mode") == .word("map"))
    try await app.publish("hike.left", .quantity(90, unit: "min"))
    #expect(await bus.fact("hike.left") == .quantity(5400, unit: "s"))
    for (fact, rule) in [("view.rotatable", "p/a"), ("hike.left", "p/b"), ("view.mode", "p/c")] {
      #expect(await bus.whyNot(rule)?.contains("in force") == true)
      try await app.publish(fact, .unknown)
      #expect(await bus.fact(fact) == .unknown)
    }
    let wrong = await #expect(throws: Problem.self) { try await app.publish("view.mode", .word("globe")) }
    #expect(wrong?.code == .badFact)
    await bus.close()
  }

  @Test(
    "a default block gives the omitted settings, a request takes precedence, and a change applies at once")
  func defaults() async throws {
    let (bus, app) = try await Self.bus()
    func setting() async throws -> String {
      try await bus.advance(by: .seconds(60))
      return try #require(await bus.devices().first { $0.name == "location.gnss" }).setting
    }
    func policy(_ settings: String) -> String {
      "policy \"trail\" version 1\nuse location.gnss as gps\ndefault gps { \(settings)  linger 5 s }\n"
    }
    await app.setPresence(.background)
    _ = try await app.ask("way", for: LocationUpdates(pausing: false))
    #expect(try await setting() == "off")
    try await bus.load(text: policy("accuracy 10 m  activity fitness  background on"))
    #expect(try await setting().contains("accuracy 10 m"))
    await app.end("way")
    await app.setPresence(.foreground)
    try await bus.load(text: policy("accuracy 5 m  activity fitness  background on"))
    _ = try await app.ask("way", for: LocationUpdates(accuracy: .meters(20), pausing: false))
    #expect(try await !setting().contains("accuracy 5 m"))
    await bus.close()
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
