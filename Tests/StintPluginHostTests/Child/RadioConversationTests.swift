import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintPluginHost

@Suite("Transfers of a radio in a process") struct RadioConversationTests {
  private static let manifest = Manifest(
    device: "radio.lora", kind: .radio, title: "",
    states: [
      .init(name: "idle", power: .zero, isOn: false), .init(name: "sending", power: .zero, isOn: true),
    ],
    transitions: [.init(from: 0, to: 1), .init(from: 1, to: 0)])
  private static let carrier: Manifest = {
    var carrier = Manifest(device: "net.files", kind: .source, title: "")
    carrier.statedRoles = [.carrier]
    return carrier
  }()
  private static let sensor = Manifest(
    device: "motion.custom", kind: .sensor, title: "",
    states: [.init(name: "off", power: .zero, isOn: false), .init(name: "on", power: .zero, isOn: true)],
    transitions: [.init(from: 0, to: 1), .init(from: 1, to: 0)], fifo: 100,
    channels: [.init(name: "x", unit: "m")])
  private static let now = Instant.epoch + .seconds(100)

  private struct ConversationUnderTest {
    var conversation: ChildConversation
    var sequence: UInt64 = 0

    mutating func send(_ frame: PluginFrame) throws(FrameFault) -> PluginMessage? {
      conversation.receive(frame.frame(sequence).bytes[...])
      sequence += 1
      return try conversation.next(at: now)
    }

    mutating func startTransfer(_ demand: Int64) -> [UInt8]? {
      conversation.startTransfer(
        AssignedTransfer(demand: DemandID(demand), transfer: Transfer(bytesUp: 1, bytesDown: 2)), at: now)
    }

    static func serving(
      minor: UInt16 = 2, as manifest: Manifest = RadioConversationTests.manifest
    ) throws(FrameFault) -> ConversationUnderTest {
      var tested = ConversationUnderTest(conversation: ChildConversation(manifest, firstSample: 0, at: now))
      _ = tested.conversation.hello(steady: 0)
      _ = try tested.send(.welcome(major: 1, minor: minor))
      _ = try tested.send(.manifest(FrameManifest(of: manifest)))
      _ = tested.conversation.open([], at: now)
      _ = try tested.send(.opened(at: now))
      return tested
    }
  }

  @Test("a completed transfer is reported with its demand, and each attempt has a new transfer number")
  func carried() throws {
    var tested = try ConversationUnderTest.serving()
    #expect(tested.startTransfer(700) != nil)
    #expect(tested.startTransfer(800) != nil)
    #expect(
      try tested.send(.state(1, period: nil, at: Self.now)) == .outcome(.state(1, period: nil), at: Self.now))
    #expect(try tested.send(.carried(DemandID(1), at: Self.now)) == .carried(DemandID(700), at: Self.now))
    #expect(try tested.send(.carried(DemandID(2), at: Self.now)) == .carried(DemandID(800), at: Self.now))
    #expect(tested.startTransfer(700) != nil)
    #expect(try tested.send(.carried(DemandID(3), at: Self.now)) == .carried(DemandID(700), at: Self.now))
  }

  @Test(
    "a cancelled transfer has one answer: “abandoned”, or “carried” when the transfer was already complete"
  )
  func abandoned() throws {
    for answer: PluginFrame in [
      .abandoned(DemandID(1), bytes: 5, at: now), .carried(DemandID(1), at: now),
    ] {
      var tested = try ConversationUnderTest.serving()
      _ = tested.startTransfer(700)
      #expect(tested.conversation.cancelTransfer(DemandID(700), at: Self.now) != nil)
      #expect(tested.conversation.cancelTransfer(DemandID(700), at: Self.now) == nil)
      // A transfer of the demand may be started again before the answer.
      #expect(tested.startTransfer(700) != nil)
      #expect(try tested.send(answer) == .abandoned)
      #expect(throws: FrameFault.self) { try tested.send(answer) }
    }
  }

  private var now: Instant { Self.now }

  @Test("an answer without a transfer in progress, or “abandoned” without a request to abandon, is a fault")
  func unknown() throws {
    for answer: PluginFrame in [
      .carried(DemandID(1), at: now), .abandoned(DemandID(1), bytes: 0, at: now),
    ] {
      var tested = try ConversationUnderTest.serving()
      let fault = #expect(throws: FrameFault.self) { try tested.send(answer) }
      #expect(fault?.code == .order)
    }
    var tested = try ConversationUnderTest.serving()
    _ = tested.startTransfer(700)
    let fault = #expect(throws: FrameFault.self) {
      try tested.send(.abandoned(DemandID(1), bytes: 0, at: Self.now))
    }
    #expect(fault?.sentence == "abandoned transfer 1 without a request")
  }

  @Test("a negative number of transferred bytes is a fault")
  func negative() throws {
    var tested = try ConversationUnderTest.serving()
    _ = tested.startTransfer(700)
    _ = tested.conversation.cancelTransfer(DemandID(700), at: now)
    #expect(throws: FrameFault.self) { try tested.send(.abandoned(DemandID(1), bytes: -1, at: Self.now)) }
  }

  private static let exchange = TransferExchange(
    task: "a", attempt: 1, key: "mail/sync/a",
    request: TransferRequest(.download(from: "https://mail.example/a")), offset: 0)

  /// Decodes a frame without a check of its sequence number.
  private static func frame(_ bytes: [UInt8]) -> Frame {
    var header = ByteReader(bytes)
    let words = (0..<4).map { _ in header.integer(as: UInt32.self) ?? 0 }
    return Frame(
      kind: UInt16(truncatingIfNeeded: words[1]), sequence: UInt64(words[2]), body: Array(bytes.dropFirst(16))
    )
  }

  @Test("a carrier gets an order as one frame, and its report is forwarded")
  func orders() throws {
    var tested = try ConversationUnderTest.serving(as: Self.carrier)
    let order = TransferOrder.start(Self.exchange, on: "radio.lora")
    #expect(try HostFrame(Self.frame(tested.conversation.handle(order, at: now))) == .order(order, at: now))
    let report = AttemptReport(.reply(404), key: "mail/sync/a", attempt: 1)
    #expect(try tested.send(.report(report, at: now)) == .transferred(report, at: now))
  }

  @Test("a report from a plugin that is not a carrier is a fault")
  func noCarrier() throws {
    var tested = try ConversationUnderTest.serving()
    let report = AttemptReport(.reply(404), key: "mail/sync/a", attempt: 1)
    let fault = #expect(throws: FrameFault.self) { try tested.send(.report(report, at: now)) }
    #expect(fault?.sentence == "sent a report, but its manifest does not provide “carrier”")
  }

  @Test("a report that is not valid JSON is a fault", arguments: ["", "{", "[1]", #"{"report":"done"}"#])
  func invalidReport(_ text: String) throws {
    var tested = try ConversationUnderTest.serving(as: Self.carrier)
    var body = ByteWriter()
    body.append(now.nanoseconds)
    body.append(contentsOf: text.utf8)
    tested.conversation.receive(Frame(kind: 33, sequence: tested.sequence, body: body.bytes).bytes[...])
    let fault = #expect(throws: FrameFault.self) { try tested.conversation.next(at: now) }
    #expect(fault?.code == .form)
  }

  @Test("a carrier needs version 1.2 of the protocol")
  func carrierVersion() throws {
    let fault = #expect(throws: FrameFault.self) {
      try ConversationUnderTest.serving(minor: 1, as: Self.carrier)
    }
    #expect(fault?.sentence == "uses protocol version 1.1; a carrier needs 1.2")
  }

  @Test("a plugin of version 1.3 gets the values of attributes, and a plugin of version 1.2 does not")
  func attributes() throws {
    for minor: UInt16 in [2, 3] {
      var tested = try ConversationUnderTest.serving(minor: minor, as: Self.sensor)
      var setting = Setting(isOn: true, period: .seconds(1), activity: "fitness")
      setting.attributes = [
        "gain": .word("high"), "chopped": .truth(true), "window": .quantity(Quantity(0.06, .time)),
      ]
      let bytes = tested.conversation.apply(setting, at: now)
      guard case .apply(_, let sent, _) = try HostFrame(Self.frame(try #require(bytes))) else {
        Issue.record("the frame is not “apply”")
        return
      }
      #expect(sent.activity == "fitness")
      // A frame has no dimensions; numbers are in base units.
      #expect(
        sent.attributes
          == (minor == 2
            ? [:]
            : ["gain": .word("high"), "chopped": .truth(true), "window": .quantity(Quantity(0.06, .none))]))
    }
  }

  @Test("a device with priced attributes needs version 1.3 of the protocol")
  func pricedAttributes() throws {
    var sensor = Self.sensor
    var gain = AttributeSchema(name: "gain", type: .symbol(["low", "high"]))
    sensor.attributes = [gain]
    _ = try ConversationUnderTest.serving(minor: 2, as: sensor)
    gain.cost = .listed([.init("low", power: .zero), .init("high", power: Power(nanowatts: 1))])
    sensor.attributes = [gain]
    _ = try ConversationUnderTest.serving(minor: 3, as: sensor)
    let fault = #expect(throws: FrameFault.self) { try ConversationUnderTest.serving(minor: 2, as: sensor) }
    #expect(
      fault?.sentence == "uses protocol version 1.2; the power of its attributes needs 1.3")
  }

  @Test("a sensor of version 1.2 receives `keepsNewest`, and gaps in its sequence are not counted as losses")
  func keepsNewest() throws {
    for minor: UInt16 in [1, 2] {
      var tested = try ConversationUnderTest.serving(minor: minor, as: Self.sensor)
      let setting = Setting(isOn: true, period: .seconds(1), isHolding: true, keepsNewest: true)
      let bytes = tested.conversation.apply(setting, at: now)
      guard case .apply(_, let sent, _) = try HostFrame(Self.frame(try #require(bytes))) else {
        Issue.record("the frame is not “apply”")
        return
      }
      #expect(sent.keepsNewest == (minor == 2))
      _ = try tested.send(.applied(1, state: 1, period: .seconds(1), at: now))
      let samples = [Sample(instant: now, sequence: 0, 1), Sample(instant: now, sequence: 9, 1)]
      _ = try tested.send(.batch(samples, .ended, at: now))
      #expect(tested.conversation.lostSamples == (minor == 2 ? 0 : 8))
    }
  }

  @Test("a radio needs version 1.2 of the protocol")
  func version() throws {
    let fault = #expect(throws: FrameFault.self) { try ConversationUnderTest.serving(minor: 1) }
    #expect(fault?.sentence == "uses protocol version 1.1; a radio needs 1.2")
  }

  @Test("while 1,024 transfers are unanswered, a further transfer is not started")
  func bound() throws {
    var tested = try ConversationUnderTest.serving()
    for number in 1...1024 { #expect(tested.startTransfer(Int64(number)) != nil) }
    #expect(tested.startTransfer(2000) == nil)
    _ = try tested.send(.carried(DemandID(1), at: now))
    #expect(tested.startTransfer(2000) != nil)
  }
}
