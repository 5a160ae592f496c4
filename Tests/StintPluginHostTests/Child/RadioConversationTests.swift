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
  private static let now = Instant.epoch + .seconds(100)

  private struct Talk {
    var conversation = ChildConversation(manifest, firstSample: 0, at: now)
    var sequence: UInt64 = 0

    mutating func say(_ frame: PluginFrame) throws(FrameFault) -> PluginMessage? {
      conversation.receive(frame.frame(sequence).bytes[...])
      sequence += 1
      return try conversation.next(at: now)
    }

    mutating func startTransfer(_ demand: Int64) -> [UInt8]? {
      conversation.startTransfer(
        AssignedTransfer(demand: DemandID(demand), transfer: Transfer(bytesUp: 1, bytesDown: 2)), at: now)
    }

    static func serving(minor: UInt16 = 2) throws(FrameFault) -> Talk {
      var talk = Talk()
      _ = talk.conversation.hello(steady: 0)
      _ = try talk.say(.welcome(major: 1, minor: minor))
      _ = try talk.say(.manifest(FrameManifest(of: manifest)))
      _ = talk.conversation.open([], at: now)
      _ = try talk.say(.opened(at: now))
      return talk
    }
  }

  @Test("a completed transfer is reported with its demand; each attempt has its own number")
  func carried() throws {
    var talk = try Talk.serving()
    #expect(talk.startTransfer(700) != nil)
    #expect(talk.startTransfer(800) != nil)
    #expect(
      try talk.say(.state(1, period: nil, at: Self.now)) == .outcome(.state(1, period: nil), at: Self.now))
    #expect(try talk.say(.carried(DemandID(1), at: Self.now)) == .carried(DemandID(700), at: Self.now))
    #expect(try talk.say(.carried(DemandID(2), at: Self.now)) == .carried(DemandID(800), at: Self.now))
    #expect(talk.startTransfer(700) != nil)
    #expect(try talk.say(.carried(DemandID(3), at: Self.now)) == .carried(DemandID(700), at: Self.now))
  }

  @Test("an abandoned transfer has one answer, also when it was complete before the request arrived")
  func abandoned() throws {
    for answer: PluginFrame in [
      .abandoned(DemandID(1), bytes: 5, at: now), .carried(DemandID(1), at: now),
    ] {
      var talk = try Talk.serving()
      _ = talk.startTransfer(700)
      #expect(talk.conversation.cancelTransfer(DemandID(700), at: Self.now) != nil)
      #expect(talk.conversation.cancelTransfer(DemandID(700), at: Self.now) == nil)
      // The demand may be carried again before the answer.
      #expect(talk.startTransfer(700) != nil)
      #expect(try talk.say(answer) == .abandoned)
      #expect(throws: FrameFault.self) { try talk.say(answer) }
    }
  }

  private var now: Instant { Self.now }

  @Test("an answer to a transfer that is not in progress is a fault")
  func unknown() throws {
    for answer: PluginFrame in [
      .carried(DemandID(1), at: now), .abandoned(DemandID(1), bytes: 0, at: now),
    ] {
      var talk = try Talk.serving()
      let fault = #expect(throws: FrameFault.self) { try talk.say(answer) }
      #expect(fault?.code == .order)
    }
    var talk = try Talk.serving()
    _ = talk.startTransfer(700)
    let fault = #expect(throws: FrameFault.self) {
      try talk.say(.abandoned(DemandID(1), bytes: 0, at: Self.now))
    }
    #expect(fault?.sentence == "abandoned transfer 1 without a request")
  }

  @Test("a negative number of transferred bytes is a fault")
  func negative() throws {
    var talk = try Talk.serving()
    _ = talk.startTransfer(700)
    _ = talk.conversation.cancelTransfer(DemandID(700), at: now)
    #expect(throws: FrameFault.self) { try talk.say(.abandoned(DemandID(1), bytes: -1, at: Self.now)) }
  }

  @Test("a radio needs version 1.2 of the protocol")
  func version() throws {
    let fault = #expect(throws: FrameFault.self) { try Talk.serving(minor: 1) }
    #expect(fault?.sentence == "speaks version 1.1 of the protocol; a radio needs 1.2")
  }

  @Test("1,024 transfers may be unanswered; the next one is refused")
  func bound() throws {
    var talk = try Talk.serving()
    for number in 1...1024 { #expect(talk.startTransfer(Int64(number)) != nil) }
    #expect(talk.startTransfer(2000) == nil)
    _ = try talk.say(.carried(DemandID(1), at: now))
    #expect(talk.startTransfer(2000) != nil)
  }
}
