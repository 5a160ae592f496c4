import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintGpsd

@Suite("gpsd: the session, without a socket")
struct GpsdSessionTests {
  private static let version = #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"#
  private static let watchRequest = "?WATCH={\"enable\":true,\"json\":true};\n"
  private let start = Instant(nanoseconds: 1_000_000_000)

  private func line(_ text: String) -> [UInt8] { Array((text + "\r\n").utf8) }

  /// Returns a session that watches.
  private func watching(_ settings: GpsdSettings = GpsdSettings(), every cycle: TimeSpan? = nil)
    -> GpsdSession
  {
    var session = GpsdSession(settings)
    #expect(session.watch(every: cycle, at: start) == [.connect])
    #expect(session.connected(at: start).isEmpty)
    #expect(session.received(line(Self.version), at: start).count == 1)
    #expect(session.isWatching)
    return session
  }

  @Test("before a watch is wanted, the session does nothing and sets no deadline")
  func idle() {
    var session = GpsdSession(GpsdSettings())
    #expect(session.deadline == nil)
    #expect(session.unwatch(at: start).isEmpty)
    #expect(session.tick(at: .distantFuture).isEmpty)
    #expect(session.close().isEmpty)
    #expect(session.received(line(Self.version), at: start).isEmpty)
  }

  @Test("the watch is requested after the greeting and ended before the connection is closed")
  func watch() {
    var session = GpsdSession(GpsdSettings())
    #expect(session.watch(every: nil, at: start) == [.connect])
    #expect(session.connected(at: start).isEmpty)
    #expect(session.received(line(Self.version), at: start) == [.send(Self.watchRequest)])
    #expect(session.unwatch(at: start) == [.send("?WATCH={\"enable\":false};\n"), .disconnect])
    #expect(session.deadline == nil)
  }

  @Test("a receiver in the settings is named in the watch request, and other receivers are ignored")
  func oneReceiver() {
    var settings = GpsdSettings()
    settings.device = "/dev/a"
    var session = GpsdSession(settings)
    _ = session.watch(every: nil, at: start)
    _ = session.connected(at: start)
    #expect(
      session.received(line(Self.version), at: start)
        == [.send("?WATCH={\"enable\":true,\"json\":true,\"device\":\"/dev/a\"};\n")])
    #expect(session.received(line(#"{"class":"TPV","device":"/dev/b","mode":3}"#), at: start).isEmpty)
    #expect(session.received(line(#"{"class":"TPV","device":"/dev/a","mode":3}"#), at: start).count == 1)
  }

  @Test(
    "the session retries a missing gpsd after 1, 2, 4 s and so on up to the limit, and reports it once")
  func backoff() {
    var settings = GpsdSettings()
    settings.retry = .seconds(5)
    var session = GpsdSession(settings)
    var now = start
    var told: [GpsdSession.Report] = []
    var waits: [Int64] = []
    _ = session.watch(every: nil, at: now)
    for _ in 0..<5 {
      for case .tell(let report) in session.failed("Connection refused", at: now) { told.append(report) }
      guard let deadline = session.deadline else { break }
      waits.append((deadline - now).nanoseconds / 1_000_000_000)
      #expect(session.tick(at: deadline - TimeSpan(nanoseconds: 1)).isEmpty)
      now = deadline
      #expect(session.tick(at: now) == [.connect])
    }
    #expect(waits == [1, 2, 4, 5, 5])
    let text = "gpsd at 127.0.0.1:2947: Connection refused; trying again, next in 1 s"
    #expect(told == [.lost, .fault(text), .available(false)])
  }

  @Test(
    "a gpsd that returns is reported, and watched again only if the watch is still wanted",
    arguments: [true, false])
  func back(isWanted: Bool) {
    var session = watching()
    #expect(session.failed("gpsd closed the connection", at: start).contains(.tell(.available(false))))
    if !isWanted { #expect(session.unwatch(at: start).isEmpty) }
    let later = start + .seconds(1)
    #expect(session.tick(at: later) == [.connect])
    _ = session.connected(at: later)
    let actions = session.received(line(Self.version), at: later)
    let next: GpsdSession.Action = isWanted ? .send(Self.watchRequest) : .disconnect
    #expect(actions == [.tell(.available(true)), next])
    #expect((session.deadline == nil) == !isWanted)
  }

  @Test("an incomplete line at the end of the connection is reported with its length")
  func halfLine() {
    var session = watching()
    _ = session.received(Array(#"{"class":"TPV","mo"#.utf8), at: start)
    let faults = session.failed("gpsd closed the connection", at: start).compactMap { action in
      if case .tell(.fault(let text)) = action { text } else { nil }
    }
    #expect(faults.count == 1)
    #expect(faults.first?.contains("18 bytes of an unfinished line are lost") == true)
  }

  @Test(
    "a malformed line is skipped with a fault, and the next line is read",
    arguments: [
      "nonsense", "{", #"{"class":"TPV","lat":NaN}"#, #"{"class":"TPV","lat":1e999}"#, "[]", #"{"mode":3}"#,
      #"{"class":"DEVICE"}"#, "\u{0}", #"{"class":3}"#,
    ])
  func badLine(text: String) {
    var session = watching()
    let actions = session.received(line(text) + line(#"{"class":"TPV","mode":1}"#), at: start)
    #expect(actions.count == 2)
    guard case .tell(.fault(let sentence))? = actions.first, case .tell(.position)? = actions.last else {
      Issue.record("\(actions)")
      return
    }
    #expect(sentence.hasSuffix("; skipped"))
  }

  @Test("a thousand malformed lines are reported by ten faults")
  func flood() {
    var session = watching()
    let flood = (0..<1000).flatMap { _ in line("nonsense") }
    let actions = session.received(flood, at: start)
    #expect(actions.count == 10)
    #expect("\(actions.last.map { "\($0)" } ?? "")".contains("512 such lines"))
  }

  @Test("an unsupported protocol version or a missing greeting ends the connection, with a reason")
  func notGpsd() {
    var session = GpsdSession(GpsdSettings())
    _ = session.watch(every: nil, at: start)
    _ = session.connected(at: start)
    let actions = session.received(line(#"{"class":"VERSION","release":"9","proto_major":4}"#), at: start)
    #expect("\(actions)".contains("uses protocol version 4"))

    var silent = GpsdSession(GpsdSettings())
    _ = silent.watch(every: nil, at: start)
    _ = silent.connected(at: start)
    #expect("\(silent.tick(at: start + .seconds(10)))".contains("no greeting within 10 s"))
  }

  @Test(
    "after 30 s of silence, the session queries gpsd; after 10 s without an answer, the connection is lost")
  func silence() {
    var session = watching()
    let asked = start + .seconds(30)
    #expect(session.tick(at: asked) == [.send("?VERSION;\n"), .tell(.lost)])
    var answered = session
    #expect(answered.received(line(Self.version), at: asked).isEmpty)
    #expect(answered.isWatching)
    #expect(answered.deadline == asked + .seconds(30))
    #expect("\(session.tick(at: asked + .seconds(10)))".contains("no answer within 10 s"))
    #expect(!session.isWatching)
  }

  @Test("a rate is requested once if the receiver can change it; the rate in the answer is reported")
  func rate() {
    var session = watching(every: .seconds(5))
    let device =
      #"{"class":"DEVICE","path":"/dev/a","activated":"2026","driver":"u-blox","cycle":1.0,"mincycle":0.2}"#
    #expect(
      session.received(line(device), at: start) == [
        .tell(.cycle(.seconds(1))), .send("?DEVICE={\"path\":\"/dev/a\",\"cycle\":5.0};\n"),
      ])
    #expect(session.received(line(device), at: start) == [.tell(.cycle(.seconds(1)))])
    #expect(
      session.watch(every: .milliseconds(100), at: start)
        == [.send("?DEVICE={\"path\":\"/dev/a\",\"cycle\":0.2};\n")])
  }

  @Test("a rate is requested only when it differs from the current rate")
  func rateThatIs() {
    var session = watching(every: .seconds(1))
    let device =
      #"{"class":"DEVICE","path":"/dev/a","activated":"2026","driver":"u-blox","cycle":1.0,"mincycle":0.2}"#
    #expect(session.received(line(device), at: start) == [.tell(.cycle(.seconds(1)))])
    #expect(session.watch(every: .seconds(2), at: start).count == 1)
    #expect(
      session.watch(every: .seconds(1), at: start)
        == [.send("?DEVICE={\"path\":\"/dev/a\",\"cycle\":1.0};\n")])
  }

  @Test("no rate is requested from a receiver with a fixed rate")
  func fixedRate() {
    var session = watching(every: .seconds(5))
    let device = #"{"class":"DEVICE","path":"/dev/a","activated":1.5,"driver":"NMEA0183","cycle":1.0}"#
    #expect(session.received(line(device), at: start) == [.tell(.cycle(.seconds(1)))])
  }

  @Test("a missing receiver is reported once; an unplugged receiver is reported as unavailable")
  func faults() {
    var session = watching()
    let empty = session.received(line(#"{"class":"DEVICES","devices":[]}"#), at: start)
    #expect("\(empty)".contains("has no receiver; add it with gpsdctl add"))
    #expect(session.received(line(#"{"class":"DEVICES","devices":[]}"#), at: start).isEmpty)
    _ = session.received(line(#"{"class":"DEVICE","path":"/dev/a","activated":1.5}"#), at: start)
    let gone = session.received(line(#"{"class":"DEVICE","path":"/dev/a","activated":0}"#), at: start)
    #expect("\(gone)".contains("/dev/a is closed or was unplugged; trying again, next in 1 s"))
    #expect(gone.contains(.tell(.available(false))))
  }

  @Test("a request that gpsd rejects is reported with the reason")
  func refusal() {
    var session = watching()
    let error = session.received(line(#"{"class":"ERROR","message":"Unrecognized request"}"#), at: start)
    #expect(error == [.tell(.fault("gpsd rejects a request: Unrecognized request"))])
  }

  @Test("the session reconnects for an unplugged receiver after 1, 2, 4 s, until the receiver sends data")
  func pulledOut() {
    let here = #"{"class":"DEVICE","path":"/dev/a","activated":"2026","driver":"u-blox","cycle":1.0}"#
    let gone = #"{"class":"DEVICE","path":"/dev/a","activated":0}"#
    let list = #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"}]}"#
    var session = watching()
    var now = start
    _ = session.received(line(here) + line(gone), at: now)
    #expect(!session.isAvailable)
    var waits: [TimeSpan] = []
    for _ in 0..<3 {
      let due = session.deadline ?? now
      waits.append(due - now)
      #expect(session.tick(at: due) == [.connect])
      _ = session.connected(at: due)
      let back = session.received(line(Self.version) + line(list), at: due)
      #expect(
        back.first == .tell(.available(true)), "the device is available again as soon as gpsd greets")
      #expect(session.isWatching)
      now = due + GpsdSession.timeout
      #expect("\(session.tick(at: now))".contains("no data from the receiver within 10 s"))
    }
    #expect(waits == [.seconds(1), .seconds(2), .seconds(4)])
    now = session.deadline ?? now
    _ = session.tick(at: now)
    _ = session.connected(at: now)
    _ = session.received(line(Self.version) + line(here), at: now)
    #expect(session.tick(at: now + GpsdSession.timeout).isEmpty, "the receiver is present")
    #expect(session.received(line(here), at: now).first == .tell(.cycle(.seconds(1))))
    _ = session.failed("gone", at: now)
    #expect(session.deadline == now + .seconds(16), "no positions have arrived, so the delay grows")
  }
}

@Suite("gpsd: several receivers, and short connections")
struct GpsdPersistenceTests {
  private static let version = #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"#
  private let start = Instant(nanoseconds: 1_000_000_000)

  private func line(_ text: String) -> [UInt8] { Array((text + "\r\n").utf8) }

  private func position(_ device: String) -> [UInt8] {
    line(#"{"class":"TPV","device":"\#(device)","mode":3,"lat":1,"lon":2}"#)
  }

  private func connect(_ session: inout GpsdSession, at now: Instant) {
    _ = session.connected(at: now)
    _ = session.received(line(Self.version), at: now)
  }

  private func positions(_ actions: [GpsdSession.Action]) -> Int {
    actions.count { if case .tell(.position) = $0 { true } else { false } }
  }

  @Test("of several receivers, the session uses the first active one and reports each other receiver once")
  func twoReceivers() {
    var session = GpsdSession(GpsdSettings())
    _ = session.watch(every: nil, at: start)
    connect(&session, at: start)
    let list =
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"},"#
      + #"{"class":"DEVICE","path":"/dev/b","activated":1.0},{"class":"DEVICE","path":"/dev/c","activated":1.0}]}"#
    let told = session.received(line(list), at: start)
    #expect("\(told)".contains("has /dev/a besides /dev/b"))
    #expect("\(told)".contains("has /dev/c besides /dev/b"))
    #expect(positions(session.received(position("/dev/b"), at: start)) == 1)
    for _ in 0..<3 { #expect(session.received(position("/dev/c"), at: start).isEmpty) }
  }

  @Test(
    "the retry delay grows while gpsd disconnects after each greeting, and resets after 10 s of positions")
  func greetsAndDrops() {
    var settings = GpsdSettings()
    settings.retry = .seconds(8)
    var session = GpsdSession(settings)
    var now = start
    var waits: [Int64] = []
    _ = session.watch(every: nil, at: now)
    func drop() {
      _ = session.failed("gpsd closed the connection", at: now)
      guard let deadline = session.deadline else { return }
      waits.append((deadline - now).nanoseconds / 1_000_000_000)
      now = deadline
      _ = session.tick(at: now)
    }
    for _ in 0..<5 {
      connect(&session, at: now)
      drop()
    }
    #expect(waits == [1, 2, 4, 8, 8])
    connect(&session, at: now)
    _ = session.received(position("/dev/a"), at: now)
    now = now + GpsdSession.proof
    _ = session.received(position("/dev/a"), at: now)
    drop()
    #expect(waits.last == 1)
  }

  @Test("a receiver whose time is stuck is reported after ten seconds, and its positions give no samples")
  func frozenTime() throws {
    let plugin = try GpsdPlugin(GpsdSettings()) { Instant(nanoseconds: 0) }
    let port = DevicePort(manifest: plugin.manifest)
    var receiver = GpsdReceiver(port, release: .zero)
    let on = Setting(isOn: true, accuracy: 10, period: .seconds(1))
    receiver.apply(on, wasWatching: true, isAvailable: true, at: start)
    func take(_ time: String, _ second: Int64) throws -> (faults: [String], samples: Int) {
      let text = #"{"class":"TPV","mode":3,"time":"\#(time)","lat":47.05,"lon":8.31,"eph":4.5}"#
      guard case .position(let position) = try GpsdMessage(line: Array(text.utf8)) else { return ([], 0) }
      receiver.ingest(.position(position), at: start + .seconds(second))
      receiver.deliverHeld(at: start + .seconds(second))
      var events: [PortEvent] = []
      port.drainEvents(into: &events)
      let faults = events.compactMap { event in
        if case .outcome(.fault(let text), _) = event { text } else { nil }
      }
      let samples = events.reduce(0) { sum, event in
        if case .batch(let batch, _) = event { sum + batch.samples.count } else { sum }
      }
      return (faults, samples)
    }
    #expect(try take("2026-03-01T10:00:00.000Z", 0).samples == 1)
    var faults: [String] = []
    for second in 1..<60 {
      let told = try take("2026-03-01T10:00:00.000Z", Int64(second))
      #expect(told.samples == 0)
      faults += told.faults
    }
    #expect(
      faults == [
        "the receiver's time is stuck at 2026-03-01T10:00:00.000Z for 10 s; its positions are ignored"
      ])
    #expect(try take("2026-03-01T10:01:00.000Z", 60).samples == 1)
  }
}
