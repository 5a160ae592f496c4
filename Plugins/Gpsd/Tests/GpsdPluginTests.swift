import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintGpsd

@Suite("gpsd: the plugin with a fake server that speaks the protocol of gpsd")
struct GpsdPluginTests {
  private static let on = Setting(isOn: true, accuracy: 10, period: .seconds(1))

  private static func position(_ second: Int, mode: Int = 3) -> String {
    #"{"class":"TPV","device":"/dev/a","mode":\#(mode),"time":"2005-03-01T10:00:0\#(second).000Z","lat":47.05,"#
      + #""lon":8.31,"eph":4.5,"speed":1.5}"#
  }

  /// A plugin with a fake server and a test host that receives the plugin's events. `watch` turns the plugin
  /// on.
  private struct Stage {
    let server: FakeGpsd
    let plugin: GpsdPlugin
    let listener: PortListener
    let clock: ManualClock

    init(isListening: Bool = true) async throws {
      server = try FakeGpsd(isListening: isListening)
      clock = ManualClock()
      var settings = GpsdSettings()
      settings.port = server.port
      let clock = clock
      plugin = try GpsdPlugin(settings) { clock.now }
      listener = PortListener(plugin.manifest)
      try await plugin.open(listener.port, at: clock.now)
    }

    func watch() async throws {
      try await plugin.apply(GpsdPluginTests.on, at: clock.now)
      try server.accept()
      #expect(try server.request() == "?WATCH={\"enable\":true,\"json\":true};")
    }

    func state(_ name: String) -> (PortEvent) -> Bool {
      let number = plugin.manifest.states.firstIndex { $0.name == name }
      return { event in
        guard case .outcome(.state(let state, _), _) = event else { return false }
        return state == number
      }
    }
  }

  private func isFault(_ part: String) -> (PortEvent) -> Bool {
    { event in
      guard case .outcome(.fault(let text), _) = event else { return false }
      return text.contains(part)
    }
  }

  private func isBatch(_ event: PortEvent) -> Bool { if case .batch = event { true } else { false } }

  @Test("the plugin connects only when the device is turned on")
  func quiet() async throws {
    let stage = try await Stage()
    try await stage.plugin.apply(.off, at: stage.clock.now)
    await stage.plugin.close(at: stage.clock.now)
    var events: [PortEvent] = []
    stage.listener.port.drainEvents(into: &events)
    #expect(events.allSatisfy { stage.state("off")($0) })
  }

  @Test("turning on starts a watch, turning off ends the watch, and a fix gives five facts and a sample")
  func dayInTheLife() async throws {
    let stage = try await Stage()
    try await stage.watch()
    stage.server.say(Self.position(1))
    let events = try stage.listener.receive(until: isBatch)
    #expect(events.contains(where: stage.state("search")))
    #expect(events.contains(where: stage.state("track")))
    let facts = events.compactMap { event -> FactValue? in
      if case .fact(_, let value, _) = event { value } else { nil }
    }
    #expect(facts == [.number(47.05), .number(8.31), .number(4.5), .number(1.5), .number(0)])
    guard case .batch(let batch, let at)? = events.first(where: isBatch) else { return }
    #expect(batch.samples.count == 1)
    #expect(batch.samples[0].instant == at, "the receiver's date, 2005, is ignored")
    try await stage.plugin.apply(.off, at: stage.clock.now)
    #expect(try stage.server.request() == "?WATCH={\"enable\":false};")
    #expect(try stage.server.request() == nil, "the connection is closed")
    let after = try stage.listener.receive(until: stage.state("released"))
    #expect(!after.contains(where: stage.state("off")))
    let alarm = try #require(stage.listener.port.alarm)
    await stage.plugin.wake(at: alarm, horizon: alarm)
    _ = try stage.listener.receive(until: stage.state("off"))
  }

  @Test("reports with the same time count as one fix, and reports that come too early are ignored")
  func duplicates() async throws {
    let stage = try await Stage()
    try await stage.watch()
    stage.server.say(Self.position(1))
    stage.server.say(Self.position(1))
    stage.server.say(Self.position(2))
    stage.server.say("nonsense")
    let events = try stage.listener.receive(until: isFault("not JSON"))
    #expect(events.count(where: isBatch) == 1)
    stage.clock.advance(by: .seconds(1))
    stage.server.say(Self.position(3))
    #expect(try stage.listener.receive(until: isBatch).count(where: isBatch) == 1)
    await stage.plugin.close(at: stage.clock.now)
  }

  @Test("when a connection ends within a line, samples are kept, facts become unknown, the plugin reconnects")
  func goneAndBack() async throws {
    let stage = try await Stage()
    var holding = Self.on
    holding.isHolding = true
    try await stage.plugin.apply(holding, at: stage.clock.now)
    try stage.server.accept()
    _ = try stage.server.request()
    stage.server.say(Self.position(1))
    _ = try stage.listener.receive { if case .fact = $0 { true } else { false } }
    stage.server.send(Array(#"{"class":"TPV","mode":3,"lat"#.utf8))
    stage.server.hangUp()
    let events = try stage.listener.receive { if case .available(false, _) = $0 { true } else { false } }
    #expect(events.contains(where: isFault("gpsd closed the connection")))
    #expect(events.contains { if case .fact(_, .unknown, _) = $0 { true } else { false } })
    stage.clock.advance(by: .seconds(2))
    try await stage.plugin.apply(holding, at: stage.clock.now)
    try stage.server.accept()
    _ = try stage.server.request()
    _ = try stage.listener.receive { if case .available(true, _) = $0 { true } else { false } }
    stage.clock.advance(by: .seconds(2))
    stage.server.say(Self.position(5))
    _ = try stage.listener.receive(until: stage.state("track"))
    await stage.plugin.close(at: stage.clock.now)
    let last = try stage.listener.receive(until: stage.state("off"))
    guard case .batch(let batch, _)? = last.first(where: isBatch) else {
      Issue.record("nothing was delivered at the end: \(last)")
      return
    }
    #expect(batch.samples.map(\.sequence) == [0, 1])
  }

  @Test("without gpsd, a fault names the address, the device is unavailable, and its last state is not on")
  func refused() async throws {
    let stage = try await Stage(isListening: false)
    let port = stage.server.port
    try await stage.plugin.apply(Self.on, at: stage.clock.now)
    let events = try stage.listener.receive { if case .available(false, _) = $0 { true } else { false } }
    #expect(events.contains(where: isFault("gpsd at 127.0.0.1:\(port): Connection refused; trying again")))
    let states = events.compactMap { event in
      guard case .outcome(.state(let state, _), _) = event else { return nil as Int? }
      return state
    }
    #expect(states.last.map { stage.plugin.manifest.states[$0].isOn } == false, "\(states)")
    await stage.plugin.close(at: stage.clock.now)
  }

  @Test("stored positions of the receiver form one batch in the order of time, and are accepted only once")
  func stored() async throws {
    let stage = try await Stage()
    try await stage.watch()
    stage.server.say(Self.position(9))
    _ = try stage.listener.receive(until: isBatch)
    let log = [3, 1, 2].map { second in
      #"{"class":"LOG","time":"2005-03-01T10:00:0\#(second).000Z","mode":3,"lat":47.0\#(second),"lon":8.3,"#
        + #""tAcc":1,"hAcc":26,"tAcc":2,"gSpeed":0}"#
    }
    stage.server.send(Array((log.joined(separator: "\r\n") + "\r\n").utf8))
    let events = try stage.listener.receive(until: isBatch)
    var seen: [Double] = []
    for case .batch(let batch, let at) in events {
      seen += batch.samples.map(\.first)
      #expect(batch.samples.allSatisfy { $0.instant <= at })
    }
    #expect(seen == [47.01, 47.02, 47.03])
    // A receiver sends its stored positions again on request: only new positions are accepted.
    stage.clock.advance(by: .seconds(5))
    let more = log + [log[0].replacing("10:00:03", with: "10:00:04")]
    stage.server.send(Array((more.joined(separator: "\r\n") + "\r\n").utf8))
    let again = try stage.listener.receive(until: isBatch)
    #expect(again.count { isBatch($0) } == 1)
    guard case .batch(let batch, _)? = again.first(where: isBatch) else { return }
    #expect(batch.samples.count == 1)
    await stage.plugin.close(at: stage.clock.now)
  }

  @Test("a report without a valid position gives no fix, and an invalid position is also reported as a fault")
  func nowhere() async throws {
    let stage = try await Stage()
    try await stage.watch()
    stage.server.say(#"{"class":"TPV","mode":3,"lat":95.0,"lon":8.3}"#)
    stage.server.say(#"{"class":"TPV","mode":3}"#)
    stage.server.say(#"{"class":"ERROR","message":"the end"}"#)
    let events = try stage.listener.receive(until: isFault("the end"))
    #expect(events.contains(where: isFault("invalid position: latitude 95.0")))
    #expect(!events.contains(where: stage.state("track")))
    #expect(!events.contains(where: isBatch))
    await stage.plugin.close(at: stage.clock.now)
  }

  @Test("F11: the plugin passes the conformance check with a server that never sends its greeting")
  func conformance() async throws {
    let server = try FakeGpsd()
    let clock = ManualClock()
    var settings = GpsdSettings()
    settings.port = server.port
    let plugin = try GpsdPlugin(settings) { clock.now }
    // The system establishes each connection, but the server never accepts a connection. So the plugin gets
    // no greeting.
    let report = await PluginConformance.check(plugin, at: clock.now)
    #expect(report.passed, "\(report)")
  }

  @Test("the manifest contains the site's setting for the time that gpsd keeps a receiver on")
  func release() throws {
    for span in [TimeSpan.seconds(60), .seconds(5)] {
      let devices = try GpsdPlugin.linked.make(["release": .span(span)]) { Instant(nanoseconds: 0) }
      #expect(devices[0].plugin.manifest.figures["released_for"]?.timeSpan == span)
      #expect(devices[0].manifestText.contains("\"released_for\": \"\(span)\""))
    }
  }

  @Test("turning on and off a hundred times ends each watch and closes each connection")
  func oftenOnAndOff() async throws {
    let stage = try await Stage()
    for _ in 0..<100 {
      try await stage.watch()
      try await stage.plugin.apply(.off, at: stage.clock.now)
      #expect(try stage.server.request() == "?WATCH={\"enable\":false};")
      #expect(try stage.server.request() == nil)
      stage.server.hangUp()
    }
    await stage.plugin.close(at: stage.clock.now)
  }
}
