import StintModel
import StintPluginKit
import StintTestSupport
import StintUnits
import Testing

@testable import StintPluginHost

@Suite("Facts of families from a process")
struct KeyedConversationTests {
  private static let now = Instant.epoch + .seconds(100)

  private static let manifest = Manifest.tagReader

  private struct ConversationUnderTest {
    var conversation = ChildConversation(manifest, firstSample: 0, at: now)
    var sequence: UInt64 = 0

    init(minor: UInt16 = 7) throws(FrameFault) {
      var description = FrameManifest(of: manifest)
      description.facts[1].unit = "km"
      _ = conversation.hello(steady: 0)
      _ = try send(.welcome(major: 1, minor: minor))
      _ = try send(.manifest(description))
      _ = conversation.open([], at: now)
      _ = try send(.opened(at: now))
    }

    mutating func send(_ frame: PluginFrame) throws(FrameFault) -> PluginMessage? {
      conversation.receive(frame.frame(sequence).bytes[...])
      sequence += 1
      return try conversation.next(at: now)
    }
  }

  @Test("a key arrives with its value in base units, and the value unknown for the family has no key")
  func values() throws {
    var tested = try ConversationUnderTest()
    #expect(
      try tested.send(.keyedFact(1, key: "4711", .number(0.05), at: Self.now))
        == .keyed(1, key: "4711", .number(50), at: Self.now))
    // The port drops and counts a value out of range.
    #expect(
      try tested.send(.keyedFact(1, key: "4711", .number(1), at: Self.now))
        == .keyed(1, key: "4711", .number(1000), at: Self.now))
    #expect(try tested.send(.fact(1, .unknown, at: Self.now)) == .fact(1, .unknown, at: Self.now))
  }

  @Test(
    "an invalid key, a wrong type, a single fact with a key and a family without a key are violations",
    arguments: [
      (
        PluginFrame.keyedFact(1, key: "a-b", .number(1), at: now),
        "published an invalid key of “reader.tag.*”"
      ),
      (.keyedFact(1, key: "", .number(1), at: now), "published an invalid key of “reader.tag.*”"),
      (
        .keyedFact(0, key: "a", .number(1), at: now),
        "published family 0, which its manifest does not declare"
      ),
      (
        .keyedFact(2, key: "a", .number(1), at: now),
        "published family 2, which its manifest does not declare"
      ),
      (.keyedFact(1, key: "a", .symbol(0), at: now), "published an invalid value: reader.tag.a cannot have"),
      (.fact(1, .number(0.01), at: now), "published “reader.tag.*” without a key"),
    ])
  func violations(frame: PluginFrame, sentence: String) throws {
    var tested = try ConversationUnderTest()
    let fault = #expect(throws: FrameFault.self) { try tested.send(frame) }
    #expect(fault?.sentence.contains(sentence) == true, "\(fault?.sentence ?? "")")
  }

  @Test("a family needs version 1.7 of the protocol")
  func version() {
    let fault = #expect(throws: FrameFault.self) { try ConversationUnderTest(minor: 6) }
    #expect(fault?.sentence == "uses protocol version 1.6; families of facts need 1.7")
  }
}
