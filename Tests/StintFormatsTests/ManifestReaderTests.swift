import StintFormats
import StintModel
import StintUnits
import Testing

@Suite("Manifest reader")
struct ManifestReaderTests {
  static let receiver = """
    {"stint_manifest": 1, "device": "location.gnss", "kind": "sensor", "title": "GNSS receiver",
     "vendor": "sim", "ladder": {"name": "location", "rank": 2, "serves": "5 m"},
     "states": [{"name": "off", "power": "0 W", "on": false},
                {"name": "search", "power": "75 mW", "per_hertz": "9 uW", "on": true}],
     "transitions": [["off", "search"], ["search", "off"]],
     "initial": "off", "safe": "off",
     "events": [{"name": "scan", "energy": "600 mJ"}],
     "verbs": ["start", "defer", "flush"],
     "attributes": [{"name": "accuracy", "unit": "m", "range": ["5 m", "3 km"], "default": "100 m"},
                    {"name": "activity", "options": ["other", "fitness"], "default": "other"},
                    {"name": "raw", "boolean": true, "default": false}],
     "fifo": 600,
     "channels": [{"name": "latitude", "unit": "deg"}],
     "facts": [{"name": "accuracy", "unit": "m", "range": ["0 m", "10 km"], "max_age": "10 s",
                "fastest": "1 s", "noisy": true, "meaning": "95 % radius of the last fix"},
               {"name": "sky.open", "always": true, "boolean": true}],
     "figures": {"cold_fix": "47 s"}}
    """

  static func read(_ text: String) throws(Problem) -> Manifest {
    try ManifestReader.manifest(of: Array(text.utf8), source: "m.json")
  }

  static func problems(_ text: String) -> [Problem] {
    do {
      _ = try read(text)
      return []
    } catch {
      return error.all
    }
  }

  @Test("every part of a manifest is read")
  func everyPart() throws {
    let manifest = try Self.read(Self.receiver)
    #expect(manifest.device == "location.gnss")
    #expect(manifest.ladder == LadderRank(name: "location", rank: 2, serves: 5))
    #expect(
      manifest.states == [
        PowerState(name: "off", power: .zero, isOn: false),
        PowerState(
          name: "search", power: Power(nanowatts: 75_000_000), perHertz: Power(nanowatts: 9000), isOn: true),
      ])
    #expect(manifest.transitions == [Transition(from: 0, to: 1), Transition(from: 1, to: 0)])
    #expect(manifest.events == [PricedEvent(name: "scan", energy: Energy(nanojoules: 600_000_000))])
    #expect(manifest.verbs == [.start, .defer, .flush])
    #expect(manifest.attributes.map(\.fallback) == [.number(100), .symbol(0), .boolean(false)])
    #expect(manifest.attributes[0].range == 5...3000)
    #expect(manifest.fifo == 600)
    #expect(manifest.channels == [Channel(name: "latitude", unit: "deg")])
    #expect(manifest.facts.map(\.path) == ["location.gnss.accuracy", "sky.open"])
    #expect(manifest.facts[0].maxAge == .seconds(10))
    #expect(manifest.facts[0].isNoisy)
    #expect(manifest.facts.map(\.isAlwaysPublished) == [false, true])
    #expect(manifest.figures["cold_fix"]?.timeSpan == .seconds(47))
  }

  /// Each element is one change to the manifest `receiver`, and the problem that the change causes. The
  /// problem has a location, a path, a code, and a part of its message.
  static let changes: [(String, String, String, String, Problem.Code, String)] = [
    ("\"kind\": \"sensor\"", "\"kind\": \"senzor\"", "1:58", "kind", .unknownName, "did you mean “sensor”?"),
    ("\"75 mW\"", "\"-75 mW\"", "4:41", "states[1].power", .value, "negative power"),
    ("\"75 mW\"", "\"75 m\"", "4:41", "states[1].power", .value, "expected a power"),
    ("\"75 mW\"", "\"75 megawatts\"", "4:41", "states[1].power", .value, "no unit is spelled"),
    ("\"75 mW\"", "75", "4:41", "states[1].power", .type, "a string with a number and a unit"),
    ("\"75 mW\"", "\"10001 W\"", "4:41", "states[1].power", .value, "write at most 10 kW"),
    ("\"75 mW\"", "\"9000000000 W\"", "4:41", "states[1].power", .value, "write at most 10 kW"),
    ("\"600 mJ\"", "\"1001 J\"", "7:40", "events[0].energy", .value, "write at most 1 kJ"),
    ("[\"off\", \"search\"], ", "", "4:13", "states[1]", .value, "no transition reaches state “search”"),
    (
      "[\"off\", \"search\"], ", "[\"off\", \"serch\"], ", "5:26", "transitions[0][1]", .unknownName,
      "“search”"
    ),
    ("\"safe\": \"off\"", "\"safe\": \"search\"", "6:28", "safe", .value, "an on state"),
    ("\"initial\": \"off\", ", "", "1:1", "initial", .missing, "“initial” is missing"),
    ("\"title\": \"GNSS", "\"titel\": \"GNSS", "1:68", "titel", .unknownName, "did you mean “title”?"),
    ("\"defer\"", "\"deffer\"", "8:21", "verbs[1]", .unknownName, "did you mean “defer”?"),
    ("\"600 mJ\"", "\"-600 mJ\"", "7:40", "events[0].energy", .value, "negative energy"),
    ("\"fifo\": 600", "\"fifo\": -1", "12:10", "fifo", .value, "out of range"),
    ("\"fifo\": 600", "\"fifo\": 1.5", "12:10", "fifo", .type, "an integer"),
    ("[\"5 m\", \"3 km\"]", "[\"3 km\", \"5 m\"]", "9:60", "attributes[0].range", .value, "before it begins"),
    ("\"100 m\"", "\"1 m\"", "9:88", "attributes[0].default", .value, "its range is 5 m to 3 km"),
    (
      "\"default\": \"other\"", "\"default\": \"flying\"", "10:82", "attributes[1].default", .value,
      "one of other"
    ),
    (
      "\"latitude\", \"unit\": \"deg\"", "\"latitude\", \"unit\": \"dge\"", "13:44", "channels[0].unit",
      .unknownName, "deg"
    ),
    (
      "\"boolean\": true}],\n \"fig", "\"unit\": \"m\", \"boolean\": true}],\n \"fig", "16:12", "facts[1]",
      .duplicate, "exclude"
    ),
    (
      "\"device\": \"location.gnss\"", "\"device\": \"location..gnss\"", "1:33", "device", .value,
      "words joined by dots"
    ),
    ("\"stint_manifest\": 1", "\"stint_manifest\": 3", "1:20", "stint_manifest", .version, "not supported"),
    ("\"stint_manifest\": 1, ", "", "1:1", "", .unexpectedContent, "another format"),
  ]

  @Test(
    "each mistake in a manifest is reported with its location, its path and a next step",
    arguments: changes.indices)
  func mistakes(index: Int) throws {
    let (old, new, place, path, code, words) = Self.changes[index]
    let pieces = try #require(Self.receiver.range(of: old))
    let problems = Self.problems(Self.receiver.replacingCharacters(in: pieces, with: new))
    let found = problems.first { $0.place.part == path }
    #expect(found != nil, "\(problems)")
    #expect(found?.place.text.description == place)
    #expect(found?.code == code)
    #expect(found?.description.contains(words) == true, "\(problems)")
  }

  static let gauge = """
    {"stint_manifest": 1, "device": "test.gauge", "kind": "source", "title": "Gauge", "facts": [
    {"name": "level", "unit": "%", "read": {"every": "10 s", "per_second": "0.1 %"}}]}
    """

  @Test("F19: the reading period and the largest change per second of a fact are parsed")
  func reading() throws {
    let fact = try Self.read(Self.gauge).facts[0]
    #expect(fact.reading == FactReading(every: .seconds(10), maxRate: 0.001))
    let plain = try Self.read(Self.gauge.replacing(", \"per_second\": \"0.1 %\"", with: ""))
    #expect(plain.facts[0].reading == FactReading(every: .seconds(10)))
    #expect(fact.maxRate == nil)
  }

  @Test(
    "F19: the largest change per second of a sensor's fact is parsed; other facts must not have this member")
  func sensorRate() throws {
    let source = Self.gauge.replacing(
      "\"read\": {\"every\": \"10 s\", \"per_second\": \"0.1 %\"}", with: "\"per_second\": \"0.1 %\"")
    let sensor = source.replacing("\"source\"", with: "\"sensor\"")
      .replacing(
        "\"facts\"",
        with: """
          "states": [{"name": "off", "power": "0 W", "on": false}, {"name": "on", "power": "1 mW", "on": true}],
          "transitions": [["off", "on"], ["on", "off"]], "initial": "off", "safe": "off", "facts"
          """)
    #expect(try Self.read(sensor).facts[0].maxRate == 0.001)
    let still = Self.problems(sensor.replacing("\"0.1 %\"", with: "\"0 %\""))
    #expect(still.contains { "\($0)".contains("must be more than 0") }, "\(still)")
    #expect(Self.problems(source).contains { "\($0)".contains("for facts of sensors") })
  }

  @Test("the lowest sampling rate of a sensor's fact is parsed; wrong rates and top speeds are reported")
  func sampling() throws {
    let sensor = """
      {"stint_manifest": 1, "device": "test.belt", "kind": "sensor", "title": "Belt",
       "states": [{"name": "off", "power": "0 W", "on": false}, {"name": "on", "power": "1 mW", "on": true}],
       "transitions": [["off", "on"], ["on", "off"]], "initial": "off", "safe": "off",
       "attributes": [{"name": "rate", "unit": "Hz", "range": ["1 Hz", "50 Hz"], "default": "1 Hz"}],
       "figures": {"top_speed": "8 m/s"},
       "facts": [{"name": "gait", "options": ["still", "walking"], "rate": "25 Hz"}]}
      """
    let manifest = try Self.read(sensor)
    #expect(manifest.facts[0].longestSampling == .milliseconds(40))
    #expect(manifest.topSpeed == 8)
    #expect(manifest.readingPeriod(of: manifest.facts[0], within: .minutes(2)) == .milliseconds(40))
    for (old, new, path, words) in [
      ("25 Hz", "60 Hz", "facts[0].rate", "needs a higher rate than"),
      ("25 Hz", "0 Hz", "facts[0].rate", "is not positive"),
      ("\"25 Hz\"", "\"25 s\"", "facts[0].rate", "expected"),
      ("8 m/s", "0 m/s", "figures.top_speed", "is not a positive speed"),
      ("8 m/s", "8 s", "figures.top_speed", "is not a positive speed"),
    ] {
      let problems = Self.problems(sensor.replacing(old, with: new))
      #expect(
        problems.contains { $0.place.part == path && $0.description.contains(words) }, "\(new): \(problems)")
    }
    let source = Self.gauge.replacing("\"read\"", with: "\"rate\": \"1 Hz\", \"read\"")
    #expect(Self.problems(source).contains { "\($0)".contains("only a sensor may have facts with “rate”") })
  }

  @Test(
    "invalid `read` members are reported",
    arguments: [
      ("\"every\": \"10 s\", ", "", "“every” is missing"),
      ("\"10 s\"", "\"0 s\"", ""),
      ("\"0.1 %\"", "\"0.1 m\"", "expected a percent"),
      ("\"0.1 %\"", "\"0 %\"", "must be more than 0"),
      ("\"unit\": \"%\"", "\"boolean\": true", "applies to quantities only"),
      ("\"per_second\"", "\"per_minute\"", "per_second"),
      (
        "\"kind\": \"source\"",
        "\"kind\": \"sensor\", \"states\": [{\"name\": \"off\", \"power\": \"0 W\", \"on\": false}], "
          + "\"transitions\": [], \"initial\": \"off\", \"safe\": \"off\"", "only a source may have"
      ),
    ])
  func wrongReading(old: String, new: String, words: String) {
    let problems = Self.problems(Self.gauge.replacing(old, with: new))
    #expect(
      problems.contains { $0.place.part.hasPrefix("facts[0]") && $0.description.contains(words) },
      "\(problems)")
  }

  @Test("all problems of a file are reported in one run, in file order")
  func allAtOnce() {
    let problems = Self.problems(
      """
      {"stint_manifest": 1, "device": "a.b", "kind": "sensor", "colour": "red",
       "states": [{"name": "off", "power": "0", "on": "no"}, {"name": "off"}],
       "fifo": true}
      """)
    #expect(
      problems.map { "\($0.place.text) \($0.place.part)" } == [
        "1:1 title", "1:1 initial", "1:1 safe", "1:58 colour", "2:38 states[0].power", "2:49 states[0].on",
        "2:56 states[1].power", "2:56 states[1].on", "3:10 fifo",
      ])
  }

  @Test("a mistake hides no independent mistake in another part, and each mistake is reported once")
  func nothingHidden() {
    let problems = Self.problems(
      """
      {"stint_manifest": 1, "device": "a..b", "kind": "sensr", "title": "T",
       "states": [{"name": "off", "power": "-1 W", "on": false},
                  {"name": "on", "power": "1 W", "per_hertz": "-1 uW", "on": true},
                  {"name": "on", "power": "2 W", "on": true}],
       "transitions": [["off", "onn"]], "initial": "off", "safe": "off",
       "events": [{"name": "scan"}, {"name": "look", "energy": "-1 J"}],
       "attributes": [{"name": "raw", "boolean": true}, {"name": "raw", "boolean": true}],
       "facts": [{"name": "x.y", "unit": "mm"}, {"name": "x.z", "unit": "m"}, {"name": "x.z", "unit": "m"}]}
      """)
    // Two further mistakes are reported only after corrections: an unreachable state after the correction of
    // a transition, and the duplicate fact `x.z` after the correction of a unit.
    #expect(
      problems.map { "\($0.place.text) \($0.place.part)" } == [
        "1:33 device", "1:49 kind", "2:38 states[0].power", "3:57 states[1].per_hertz", "4:22 states[2].name",
        "5:26 transitions[0][1]", "6:13 events[0].energy", "6:58 events[1].energy", "7:60 attributes[1].name",
        "8:36 facts[0].unit",
      ])
  }

  @Test("an array, an empty text and a missing file are rejected, each with its own error code")
  func unexpectedContent() {
    #expect(Self.problems("[]").map(\.code) == [.type])
    #expect(Self.problems("").map(\.code) == [.empty])
    let error = #expect(throws: Problem.self) { try ManifestReader.manifest(path: "/nowhere/m.json") }
    #expect(error?.all.map(\.code) == [.notFound])
  }
}
