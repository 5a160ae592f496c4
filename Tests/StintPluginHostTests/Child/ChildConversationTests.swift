import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintPluginHost

@Suite("The host accepts only those messages of a plugin's process that the manifest allows")
struct ChildConversationTests {
  private static let manifest = Manifest(
    device: "a.b", kind: .sensor, title: "",
    states: [
      .init(name: "off", power: .zero, isOn: false), .init(name: "warm", power: .zero, isOn: true),
      .init(name: "on", power: .zero, isOn: true),
    ],
    transitions: [
      .init(from: 0, to: 1), .init(from: 1, to: 2), .init(from: 2, to: 0), .init(from: 1, to: 0),
    ],
    events: [.init(name: "scan", energy: .zero)],
    attributes: [
      .init(name: "rate", type: .quantity(.rate), range: 0.001...10)
    ], fifo: 10, channels: [.init(name: "x", unit: "m")],
    facts: [
      FactSchema(path: "a.b.level", type: .quantity(.ratio), range: 0...1),
      FactSchema(path: "a.b.word", type: .symbol(["still", "moving"])),
    ])

  private static let now = Instant.epoch + .seconds(100)

  /// A `ChildConversation` and the plugin at its other end. The plugin numbers the frames that it sends.
  private struct ConversationUnderTest {
    var conversation = ChildConversation(manifest, firstSample: 0, at: now)
    var sequence: UInt64 = 0

    /// Sends a frame and returns its message.
    ///
    /// - Throws: the fault when the host rejects the frame.
    mutating func send(_ frame: PluginFrame, at now: Instant = now) throws(FrameFault) -> PluginMessage? {
      conversation.receive(frame.frame(sequence).bytes[...])
      sequence += 1
      return try conversation.next(at: now)
    }

    /// Returns an open conversation; the device is on when `isOn` is true.
    static func serving(isOn: Bool = true) throws(FrameFault) -> ConversationUnderTest {
      var tested = ConversationUnderTest()
      _ = tested.conversation.hello(steady: 0)
      _ = try tested.send(.welcome(major: 1, minor: 7))
      _ = try tested.send(.manifest(FrameManifest(of: manifest)))
      _ = tested.conversation.open([], at: now)
      _ = try tested.send(.opened(at: now))
      guard isOn else { return tested }
      _ = tested.conversation.apply(Setting(isOn: true), at: now)
      _ = try tested.send(.applied(1, state: 1, period: nil, at: now))
      return tested
    }
  }

  private func sample(_ sequence: UInt64, at instant: Instant = now, _ second: Double = 0) -> Sample {
    Sample(instant: instant, sequence: sequence, 1, second)
  }

  @Test(
    "X07: up to twenty faults at once and a fault every five seconds are reported; other faults are counted")
  func floodOfFaults() throws {
    var tested = try ConversationUnderTest.serving()
    var reported = 0
    for count in 0..<1_000 {
      let instant = Self.now + .milliseconds(Int64(count) * 10)
      let message = try tested.send(.fault("dusty", at: instant), at: instant)
      if message == .outcome(.fault("dusty"), at: instant) {
        reported += 1
      } else {
        #expect(message == .dropped)
      }
    }
    #expect(reported == 21)
    #expect(tested.conversation.faults.dropped == 979)
    // A restart of the process does not reset the limit of faults.
    var next = ConversationUnderTest()
    next.conversation = ChildConversation(
      [ProgramDevice(Self.manifest)], firstSamples: [0], faults: tested.conversation.faults, at: Self.now)
    #expect(next.conversation.faults == tested.conversation.faults)
  }

  @Test("a conversation begins with welcome, manifest and opened; another order is a fault")
  func openingOrder() throws {
    var tested = ConversationUnderTest()
    #expect(try tested.send(.welcome(major: 1, minor: 0)) == nil)
    #expect(try tested.send(.manifest(FrameManifest(of: Self.manifest))) == .described)
    _ = tested.conversation.open([], at: Self.now)
    #expect(try tested.send(.opened(at: Self.now)) == .opened)
    for frame: PluginFrame in [.opened(at: Self.now), .fact(0, .unknown, at: Self.now)] {
      var early = ConversationUnderTest()
      let fault = #expect(throws: FrameFault.self) { try early.send(frame) }
      #expect(fault?.code == .order && fault?.sentence == "sent \(frame.name) where welcome is expected")
    }
  }

  @Test(
    "another major version of the protocol is a permanent fault, whose text contains the version",
    arguments: [0, 2, 65535] as [UInt16])
  func majorVersion(major: UInt16) {
    var tested = ConversationUnderTest()
    let fault = #expect(throws: FrameFault.self) { try tested.send(.welcome(major: major, minor: 0)) }
    let age = major == 0 ? "older" : "newer"
    #expect(fault?.sentence == "uses protocol version \(major).0, which is \(age) than 1.8")
    #expect(fault.map { ChildFailure($0).isPermanent } == true)
  }

  @Test("valid frames become messages with values in base units, and lost samples are counted")
  func validFrames() throws {
    var tested = try ConversationUnderTest.serving()
    let now = Self.now
    #expect(try tested.send(.fact(0, .number(50), at: now)) == .fact(0, .number(0.5), at: now))
    #expect(try tested.send(.fact(1, .symbol(1), at: now)) == .fact(1, .symbol(1), at: now))
    #expect(try tested.send(.event(0, count: 2, at: now)) == .outcome(.event(0, count: 2), at: now))
    #expect(
      try tested.send(.state(2, period: .seconds(1), at: now))
        == .outcome(.state(2, period: .seconds(1)), at: now))
    #expect(try tested.send(.available(false, at: now)) == .available(false, at: now))
    #expect(try tested.send(.fault("dusty", at: now)) == .outcome(.fault("dusty"), at: now))
    #expect(
      try tested.send(.batch([sample(0), sample(3)], .full, at: now))
        == .batch(Batch(device: "a.b", samples: [sample(0), sample(3)], reason: .full), at: now))
    #expect(tested.conversation.lostSamples == 2 && tested.conversation.nextSample == 4)
    _ = tested.conversation.drain(.flushed, at: now)
    #expect(
      try tested.send(.batch([sample(4)], .ended, at: now))
        == .batch(Batch(device: "a.b", samples: [sample(4)], reason: .flushed), at: now))
    #expect(try tested.send(.drained(2, at: now)) == .answered)
    _ = tested.conversation.close(at: now)
    #expect(try tested.send(.closed(at: now)) == .closed)
    #expect(throws: FrameFault.self) { try tested.send(.fault("and another thing", at: now)) }
  }

  @Test("X07: each violation of the manifest is a fault with the code of its kind")
  func violations() throws {
    let now = Self.now
    let later = now + .seconds(2)
    let earlier = now - .seconds(1)
    let violations: [(PluginFrame, FrameFault.Code)] = [
      (.fact(0, .number(.infinity), at: now), .value), (.fact(0, .boolean(true), at: now), .value),
      (.fact(1, .symbol(2), at: now), .value), (.fact(2, .unknown, at: now), .value),
      (.fact(0, .number(1), at: later), .time), (.fact(0, .number(1), at: earlier), .time),
      (.event(1, count: 1, at: now), .value), (.state(3, period: nil, at: now), .value),
      (.applied(1, state: 1, period: nil, at: now), .order), (.drained(1, at: now), .order),
      (.refused(2, "no", at: now), .order), (.closed(at: now), .order), (.opened(at: now), .order),
      (.welcome(major: 1, minor: 0), .order),
      (.batch([sample(1), sample(1)], .immediate, at: now), .sequence),
      (.batch([sample(0, at: later)], .immediate, at: now), .time),
      (.batch([sample(0), sample(1, at: earlier)], .immediate, at: now), .time),
      (.batch([sample(0, 5)], .immediate, at: now), .value),
    ]
    for (frame, code) in violations {
      var tested = try ConversationUnderTest.serving()
      let fault = #expect(throws: FrameFault.self, "\(frame)") { try tested.send(frame) }
      #expect(fault?.code == code, "\(frame)")
    }
  }

  @Test("a number out of the manifest's range is passed on to the port, which drops and counts such numbers")
  func outOfRange() throws {
    var tested = try ConversationUnderTest.serving()
    let news = try tested.send(.fact(0, .number(101), at: Self.now))
    #expect(news == .fact(0, .number(1.01), at: Self.now))
  }

  @Test(
    "F11: a device that is on while its setting is off, or makes an undeclared transition, causes a fault")
  func drawsWhileOff() throws {
    var never = try ConversationUnderTest.serving(isOn: false)
    let fault = #expect(throws: FrameFault.self) { try never.send(.state(1, period: nil, at: Self.now)) }
    #expect(fault?.sentence == "is in “warm”, and its setting is off")
    var stays = try ConversationUnderTest.serving()
    _ = stays.conversation.apply(.off, at: Self.now)
    #expect(throws: FrameFault.self) { try stays.send(.applied(2, state: 1, period: nil, at: Self.now)) }
    var jumps = try ConversationUnderTest.serving(isOn: false)
    _ = jumps.conversation.apply(Setting(isOn: true), at: Self.now)
    let jump = #expect(throws: FrameFault.self) {
      try jumps.send(.applied(1, state: 2, period: nil, at: Self.now))
    }
    #expect(jump?.sentence == "went from “off” to “on”, which its manifest does not permit")
    var turnsOn = try ConversationUnderTest.serving(isOn: false)
    _ = turnsOn.conversation.apply(Setting(isOn: true), at: Self.now)
    #expect(try turnsOn.send(.state(1, period: nil, at: Self.now)) != nil)
  }

  @Test("F11: a flood of frames or samples is a fault, and samples at the manifest's rate are accepted")
  func floods() throws {
    var frames = try ConversationUnderTest.serving()
    var said = 0
    let fault = #expect(throws: FrameFault.self) {
      while said < 10_000 {
        _ = try frames.send(.fact(0, .number(1), at: Self.now))
        said += 1
      }
    }
    #expect(fault?.code == .flood && said > 1_000 && said < 2_100)
    var samples = try ConversationUnderTest.serving()
    let many = (0..<FrameLayout.maxSamples).map { sample(UInt64($0)) }
    _ = try samples.send(.batch(many, .full, at: Self.now))
    let more = (0..<100).map { sample(UInt64(FrameLayout.maxSamples + $0)) }
    let flood = #expect(throws: FrameFault.self) { try samples.send(.batch(more, .full, at: Self.now)) }
    #expect(flood?.sentence == "sent more than 20 samples a second")
    var steady = try ConversationUnderTest.serving()
    for second in 0..<2_000 {
      let now = Self.now + .seconds(Int64(second))
      let some = (0..<20).map { sample(UInt64(second * 20 + $0), at: now) }
      _ = try steady.send(.batch(some, .immediate, at: now), at: now)
    }
  }

  @Test("an instant 900 ms in the future is replaced by the present instant")
  func clockSlightlyAhead() throws {
    var tested = try ConversationUnderTest.serving()
    let ahead = Self.now + .milliseconds(900)
    #expect(try tested.send(.fact(1, .unknown, at: ahead)) == .fact(1, .unknown, at: Self.now))
  }

  @Test("after a restart of the process, the sample numbers continue")
  func numbersAfterRestart() throws {
    var tested = try ConversationUnderTest.serving()
    tested.conversation = ChildConversation(Self.manifest, firstSample: 40, at: Self.now)
    tested.sequence = 0
    for frame: PluginFrame in [.welcome(major: 1, minor: 0), .manifest(FrameManifest(of: Self.manifest))] {
      _ = try tested.send(frame)
    }
    _ = tested.conversation.open([], at: Self.now)
    _ = try tested.send(.opened(at: Self.now))
    guard case .batch(let batch, _)? = try tested.send(.batch([sample(0)], .immediate, at: Self.now)) else {
      Issue.record("no batch")
      return
    }
    #expect(batch.samples[0].sequence == 40 && tested.conversation.lostSamples == 0)
  }

  @Test("at most 64 requests wait for an answer; further requests are not sent")
  func unansweredRequests() throws {
    var tested = try ConversationUnderTest.serving()
    for _ in 0..<64 { #expect(tested.conversation.apply(.off, at: Self.now) != nil) }
    #expect(tested.conversation.apply(.off, at: Self.now) == nil)
    #expect(tested.conversation.drain(.full, at: Self.now) == nil)
  }

  @Test("X07: an event count of 4,294,967,295 is a flood, and a count within the rate limit is accepted")
  func countedEvents() throws {
    var tested = try ConversationUnderTest.serving()
    #expect(try tested.send(.event(0, count: 100, at: Self.now)) != nil)
    let fault = #expect(throws: FrameFault.self) {
      try tested.send(.event(0, count: Int(UInt32.max), at: Self.now))
    }
    #expect(fault?.code == .flood)
    #expect(fault?.sentence == "reported more than 2000 events a second")
  }

  @Test(
    "X07: a gap of more than 1,000,000 sample numbers is a fault and is not counted as lost samples",
    arguments: [
      1_000_001, UInt64(1) << 32, UInt64.max - 2, UInt64.max,
    ])
  func farNumbers(number: UInt64) throws {
    var tested = try ConversationUnderTest.serving()
    let fault = #expect(throws: FrameFault.self) {
      try tested.send(.batch([sample(number)], .immediate, at: Self.now))
    }
    #expect(fault?.code == .sequence)
    #expect(tested.conversation.lostSamples == 0 && tested.conversation.nextSample == 0)
  }

  @Test("X07: a sample that is measured after its device reported off is a fault")
  func deliversWhileOff() throws {
    var tested = try ConversationUnderTest.serving()
    let off = Self.now + .seconds(1)
    _ = tested.conversation.apply(.off, at: off)
    _ = try tested.send(.applied(2, state: 0, period: nil, at: off), at: off)
    // Samples that were measured before the device turned off may still arrive.
    #expect(try tested.send(.batch([sample(0), sample(1, at: off)], .ended, at: off), at: off) != nil)
    let later = off + .seconds(5)
    let fault = #expect(throws: FrameFault.self) {
      try tested.send(.batch([sample(2, at: later)], .immediate, at: later), at: later)
    }
    #expect(fault?.code == .state)
    #expect(fault?.sentence == "delivers samples dated 5 s after it reported “off”")
  }

  @Test("X07: more samples after “off” than the device can hold are a fault")
  func deliversOldSamplesWhileOff() throws {
    var tested = try ConversationUnderTest.serving()
    _ = tested.conversation.apply(.off, at: Self.now)
    _ = try tested.send(.applied(2, state: 0, period: nil, at: Self.now))
    var number: UInt64 = 0
    let fault = #expect(throws: FrameFault.self) {
      while number < 200_000 {
        // The samples arrive slowly, and all of them are dated at the instant at which the device turned off.
        let now = Self.now + .milliseconds(Int64(number) * 100)
        _ = try tested.send(.batch([sample(number)], .immediate, at: Self.now), at: now)
        number += 1
      }
    }
    #expect(fault?.code == .state)
  }

  @Test("X07: a sampling period below 1 us or of 292 years is a fault", arguments: [1, 999, Int64.max])
  func periods(nanoseconds: Int64) throws {
    var tested = try ConversationUnderTest.serving()
    let period = TimeSpan(nanoseconds: nanoseconds)
    let fault = #expect(throws: FrameFault.self) { try tested.send(.state(2, period: period, at: Self.now)) }
    #expect(fault?.code == .value)
  }
}
