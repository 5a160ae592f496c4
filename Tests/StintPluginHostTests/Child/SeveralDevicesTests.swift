import StintModel
import StintUnits
import Testing

@testable import StintPluginHost
@testable import StintPluginKit

@Suite("Conversations with a process that has several devices")
struct SeveralDevicesTests {
  private static let now = Instant.epoch + .seconds(100)

  private static func manifest(_ device: DeviceID) -> Manifest {
    Manifest(
      device: device, kind: .sensor, title: "",
      states: [
        .init(name: "off", power: .zero, isOn: false),
        .init(name: "on", power: Power(nanowatts: 1_000_000), isOn: true),
      ],
      transitions: [.init(from: 0, to: 1), .init(from: 1, to: 0)],
      attributes: [.init(name: "rate", type: .quantity(.rate), range: 0.001...10)],
      channels: [.init(name: "x", unit: "m")],
      facts: [FactSchema(path: "\(device).level", type: .quantity(.ratio), range: 0...1)])
  }

  private static let devices = ["m.acc", "m.gyro", "m.mag"].map { ProgramDevice(manifest($0)) }

  /// A conversation with three devices and the plugin at its other end.
  private struct ConversationUnderTest {
    var conversation = ChildConversation(
      devices, firstSamples: [0, 40, 0], faults: FaultBudget(at: now), at: now)
    var sequence: UInt64 = 0

    /// Sends a frame with the address of a device; without an address when `device` is nil.
    mutating func send(
      _ frame: PluginFrame, of device: Int? = nil, at instant: Instant = now
    ) throws(FrameFault) -> (device: Int, message: PluginMessage)? {
      let plain = frame.frame(sequence)
      let sent = device.map { plain.addressed(to: $0, kind: FrameLayout.pluginAddressKind) } ?? plain
      conversation.receive(sent.bytes[...])
      sequence += 1
      return try conversation.nextMessage(at: instant)
    }

    static func serving() throws(FrameFault) -> ConversationUnderTest {
      var tested = ConversationUnderTest()
      _ = try tested.send(.welcome(major: 1, minor: 5))
      for (index, device) in devices.enumerated() {
        let answer = try tested.send(.manifest(FrameManifest(of: device.manifest)), of: index)
        #expect((answer?.message == .described) == (index == 2))
      }
      _ = tested.conversation.open([], at: now)
      #expect(try tested.send(.opened(at: now))?.message == .opened)
      return tested
    }
  }

  private func sample(_ number: UInt64) -> Sample { Sample(instant: Self.now, sequence: number, 1) }

  /// Returns the inner frame of a request, and the device that it is for.
  private func inner(_ bytes: [UInt8]?) throws -> (device: Int?, frame: HostFrame) {
    var reader = FrameReader()
    // In these tests, one message precedes the first request.
    reader.skip()
    reader.append(try #require(bytes))
    let (device, frame) = try #require(try reader.next()).resolved(FrameLayout.hostAddressKind)
    return (device, try HostFrame(frame))
  }

  @Test(
    "requests and answers contain the number of their device, and an answer belongs to this device"
  )
  func requests() throws {
    var tested = try ConversationUnderTest.serving()
    let request = try inner(tested.conversation.apply(Setting(isOn: true), to: 2, at: Self.now))
    #expect(request.device == 2 && request.frame == .apply(1, Setting(isOn: true), at: Self.now))
    let answer = try tested.send(.applied(1, state: 1, period: nil, at: Self.now), of: 2)
    #expect(answer?.device == 2 && answer?.message == .outcome(.state(1, period: nil), at: Self.now))
    // The first device has not been turned on.
    let fault = #expect(throws: FrameFault.self) {
      try tested.send(.state(1, period: nil, at: Self.now), of: 0)
    }
    #expect(fault?.sentence == "for m.acc, is in “on”, and its setting is off")
  }

  @Test("each device has its own sample numbers, lost samples, tokens and drains")
  func separateDevices() throws {
    var tested = try ConversationUnderTest.serving()
    for device in 0..<3 {
      _ = tested.conversation.apply(Setting(isOn: true), to: device, at: Self.now)
      _ = try tested.send(.applied(1, state: 1, period: nil, at: Self.now), of: device)
    }
    _ = tested.conversation.drain(.flushed, of: 1, at: Self.now)
    #expect(tested.conversation.devices.map(\.isDraining) == [false, true, false])
    let first = try tested.send(.batch([sample(3)], .immediate, at: Self.now), of: 0)
    #expect(
      first?.message == .batch(Batch(device: "m.acc", samples: [sample(3)], reason: .immediate), at: Self.now)
    )
    let second = try tested.send(.batch([sample(0), sample(1)], .ended, at: Self.now), of: 1)
    #expect(
      second?.message
        == .batch(Batch(device: "m.gyro", samples: [sample(40), sample(41)], reason: .flushed), at: Self.now))
    #expect(try tested.send(.drained(2, at: Self.now), of: 1)?.message == .answered)
    #expect(tested.conversation.devices.map(\.lostSamples) == [3, 0, 0])
    #expect(tested.conversation.devices.map(\.nextSample) == [4, 42, 0])
    let repeated = #expect(throws: FrameFault.self) {
      try tested.send(.batch([sample(1)], .immediate, at: Self.now), of: 1)
    }
    #expect(repeated?.sentence == "for m.gyro, sent sample number 1 where a higher number is expected")
  }

  @Test("batches of several devices may come through the ring, in one series of sequence numbers")
  func ring() throws {
    var tested = ConversationUnderTest()
    _ = try tested.send(.welcome(major: 1, minor: 5))
    for (index, device) in Self.devices.enumerated() {
      _ = try tested.send(.manifest(FrameManifest(of: device.manifest)), of: index)
    }
    _ = tested.conversation.offerRing(1 << 18, at: Self.now)
    _ = tested.conversation.open([], at: Self.now)
    _ = try tested.send(.mapped(at: Self.now))
    _ = try tested.send(.opened(at: Self.now))
    for device in [2, 0] {
      _ = tested.conversation.apply(Setting(isOn: true), to: device, at: Self.now)
      _ = try tested.send(.applied(1, state: 1, period: nil, at: Self.now), of: device)
      let batch = PluginFrame.batch([sample(0)], .immediate, at: Self.now).frame(tested.sequence)
      let sent = batch.addressed(to: device, kind: FrameLayout.pluginAddressKind)
      tested.conversation.receive(ring: sent.bytes)
      tested.sequence += 1
      #expect(try tested.conversation.nextMessage(at: Self.now)?.device == device)
    }
    let fact = PluginFrame.fact(0, .unknown, at: Self.now).frame(tested.sequence)
    tested.conversation.receive(
      ring: fact.addressed(to: 0, kind: FrameLayout.pluginAddressKind).bytes)
    let fault = #expect(throws: FrameFault.self) { try tested.conversation.nextMessage(at: Self.now) }
    #expect(fault?.sentence == "for m.acc, sent fact through the ring; only batches are allowed")
  }

  @Test("the deadline of a request is not moved by the answers of other devices")
  func deadlines() throws {
    var tested = try ConversationUnderTest.serving()
    _ = tested.conversation.apply(Setting(isOn: true), to: 0, at: Self.now)
    for second in 1..<4 {
      let later = Self.now + .seconds(Int64(second))
      _ = tested.conversation.apply(Setting(isOn: true), to: 1, at: later)
      _ = try tested.send(.applied(UInt32(second), state: 1, period: nil, at: later), of: 1, at: later)
      #expect(tested.conversation.waitingSince == Self.now)
    }
    let end = Self.now + .seconds(5)
    _ = try tested.send(.applied(1, state: 1, period: nil, at: end), of: 0, at: end)
    #expect(tested.conversation.waitingSince == nil && tested.conversation.unansweredCount == 0)
  }

  @Test("a frame with a missing, wrong or repeated address is a fault")
  func addresses() throws {
    let faults: [(PluginFrame, device: Int?, sentence: String)] = [
      (.available(true, at: Self.now), nil, "sent available without a device address"),
      (.available(true, at: Self.now), 3, "addressed device 3, but it has 3 devices"),
      (.closed(at: Self.now), 1, "for m.gyro, sent closed, which is about the whole process"),
      (.manifest(FrameManifest(of: Self.manifest("m.acc"))), 0, "for m.acc, sent manifest a second time"),
      (
        .fact(0, .number(2e300), at: Self.now + .seconds(9)), 1,
        "for m.gyro, sent an instant 9 s in the future"
      ),
    ]
    for (frame, device, sentence) in faults {
      var tested = try ConversationUnderTest.serving()
      let fault = #expect(throws: FrameFault.self) { try tested.send(frame, of: device) }
      #expect(fault?.sentence == sentence)
    }
    let plain = PluginFrame.available(true, at: Self.now).frame(0)
    let kind = FrameLayout.pluginAddressKind
    let twice = plain.addressed(to: 0, kind: kind).addressed(to: 0, kind: kind)
    #expect(throws: FrameFault.self) { try twice.resolved(kind) }
    for size in 0..<8 {
      let short = Frame(kind: kind, sequence: 0, body: Array(repeating: 0, count: size))
      #expect(throws: FrameFault.self) { try short.resolved(kind) }
    }
  }

  @Test("the manifests must arrive in order, and each must have the names of its device")
  func order() throws {
    for (description, device) in [("m.gyro", 1), ("m.gyro", 0)] as [(DeviceID, Int)] {
      var tested = ConversationUnderTest()
      _ = try tested.send(.welcome(major: 1, minor: 5))
      #expect(throws: FrameFault.self) {
        try tested.send(.manifest(FrameManifest(of: Self.manifest(description))), of: device)
      }
    }
  }

  @Test("several devices need version 1.5 of the protocol; a process with one device sends no addresses")
  func versions() throws {
    var old = ConversationUnderTest()
    let fault = #expect(throws: FrameFault.self) { try old.send(.welcome(major: 1, minor: 4)) }
    #expect(fault?.sentence == "uses protocol version 1.4; 3 devices need 1.5")
    var single = ConversationUnderTest()
    single.conversation = ChildConversation(Self.manifest("m.acc"), firstSample: 0, at: Self.now)
    _ = try single.send(.welcome(major: 1, minor: 5))
    let addressed = #expect(throws: FrameFault.self) {
      try single.send(.manifest(FrameManifest(of: Self.manifest("m.acc"))), of: 0)
    }
    #expect(addressed?.sentence == "addressed a device, but it has only one")
  }
}
