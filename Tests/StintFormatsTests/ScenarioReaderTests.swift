import StintFormats
import StintModel
import StintServices
import StintUnits
import Testing

@Suite("Scenario reader")
struct ScenarioReaderTests {
  static let hike = """
    {"stint_scenario": 1, "name": "day-hike", "title": "A day in the hills",
    "start": "2026-05-16T08:00:00+02:00", "duration": "10 h",
    "devices": ["location.gnss", "motion.accelerometer"],
    "world": {"origin": [47.05, 8.31],
    "legs": [{"activity": "walking", "for": "50 min", "speed": "1.4 m/s", "heading": "40 deg",
    "sky": "street", "wifi": true}, {"activity": "still", "for": "1 h"}]},
    "clients": [{"name": "trail-app",
    "demands": [{"target": "location.gnss", "from": "1 s", "until": "9 h",
    "with": {"accuracy": "10 m", "rate": "1 per 30 s", "activity": "fitness",
    "background": true, "pause": false, "latency": "5 min"}}],
    "transfers": [{"target": "radio.cellular", "first": "5 min", "every": "10 min", "count": 60,
    "up": "20 kB", "down": "0 B", "deadline": "30 min"}]}],
    "declares": [{"name": "hike.remaining", "unit": "m"}],
    "facts": [{"at": "0 s", "set": {"app.state": "background", "screen.on": false, "battery.level": null}}],
    "faults": [{"device": "location.gnss", "at": "1 h", "for": "5 min", "kind": "dropout"}]}
    """

  static func read(_ text: String) throws(Problem) -> Scenario {
    try ScenarioReader.scenario(of: Array(text.utf8), source: "s.json", requests: .all)
  }

  static func problems(_ text: String) -> [Problem] {
    do {
      _ = try read(text)
      return []
    } catch {
      return error.all
    }
  }

  @Test("the time, the world, the clients, the facts and the faults of a scenario are read")
  func everyPart() throws {
    let scenario = try Self.read(Self.hike)
    #expect(scenario.start == Instant(nanoseconds: 1_778_911_200_000_000_000))
    #expect(scenario.timeZone == .fixed(.hours(2)))
    #expect(scenario.duration == .hours(10))
    #expect(scenario.devices == ["location.gnss", "motion.accelerometer"])
    #expect(scenario.origin == Coordinate(latitude: 47.05, longitude: 8.31))
    #expect(
      scenario.legs == [
        Leg(activity: .walking, duration: .minutes(50), speed: 1.4, heading: 40, sky: .street, hasWiFi: true),
        Leg(activity: .still, duration: .hours(1), speed: 0, heading: 0),
      ])
    let client = try #require(scenario.clients.first)
    let wants = DemandSettings(
      accuracy: 10, period: .seconds(30), latency: .minutes(5), activity: "fitness", background: true,
      pausing: false)
    #expect(
      client.demands == [
        ScenarioDemand(target: "location.gnss", wants: wants, from: .seconds(1), until: .hours(9))
      ])
    #expect(
      client.transfers == [
        ScenarioTransfers(
          target: "radio.cellular",
          transfer: Transfer(bytesUp: 20_000, bytesDown: 0, deadline: .minutes(30)), first: .minutes(5),
          every: .minutes(10), count: 60)
      ])
    #expect(scenario.declares.map(\.path) == ["hike.remaining"])
    #expect(scenario.changes.first?.values.map(\.text) == ["background", "false", "unknown"])
    #expect(
      scenario.faults == [
        InjectedFault(device: "location.gnss", at: .hours(1), duration: .minutes(5), kind: .dropout)
      ])
  }

  @Test("`time_zone` sets the time zone; `start` must have the UTC offset of this zone, or be in UTC")
  func timeZones() throws {
    func hike(_ start: String, _ zone: String) -> String {
      Self.hike.replacing("\"2026-05-16T08:00:00+02:00\"", with: "\"\(start)\", \"time_zone\": \"\(zone)\"")
    }
    let rule = "CET-1CEST,M3.5.0,M10.5.0/3"
    for start in ["2026-05-16T08:00:00+02:00", "2026-05-16T06:00:00Z"] {
      let scenario = try Self.read(hike(start, rule))
      #expect(scenario.timeZone == (try TimeZoneRules(rule)))
      #expect(scenario.start == Instant(nanoseconds: 1_778_911_200_000_000_000))
    }
    for (zone, minutes) in [("UTC", 0), ("UTC+2", 120), ("UTC-3:30", -210)] as [(String, Int64)] {
      #expect(try Self.read(hike("2026-05-16T06:00:00Z", zone)).timeZone == .fixed(.minutes(minutes)))
    }
    #expect(Self.problems(hike("2026-05-16T06:00:00Z", "UTC+24")).map(\.place.part) == ["time_zone"])
    let other = Self.problems(hike("2026-05-16T08:00:00+01:00", rule))
    #expect(other.map(\.place.part) == ["time_zone"])
    #expect(other.first?.remedy == "write the start with +02:00, or in UTC with Z")
    let place = Self.problems(hike("2026-05-16T08:00:00+02:00", "Europe/Berlin"))
    #expect(place.map(\.place.part) == ["time_zone"])
    #expect(place.first?.code == .value)
  }

  @Test("a fault of the phone has no device, and a fault of a device must have a device")
  func phoneFaults() throws {
    let dropout = #"{"device": "location.gnss", "at": "1 h", "for": "5 min", "kind": "dropout"}"#
    func hike(_ fault: String) -> String { Self.hike.replacing(dropout, with: fault) }
    let disk = try Self.read(hike(#"{"at": "1 h", "for": "5 min", "kind": "disk"}"#))
    #expect(
      disk.faults == [
        InjectedFault(device: InjectedFault.phone, at: .hours(1), duration: .minutes(5), kind: .disk)
      ])
    #expect(
      try Self.read(hike(#"{"at": "1 h", "for": "5 min", "kind": "memory"}"#)).faults[0].kind == .memory)
    let wrong = Self.problems(
      hike(#"{"device": "location.gnss", "by": "3 s", "at": "1 h", "for": "5 min", "kind": "memory"}"#))
    #expect(wrong.map(\.place.part) == ["faults[0].device", "faults[0].by"])
    let missing = Self.problems(hike(#"{"at": "1 h", "for": "5 min", "kind": "stuck"}"#))
    #expect(missing.map(\.code) == [.missing])
  }

  /// Each element is one change to the scenario `hike`, with the path and the code of the resulting problem.
  static let changes: [(String, String, String, Problem.Code)] = [
    ("47.05", "91", "world.origin[0]", .value), ("8.31", "-181", "world.origin[1]", .value),
    ("47.05, ", "", "world.origin", .value), ("47.05", "\"47\"", "world.origin[0]", .type),
    ("2026-05-16T", "2026-02-30T", "start", .value), ("+02:00", "+2", "start", .value),
    ("\"10 h\"", "\"0 s\"", "duration", .value), ("\"10 h\"", "\"10 m\"", "duration", .value),
    ("\"1.4 m/s\"", "\"-1 m/s\"", "world.legs[0].speed", .value),
    ("walking", "hopping", "world.legs[0].activity", .unknownName),
    ("\"sky\": \"street\"", "\"sky\": \"cloudy\"", "world.legs[0].sky", .unknownName),
    ("\"9 h\"", "\"1 s\"", "clients[0].demands[0].until", .order),
    ("1 per 30 s", "0 Hz", "clients[0].demands[0].with.rate", .value),
    ("\"count\": 60", "\"count\": 0", "clients[0].transfers[0].count", .value),
    ("\"every\": \"10 min\", ", "", "clients[0].transfers[0].count", .missing),
    ("\"20 kB\"", "\"-1 B\"", "clients[0].transfers[0].up", .value),
    ("\"kind\": \"dropout\"", "\"kind\": \"dropuot\"", "faults[0].kind", .unknownName),
    ("\"faults\"", "\"fautls\"", "fautls", .unknownName),
    ("null", "[1]", "facts[0].set.battery.level", .type),
    ("\"motion.accelerometer\"", "\"location.gnss\"", "devices[1]", .duplicate),
    ("\"at\": \"1 h\"", "\"at\": \"-1 h\"", "faults[0].at", .value),
    ("\"unit\": \"m\"", "\"unit\": \"M\"", "declares[0].unit", .unknownName),
  ]

  @Test("each mistake in a scenario is reported with its path", arguments: changes.indices)
  func mistakes(index: Int) throws {
    let (old, new, path, code) = Self.changes[index]
    let piece = try #require(Self.hike.range(of: old))
    let problems = Self.problems(Self.hike.replacingCharacters(in: piece, with: new))
    #expect(problems.map(\.place.part) == [path], "\(problems)")
    #expect(problems.first?.code == code)
    #expect(problems.allSatisfy { $0.place.text.line > 0 && !$0.remedy.isEmpty })
  }

  static let phone = Vocabulary(
    manifests: ["location.gnss", "motion.accelerometer", "radio.cellular"].map {
      Manifest(device: DeviceID($0), kind: .sensor, title: "")
    },
    declared: [
      FactSchema(path: "app.state", type: .symbol(["foreground", "background"])),
      FactSchema(path: "screen.on", type: .boolean),
      FactSchema(path: "battery.level", type: .quantity(.ratio), range: 0...1),
    ])

  /// Each element is one change to the scenario `hike`, with the path of the resulting problem and a part of
  /// its message.
  static let nameChanges: [(String, String, String, String)] = [
    (
      "\"motion.accelerometer\"", "\"motion.acelerometer\"", "devices[1]",
      "did you mean “motion.accelerometer”?"
    ),
    ("\"device\": \"location.gnss\"", "\"device\": \"gps\"", "faults[0].device", "known here: "),
    ("\"target\": \"location.gnss\"", "\"target\": \"location.gns\"", "clients[0].demands[0].target", "gnss"),
    ("radio.cellular", "radio.cell", "clients[0].transfers[0].target", "no device"),
    ("screen.on", "screen.of", "facts[0].set.screen.of", "did you mean “screen.on”?"),
    ("\"screen.on\": false", "\"screen.on\": \"no\"", "facts[0].set.screen.on", "true or false"),
    ("null", "\"120 %\"", "facts[0].set.battery.level", "its range is 0 % to 100 %"),
    ("null", "\"12 m\"", "facts[0].set.battery.level", "expected percent"),
  ]

  @Test("unknown devices and facts are reported with their locations", arguments: nameChanges.indices)
  func names(index: Int) throws {
    let (old, new, path, words) = Self.nameChanges[index]
    let piece = try #require(Self.hike.range(of: old))
    let text = Self.hike.replacingCharacters(in: piece, with: new)
    let error = #expect(throws: Problem.self) {
      try ScenarioReader.scenario(
        of: Array(text.utf8), source: "s.json", requests: .all, checking: Self.phone)
    }
    #expect(error?.all.map(\.place.part) == [path])
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    #expect((error?.place.text.column ?? 0) > 1)
  }

  @Test("a scenario passes the check when all its devices and facts exist or are declared in it")
  func goodNames() throws {
    let text = Self.hike.replacingCharacters(
      in: try #require(Self.hike.range(of: "\"screen.on\": false")), with: "\"hike.remaining\": \"2 km\"")
    _ = try ScenarioReader.scenario(
      of: Array(text.utf8), source: "s.json", requests: .all, checking: Self.phone)
  }

  @Test("a cut scenario is rejected; a scenario with a changed byte is read or rejected, without a crash")
  func damaged() {
    let bytes = Array(Self.hike.utf8)
    for cut in stride(from: 0, to: bytes.count, by: 7) {
      #expect(throws: Problem.self) {
        try ScenarioReader.scenario(of: Array(bytes[..<cut]), source: "s.json", requests: .all)
      }
      for byte in [UInt8(ascii: "\""), UInt8(ascii: "9"), 0, 0xFF] {
        var damaged = bytes
        damaged[cut] = byte
        do {
          _ = try ScenarioReader.scenario(of: damaged, source: "s.json", requests: .all)
        } catch {
          #expect(!error.all.isEmpty)
        }
      }
    }
  }

  @Test("beacons are read, and each mistake in a beacon is reported with its path")
  func beacons() throws {
    func text(_ beacon: String) -> String {
      """
      {"stint_scenario": 1, "name": "dock", "start": "2026-05-16T08:00:00+02:00", "duration": "1 h",
       "world": {"origin": [47.05, 8.31]}, "beacons": [\(beacon)]}
      """
    }
    let good = "{\"identity\": \"dock\", \"major\": 10, \"minor\": 1, \"at\": [47, 8], \"range\": \"20 m\"}"
    let scenario = try ScenarioReader.scenario(
      of: Array(text(good).utf8), source: "dock.json", requests: .all)
    #expect(scenario.beacons.map(\.range) == [20])
    #expect(scenario.beacons.first?.facts == ["beacon.dock", "beacon.dock.10", "beacon.dock.10.1"])
    for (old, new, path) in [
      ("10,", "70000,", "beacons[0].major"), ("[47, 8]", "[97, 8]", "beacons[0].at[0]"),
      ("\"20 m\"", "\"0 m\"", "beacons[0].range"), ("\"20 m\"", "\"20 s\"", "beacons[0].range"),
      ("minor", "miner", "beacons[0].miner"),
    ] {
      let piece = try #require(good.range(of: old))
      let problems = Self.problems(text(good.replacingCharacters(in: piece, with: new)))
      #expect(problems.map(\.place.part).contains(path), "\(problems)")
    }
  }
}
