import StintBus
import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintPluginHost

@Suite("Batches of a process with more than four channels")
struct WideConversationTests {
  private static let now = Instant.epoch + .seconds(100)

  private static func manifest(_ count: Int) -> Manifest {
    Manifest(
      device: "air.station", kind: .sensor, title: "",
      states: [.init(name: "off", power: .zero, isOn: false), .init(name: "on", power: .zero, isOn: true)],
      transitions: [.init(from: 0, to: 1), .init(from: 1, to: 0)], fifo: 100,
      channels: (0..<count - 1).map { .init(name: "c\($0)", unit: "V") }
        + [.init(name: "class", unit: "", options: ["clean", "smoke"])])
  }

  private struct ConversationUnderTest {
    var conversation: ChildConversation
    var sequence: UInt64 = 0

    init(_ channels: Int, minor: UInt16 = 4, firstSample: UInt64 = 0) throws(FrameFault) {
      let manifest = manifest(channels)
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
    numbers.map { Sample(instant: now, sequence: $0, Double($0), 1, 2, 3) }
  }

  private static func wide(_ samples: [Sample], _ width: Int) -> PluginFrame {
    let values = samples.flatMap { sample in (0..<width).map { Double(sample.sequence) * 100 + Double($0) } }
    return .wideBatch(
      samples, WideValues(width: width, samples: samples, values: values), .immediate, at: now)
  }

  @Test(
    "a sample keeps its values after the fourth value when samples are renumbered, sorted and decimated")
  func rows() throws {
    var tested = try ConversationUnderTest(7, firstSample: 40)
    guard case .batch(var batch, _)? = try tested.send(Self.wide(Self.samples(0, 1, 4), 3)) else {
      Issue.record("no batch arrived")
      return
    }
    #expect(batch.samples.map(\.sequence) == [40, 41, 44])
    var filter = OrderFilter()
    batch.samples.reverse()
    let admitted = filter.admit(batch, at: Self.now)
    let ordered = try #require(admitted)
    #expect(
      ordered.samples.map { $0.values(with: ordered.wide) } == [
        [0, 1, 2, 3, 0, 1, 2], [1, 1, 2, 3, 100, 101, 102], [4, 1, 2, 3, 400, 401, 402],
      ])
    let channel = BatchChannel(.dropOldest(capacity: 4))
    var topics = TopicTable()
    _ = topics.subscribe(channel, to: "air.station", period: .hours(1))
    _ = topics.publish(ordered)
    let received = try #require(channel.drainAll().first)
    #expect(received.samples.map { $0.values(with: received.wide) } == [[0, 1, 2, 3, 0, 1, 2]])
  }

  @Test("more than four channels need version 1.4, and a batch without one value per channel is a fault")
  func faults() throws {
    let old = #expect(throws: FrameFault.self) { try ConversationUnderTest(7, minor: 3) }
    #expect(old?.sentence == "uses protocol version 1.3; 7 channels need 1.4")
    _ = try ConversationUnderTest(4, minor: 0)
    for (channels, frame, sent) in [
      (7, Self.wide(Self.samples(0), 2), 6), (7, .batch(Self.samples(0), .immediate, at: Self.now), 4),
      (4, Self.wide(Self.samples(0), 1), 5),
    ] {
      var tested = try ConversationUnderTest(channels)
      let fault = #expect(throws: FrameFault.self) { try tested.send(frame) }
      #expect(
        fault?.sentence == "sent samples with \(sent) values, but its manifest has \(channels) channels")
    }
  }

  @Test("the largest wide batch fits a frame, and a frame of another size is a fault")
  func size() throws {
    for width in [1, 60] {
      let most = FrameLayout.maxSamples(width: width)
      let samples = (0..<most).map { Sample(instant: Self.now, sequence: UInt64($0), 1) }
      let frame = Self.wide(samples, width).frame(0)
      #expect(frame.bytes.count <= FrameLayout.largest)
      #expect(frame.bytes.count + FrameLayout.sampleSize + 8 * width > FrameLayout.largest)
      #expect(try PluginFrame(frame) == Self.wide(samples, width))
      let short = Frame(kind: frame.kind, sequence: 0, body: Array(frame.body.dropLast(8)))
      #expect(throws: FrameFault.self) { try PluginFrame(short) }
    }
    var body = Self.wide(Self.samples(0), 1).frame(0).body
    for width: UInt8 in [0, 61] {
      body[16] = width
      let fault = #expect(throws: FrameFault.self) {
        try PluginFrame(Frame(kind: 35, sequence: 0, body: body))
      }
      #expect(fault?.sentence == "sent a wide batch with \(width) values after the fourth")
    }
  }

  @Test(
    "the port drops samples with an undeclared option, and batches without the values after the fourth value")
  func port() {
    let port = DevicePort(manifest: Self.manifest(5))
    func deliver(_ words: [Double]?) -> Int {
      let samples = Self.samples(0, 1)
      let wide = words.map { WideValues(width: 1, samples: samples, values: $0) }
      port.deliver(
        Batch(device: "air.station", samples: samples, reason: .immediate, wide: wide), at: Self.now)
      var events: [PortEvent] = []
      _ = port.drainEvents(into: &events)
      return events.reduce(0) { sum, event in
        if case .batch(let batch, _) = event { sum + batch.samples.count } else { sum }
      }
    }
    #expect(deliver([0, 1]) == 2)
    #expect(deliver([0, 2]) == 1)
    #expect(deliver([0.5, -1]) == 0)
    #expect(deliver([0, .nan]) == 0)
    #expect(deliver(nil) == 0)
  }
}
