import StintBus
import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintPluginHost

@Suite("Batches of a process with channels of bytes")
struct ByteConversationTests {
  private static let now = Instant.epoch + .seconds(100)

  private static func manifest(numbers: Int = 1, bytes: [Int] = [4]) -> Manifest {
    Manifest(
      device: "air.receiver", kind: .sensor, title: "",
      states: [.init(name: "off", power: .zero, isOn: false), .init(name: "on", power: .zero, isOn: true)],
      transitions: [.init(from: 0, to: 1), .init(from: 1, to: 0)], fifo: 100,
      channels: (0..<numbers).map { .init(name: "n\($0)", unit: "V") }
        + bytes.enumerated().map { .init(name: "b\($0.offset)", unit: "", bytes: $0.element) })
  }

  private struct ConversationUnderTest {
    var conversation: ChildConversation
    var sequence: UInt64 = 0

    init(_ manifest: Manifest, minor: UInt16 = 8, firstSample: UInt64 = 0) throws(FrameFault) {
      conversation = ChildConversation(manifest, firstSample: firstSample, at: now)
      _ = conversation.hello(steady: 0)
      _ = try send(.welcome(major: 1, minor: minor))
      _ = try send(.manifest(FrameManifest(of: manifest)))
      _ = conversation.open([], at: now)
      _ = try send(.opened(at: now))
      _ = conversation.apply(Setting(isOn: true), at: now)
      _ = try send(.applied(1, state: 1, period: nil, at: now))
    }

    mutating func send(_ frame: PluginFrame) throws(FrameFault) -> PluginMessage? {
      conversation.receive(frame.frame(sequence).bytes[...])
      sequence += 1
      return try conversation.next(at: now)
    }
  }

  private static func samples(_ numbers: UInt64...) -> [Sample] {
    numbers.map { Sample(instant: now, sequence: $0, Double($0)) }
  }

  private static func frame(_ samples: [Sample], width: Int = 0, _ rows: [[[UInt8]]]?) -> PluginFrame {
    let values = [Double](repeating: 1, count: width * samples.count)
    let bytes = rows.map { SampleBytes($0) }
    guard width > 0 || bytes != nil else { return .batch(samples, .immediate, at: now) }
    let wide = WideValues(width: width, samples: samples, values: values, bytes: bytes)
    return .wideBatch(samples, wide, .immediate, at: now)
  }

  @Test("a sample keeps its bytes when samples are renumbered, sorted and decimated")
  func rows() throws {
    var tested = try ConversationUnderTest(Self.manifest(numbers: 6, bytes: [4, 2]), firstSample: 40)
    let sent = Self.frame(Self.samples(0, 1, 4), width: 2, [[[1], []], [[], [2]], [[3, 4], [5, 6]]])
    guard case .batch(var batch, _)? = try tested.send(sent) else {
      Issue.record("no batch arrived")
      return
    }
    func bytes(_ batch: Batch) -> [[[UInt8]]] {
      batch.samples.map { sample in (batch.wide?.bytes(of: sample) ?? []).map { Array($0) } }
    }
    #expect(batch.samples.map(\.sequence) == [40, 41, 44])
    var filter = OrderFilter()
    batch.samples.reverse()
    let admitted = filter.admit(batch, at: Self.now)
    let ordered = try #require(admitted)
    #expect(bytes(ordered) == [[[1], []], [[], [2]], [[3, 4], [5, 6]]])
    let channel = BatchChannel(.dropOldest(capacity: 4))
    var topics = TopicTable()
    _ = topics.subscribe(channel, to: "air.receiver", period: .hours(1))
    _ = topics.publish(ordered)
    let received = try #require(channel.drainAll().first)
    #expect(bytes(received) == [[[1], []]])
  }

  @Test("channels of bytes need version 1.8, and other devices need no new version")
  func version() throws {
    let old = #expect(throws: FrameFault.self) { try ConversationUnderTest(Self.manifest(), minor: 7) }
    #expect(old?.sentence == "uses protocol version 1.7; channels of bytes need 1.8")
    _ = try ConversationUnderTest(Self.manifest(bytes: []), minor: 0)
  }

  @Test("bytes that the manifest does not allow are a fault of the process")
  func faults() throws {
    let wrong: [(Manifest, PluginFrame, String)] = [
      (
        Self.manifest(), Self.frame(Self.samples(0), nil),
        "sent samples with 0 values of bytes, but its manifest has 1"
      ),
      (
        Self.manifest(), Self.frame(Self.samples(0), [[[1], [2]]]),
        "sent samples with 2 values of bytes, but its manifest has 1"
      ),
      (
        Self.manifest(bytes: []), Self.frame(Self.samples(0), [[[1]]]),
        "sent samples with 1 values of bytes, but its manifest has 0"
      ),
      (
        Self.manifest(), Self.frame(Self.samples(0, 1), [[[1]], [[1, 2, 3, 4, 5]]]),
        "sent 5 bytes in “b0”, but its manifest allows 4"
      ),
      (
        Self.manifest(), Self.frame(Self.samples(0), width: 1, [[[1]]]),
        "sent samples with 5 values, but its manifest has 1 channels"
      ),
    ]
    for (manifest, frame, sentence) in wrong {
      var tested = try ConversationUnderTest(manifest)
      let fault = #expect(throws: FrameFault.self) { try tested.send(frame) }
      #expect(fault?.sentence == sentence)
    }
    var tested = try ConversationUnderTest(Self.manifest())
    let undeclared = Self.frame([Sample(instant: Self.now, sequence: 0, 1, 2)], [[[1]]])
    #expect(throws: FrameFault.self) { try tested.send(undeclared) }
  }

  @Test("the largest batch of bytes fits a frame, and a frame that ends too early or late is a fault")
  func size() throws {
    for (width, channels, length) in [(0, 1, 0), (0, 1, 255), (60, 4, 255), (3, 2, 17)] {
      let row = [[UInt8]](repeating: [UInt8](repeating: 7, count: length), count: channels)
      let size = FrameLayout.sampleSize + 8 * width + channels * (1 + length)
      let most = FrameLayout.maxSamples(width: width, bytes: channels * (1 + length))
      let samples = (0..<most).map { Sample(instant: Self.now, sequence: UInt64($0), 1) }
      let sent = Self.frame(samples, width: width, samples.map { _ in row })
      let frame = sent.frame(0)
      #expect(frame.bytes.count <= FrameLayout.largest)
      #expect(frame.bytes.count + size > FrameLayout.largest)
      #expect(try PluginFrame(frame) == sent)
    }
    let body = Self.frame(Self.samples(0, 1), width: 1, [[[1, 2]], [[3]]]).frame(0).body
    for end in 0..<body.count {
      #expect(throws: FrameFault.self) {
        try PluginFrame(Frame(kind: 45, sequence: 0, body: Array(body[..<end])))
      }
    }
    #expect(throws: FrameFault.self) { try PluginFrame(Frame(kind: 45, sequence: 0, body: body + [0])) }
    for (place, value) in [(16, UInt8(61)), (18, 0), (18, 5)] {
      var wrong = body
      wrong[place] = value
      #expect(throws: FrameFault.self) { try PluginFrame(Frame(kind: 45, sequence: 0, body: wrong)) }
    }
    for count: UInt32 in [0, .max] {
      var wrong = body
      withUnsafeBytes(of: count.littleEndian) { wrong.replaceSubrange(12..<16, with: $0) }
      #expect(throws: FrameFault.self) { try PluginFrame(Frame(kind: 45, sequence: 0, body: wrong)) }
    }
  }

  @Test("the port refuses batches whose bytes do not fit the manifest")
  func port() {
    let port = DevicePort(manifest: Self.manifest())
    func deliver(_ rows: [[[UInt8]]]?) -> Int {
      let samples = Self.samples(0)
      let wide = rows.map { WideValues(width: 0, samples: samples, values: [], bytes: SampleBytes($0)) }
      port.deliver(
        Batch(device: "air.receiver", samples: samples, reason: .immediate, wide: wide), at: Self.now)
      var events: [PortEvent] = []
      _ = port.drainEvents(into: &events)
      return events.count { if case .batch = $0 { true } else { false } }
    }
    #expect(deliver([[[1, 2, 3, 4]]]) == 1)
    #expect(deliver([[[1, 2, 3, 4, 5]]]) == 0)
    #expect(deliver([[[1], [2]]]) == 0)
    #expect(deliver(nil) == 0)
  }
}
