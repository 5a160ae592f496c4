import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintPluginHost

/// Tests sources whose facts the host reads on request.
@Suite("Readings of a source in a process of its own")
struct ReadingTests {
  private static let manifest = Manifest(
    device: "test.source", kind: .source, title: "",
    facts: [
      FactSchema(
        path: "test.source.value", type: .quantity(.none), reading: FactReading(every: .seconds(1))),
      FactSchema(
        path: "test.source.other", type: .quantity(.none), reading: FactReading(every: .seconds(1))),
      FactSchema(path: "test.source.free", type: .quantity(.none)),
    ])
  private static let now = Instant.epoch + .seconds(100)

  /// A conversation with the source, and the number of the next frame of the source.
  private struct ConversationUnderTest {
    var conversation = ChildConversation(manifest, firstSample: 0, at: now)
    var sequence: UInt64 = 0

    mutating func send(_ frame: PluginFrame) throws(FrameFault) -> PluginMessage? {
      conversation.receive(frame.frame(sequence).bytes[...])
      sequence += 1
      return try conversation.next(at: now)
    }

    static func serving() throws(FrameFault) -> ConversationUnderTest {
      var tested = ConversationUnderTest()
      _ = tested.conversation.hello(steady: 0)
      _ = try tested.send(.welcome(major: 1, minor: 6))
      _ = try tested.send(.manifest(FrameManifest(of: manifest)))
      _ = tested.conversation.open([], at: now)
      _ = try tested.send(.opened(at: now))
      return tested
    }
  }

  @Test("a reading is pending until the source has published a fact and then sent its answer")
  func answer() throws {
    var tested = try ConversationUnderTest.serving()
    let bytes = tested.conversation.read(at: Self.now)
    #expect(bytes == HostFrame.read(1, at: Self.now).frame(2).bytes)
    #expect(tested.conversation.devices[0].isReading && tested.conversation.waitingSince == Self.now)
    #expect(try tested.send(.fact(0, .number(7), at: Self.now)) == .ignored)
    #expect(tested.conversation.devices[0].isReading)
    let value = ReadFact(fact: 0, value: .number(7), instant: Self.now)
    #expect(try tested.send(.published(1, at: Self.now)) == .read([value]))
    #expect(!tested.conversation.devices[0].isReading && tested.conversation.waitingSince == nil)
  }

  @Test("the facts of a reading are passed on together, each once; other facts are passed on at once")
  func together() throws {
    var tested = try ConversationUnderTest.serving()
    // Without a reading, a fact is passed on at once.
    #expect(try tested.send(.fact(0, .number(1), at: Self.now)) == .fact(0, .number(1), at: Self.now))
    _ = tested.conversation.read(at: Self.now)
    for (fact, value) in [(0, 2.0), (1, 3), (0, 4)] {
      #expect(try tested.send(.fact(fact, .number(value), at: Self.now)) == .ignored)
    }
    #expect(try tested.send(.fact(2, .number(5), at: Self.now)) == .fact(2, .number(5), at: Self.now))
    let found = [(1, 3.0), (0, 4)].map { ReadFact(fact: $0, value: .number($1), instant: Self.now) }
    #expect(try tested.send(.published(1, at: Self.now)) == .read(found))
    // The next reading begins without these facts.
    _ = tested.conversation.read(at: Self.now)
    #expect(try tested.send(.published(2, at: Self.now)) == .read([]))
  }

  @Test("a reading during which the device was absent has no facts, and its answer is no fault")
  func absence() throws {
    var tested = try ConversationUnderTest.serving()
    _ = tested.conversation.read(at: Self.now)
    #expect(try tested.send(.fact(0, .number(1), at: Self.now)) == .ignored)
    #expect(try tested.send(.available(false, at: Self.now)) == .available(false, at: Self.now))
    #expect(try tested.send(.fact(1, .number(2), at: Self.now)) == .ignored)
    #expect(try tested.send(.published(1, at: Self.now)) == .read([]))
    #expect(try tested.send(.available(true, at: Self.now)) == .available(true, at: Self.now))
    _ = tested.conversation.read(at: Self.now)
    #expect(try tested.send(.fact(1, .number(3), at: Self.now)) == .ignored)
    let value = ReadFact(fact: 1, value: .number(3), instant: Self.now)
    #expect(try tested.send(.published(2, at: Self.now)) == .read([value]))
  }

  @Test("an answer without a reading, and an answer to another reading, are faults", arguments: [0, 1])
  func wrongAnswer(count: Int) throws {
    var tested = try ConversationUnderTest.serving()
    for _ in 0..<count { _ = tested.conversation.read(at: Self.now) }
    let fault = #expect(throws: FrameFault.self) { try tested.send(.published(2, at: Self.now)) }
    let expected = count == 0 ? "no answer" : "reading 1"
    #expect(fault?.sentence == "answered reading 2; expected \(expected)")
  }

  @Test("a process with an earlier version of the protocol cannot serve facts that are read")
  func earlierVersion() {
    var tested = ConversationUnderTest()
    let fault = #expect(throws: FrameFault.self) { try tested.send(.welcome(major: 1, minor: 5)) }
    #expect(fault?.sentence == "uses protocol version 1.5; facts with “read” need 1.6")
  }

  /// A source that opens when the test permits it.
  private actor SlowSource: SourcePlugin {
    nonisolated let manifest = ReadingTests.manifest
    private let recorder: Recorder
    private let mayOpen: AsyncEvent

    init(_ recorder: Recorder, mayOpen: AsyncEvent) {
      self.recorder = recorder
      self.mayOpen = mayOpen
    }

    func open(_ port: DevicePort, at instant: Instant) async throws(Problem) {
      await mayOpen.wait()
      recorder.note("open")
    }
    func read(at instant: Instant) { recorder.note("read at \(instant.nanoseconds)") }
    func apply(_ setting: Setting, at instant: Instant) throws(Problem) {}
    func wake(at instant: Instant, horizon: Instant) {}
    func close(at instant: Instant) {}
  }

  @Test("a source that must be read while it is being opened is read once, as soon as it is open")
  func readingDuringOpening() async throws {
    let (recorder, mayOpen) = (Recorder(), AsyncEvent())
    let set = try PluginSet([SlowSource(recorder, mayOpen: mayOpen)])
    set.beginOpening()
    async let opening: Void = set.finishOpening(0, at: .epoch) { Instant.epoch + .seconds(2) }
    await set.read(0, at: .epoch)
    await set.read(0, at: .epoch)
    #expect(recorder.all == [])
    mayOpen.open()
    await opening
    #expect(recorder.all == ["open", "read at 2000000000"])
    await set.read(0, at: Instant.epoch + .seconds(3))
    #expect(recorder.all.last == "read at 3000000000")
  }
}
