import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintPluginHost

/// Tests devices that are removed and connected again while their process continues.
@Suite("Absent devices of a process")
struct AbsenceTests {
  private static let now = Instant.epoch + .seconds(100)

  private static let sensor = Manifest(
    device: "usb.stick", kind: .sensor, title: "",
    states: [
      .init(name: "off", power: .zero, isOn: false),
      .init(name: "on", power: Power(nanowatts: 1_000_000), isOn: true),
    ],
    transitions: [.init(from: 0, to: 1), .init(from: 1, to: 0)],
    attributes: [.init(name: "rate", type: .quantity(.rate), range: 0.001...10)], fifo: 100,
    channels: [.init(name: "x", unit: "m")],
    facts: [FactSchema(path: "usb.stick.level", type: .quantity(.none))])

  private static let radio = Manifest(
    device: "usb.modem", kind: .radio, title: "",
    states: [
      .init(name: "off", power: .zero, isOn: false),
      .init(name: "on", power: Power(nanowatts: 1_000_000), isOn: true),
    ],
    transitions: [.init(from: 0, to: 1), .init(from: 1, to: 0)])

  private struct ConversationUnderTest {
    var conversation: ChildConversation
    var sequence: UInt64 = 0

    mutating func send(_ frame: PluginFrame, at instant: Instant = now) throws(FrameFault) -> PluginMessage? {
      conversation.receive(frame.frame(sequence).bytes[...])
      sequence += 1
      return try conversation.next(at: instant)
    }

    static func serving(_ manifest: Manifest, minor: UInt16 = 6) throws(FrameFault) -> ConversationUnderTest {
      var tested = ConversationUnderTest(
        conversation: ChildConversation(manifest, firstSample: 0, at: now))
      _ = tested.conversation.hello(steady: 0)
      _ = try tested.send(.welcome(major: 1, minor: minor))
      _ = try tested.send(.manifest(FrameManifest(of: manifest)))
      _ = tested.conversation.open([], at: now)
      _ = try tested.send(.opened(at: now))
      _ = tested.conversation.apply(Setting(isOn: true, period: .seconds(1), isHolding: true), at: now)
      _ = try tested.send(.applied(1, state: 1, period: .seconds(1), at: now))
      return tested
    }
  }

  @Test(
    "facts, states and answers of an absent device have no effect; the device returns in its initial state")
  func absence() throws {
    var tested = try ConversationUnderTest.serving(Self.sensor)
    // The host sends this setting before it receives the report that the device is absent.
    _ = tested.conversation.apply(Setting(isOn: true, period: .seconds(2)), at: Self.now)
    #expect(try tested.send(.available(false, at: Self.now)) == .available(false, at: Self.now))
    #expect(!tested.conversation.isPresent(0))
    #expect(try tested.send(.fact(0, .number(7), at: Self.now)) == .ignored)
    #expect(try tested.send(.state(1, period: nil, at: Self.now)) == .ignored)
    #expect(try tested.send(.applied(2, state: 1, period: nil, at: Self.now)) == .ignored)
    #expect(tested.conversation.unansweredCount == 0)

    #expect(try tested.send(.available(true, at: Self.now)) == .available(true, at: Self.now))
    #expect(tested.conversation.isPresent(0))
    // The device may still be on with its former setting.
    #expect(try tested.send(.state(1, period: nil, at: Self.now)) == .ignored)
    _ = tested.conversation.apply(.off, at: Self.now)
    _ = try tested.send(.applied(3, state: 0, period: nil, at: Self.now))
    let fault = #expect(throws: FrameFault.self) { try tested.send(.state(1, period: nil, at: Self.now)) }
    #expect(fault?.sentence == "is in “on”, and its setting is off")
  }

  @Test("the held samples of an absent device are counted as lost exactly once")
  func heldSamples() throws {
    var tested = try ConversationUnderTest.serving(Self.sensor)
    let later = Self.now + .seconds(30)
    _ = try tested.send(.available(false, at: later), at: later)
    #expect(tested.conversation.takeHeld(at: later) == 30)
    #expect(tested.conversation.takeHeld(at: later + .seconds(60)) == 0)
  }

  @Test(
    "a device of an earlier version of the protocol keeps its facts and its state while it is unavailable")
  func earlierVersion() throws {
    var tested = try ConversationUnderTest.serving(Self.sensor, minor: 5)
    _ = try tested.send(.available(false, at: Self.now))
    #expect(tested.conversation.isPresent(0))
    #expect(try tested.send(.fact(0, .number(7), at: Self.now)) == .fact(0, .number(7), at: Self.now))
  }

  @Test(
    "transfers of an absent radio end, late answers have no effect, and transfer numbers are not reused")
  func transfers() throws {
    var tested = try ConversationUnderTest.serving(Self.radio)
    let transfer = AssignedTransfer(
      demand: DemandID(9), transfer: Transfer(bytesUp: 1, bytesDown: 0, deadline: nil))
    for count in 0..<2_000 {
      let instant = Self.now + .milliseconds(Int64(count) * 10)
      #expect(tested.conversation.startTransfer(transfer, at: instant) != nil)
      _ = try tested.send(.available(false, at: instant), at: instant)
      _ = try tested.send(.available(true, at: instant), at: instant)
    }
    let end = Self.now + .seconds(30)
    #expect(try tested.send(.carried(DemandID(1), at: end), at: end) == .abandoned)
    #expect(try tested.send(.abandoned(DemandID(2), bytes: 0, at: end), at: end) == .abandoned)
    #expect(tested.conversation.startTransfer(transfer, at: end) != nil)
    let complete = try tested.send(.carried(DemandID(2_001), at: end), at: end)
    #expect(complete == .carried(DemandID(9), at: end))
    #expect(throws: FrameFault.self) { try tested.send(.carried(DemandID(2_002), at: end), at: end) }
  }

  #if os(Linux)
    @Test(
      "a device that was absent gets its setting again from the host, without a restart of its process",
      .enabled(if: ChildBench.hasPython, "the plugin is in Python"))
    func unplugged() throws {
      try ChildBench.run("unplugged") { bench in
        await bench.apply(Setting(isOn: true, period: .milliseconds(20)))
        let returns = 5
        _ = try await bench.first("the fifth return") { _ in
          bench.events.count { if case .available(true, _) = $0 { true } else { false } } >= returns
        }
        let process = bench.plugin.status.process
        let events = bench.events
        let gone = try #require(
          events.firstIndex { if case .available(false, _) = $0 { true } else { false } })
        guard case .outcome(.state(0, _), _) = events[gone - 1], case .fact(0, .unknown, _) = events[gone - 2]
        else {
          Issue.record("\(events[..<gone].suffix(4))")
          return
        }
        let back = try #require(
          events.firstIndex { if case .available(true, _) = $0 { true } else { false } })
        let isOnAgain = events[back...].contains {
          if case .outcome(.state(1, _), _) = $0 { true } else { false }
        }
        #expect(isOnAgain && bench.plugin.status.restarts == 0 && process != nil)
      }
    }
  #endif
}
