import Stint
import StintModel
import StintServices
import StintUnits
import Testing

/// Tests the `default` blocks of policies with requests of an app and of a program at the socket.
@Suite struct DefaultTests {
  private static func policy(_ settings: String) -> String {
    """
    policy "trail" version 1
    use location.gnss as gps
    default gps { \(settings) }
    """
  }

  private static let all = "accuracy 10 m  activity automotive  rate 1 per 5 s  background on  pause off"
  private static let stated =
    "accuracy 10 m, rate 1 per 5 s, activity automotive, background on, pause off"
  private static let filled = "on, accuracy 10 m, every 5 s, automotive\n"

  @Test(
    "each setting that a request omits comes from the default, and `why` reports default and setting",
    arguments: Entry.allCases)
  func fill(entry: Entry) async throws {
    for (kind, settings) in [("updates", ""), ("samples", #""device":"location.gnss""#)] {
      try await EntryStage.with(entry, .always) { stage in
        try await stage.bus.load(text: Self.policy(Self.all))
        #expect(try await stage.ask(kind, settings, 1) == nil)
        try await stage.bus.advance(by: .seconds(60))
        let why = await stage.bus.why("location.gnss")
        #expect(why.contains("default      policies") && why.contains(Self.stated), "\(why)")
        #expect(why.contains(Self.filled), "\(why)")
        #expect(try await stage.serves("location.gnss"))
        try await stage.set(.background)
        try await stage.bus.advance(by: .seconds(60))
        #expect(try await stage.serves("location.gnss"), "the default allows background use")
      }
    }
  }

  @Test("a setting of the request takes precedence over the default", arguments: Entry.allCases)
  func own(entry: Entry) async throws {
    try await EntryStage.with(entry, .always) { stage in
      try await stage.bus.load(text: Self.policy(Self.all))
      let settings = #""accuracy":"5 m","rate":"1 Hz","activity":"fitness","background":false"#
      #expect(try await stage.ask("updates", settings, 1) == nil)
      try await stage.bus.advance(by: .seconds(30))
      let why = await stage.bus.why("location.gnss")
      #expect(why.contains("accuracy 5 m, every 1 s, fitness, since"), "\(why)")
      try await stage.set(.background)
      try await stage.bus.advance(by: .seconds(30))
      #expect(try await !stage.serves("location.gnss"))
    }
  }

  @Test("a setting that a demand for samples omits comes from the default")
  func stream() async throws {
    try await EntryStage.with(.app, .always) { stage in
      try await stage.bus.load(text: Self.policy(Self.all))
      try await stage.app.withDemand(.samples(of: "location.gnss")) { _ in
        try await stage.bus.advance(by: .seconds(30))
        #expect(await stage.bus.why("location.gnss").contains(Self.filled))
        await stage.app.setPresence(.background)
        try await stage.bus.advance(by: .seconds(60))
        #expect(try await stage.serves("location.gnss"))
        try await stage.bus.load(text: Self.policy("accuracy 10 m"))
        try await stage.bus.advance(by: .seconds(1))
        #expect(try await stage.serves("location.gnss"), "a running demand keeps its background flag")
      }
      try await stage.app.withDemand(.samples(of: "location.gnss")) { _ in
        try await stage.bus.advance(by: .seconds(60))
        #expect(try await !stage.serves("location.gnss"))
      }
    }
  }

  /// Returns the number of positions that a request without settings gets within ten minutes.
  private static func positions(_ settings: String) async throws -> Int {
    let count = Locked(0)
    try await EntryStage.with(.app, .always) { stage in
      try await stage.bus.load(text: policy(settings))
      let notices = try await stage.app.ask("way", for: LocationUpdates())
      try await stage.bus.advance(by: .seconds(600))
      await stage.app.end("way")
      for try await _ in notices.fixes { count.withLock { $0 += 1 } }
    }
    return count.withLock { $0 }
  }

  @Test("a filter that a request omits comes from the default")
  func filter() async throws {
    #expect(try await Self.positions("accuracy 10 m  pause off") > 400)
    #expect((1...10).contains(try await Self.positions("accuracy 10 m  pause off  filter 150 m")))
  }

  @Test("a running request follows the default of a new policy", arguments: Entry.allCases)
  func reload(entry: Entry) async throws {
    try await EntryStage.with(entry, .always) { stage in
      try await stage.bus.load(text: Self.policy("accuracy 10 m"))
      #expect(try await stage.ask("updates", "", 1) == nil)
      try await stage.bus.advance(by: .seconds(30))
      #expect(await stage.bus.why("location.gnss").contains("accuracy 10 m, other, since"))
      try await stage.bus.load(text: Self.policy("accuracy 50 m  rate 1 per 20 s"))
      try await stage.bus.advance(by: .seconds(30))
      let why = await stage.bus.why("location.gnss") + stage.bus.why("location.wifi")
      #expect(why.contains("accuracy 50 m, every 20 s, other, since"), "\(why)")
    }
  }

  @Test("`background on` in a default has no effect for an app that does not declare background use")
  func undeclared() async throws {
    try await EntryStage.with(.app, .always) { stage in
      try await stage.bus.load(text: Self.policy(Self.all))
      let other = try await stage.bus.attach("other", authorized: .always, mayBackground: false)
      _ = try await other.ask("way", for: LocationUpdates())
      await other.setPresence(.background)
      try await stage.bus.advance(by: .seconds(30))
      let report = try #require(await stage.bus.devices().first { $0.name == "location.gnss" })
      #expect(report.waiting.map(\.status) == ["background"], "\(report)")
    }
  }
}
