import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintPluginHost

/// Replays the frames of a plugin that was made with the Python kit of version 1.5 of the protocol.
@Suite("Plugins of an older version of the protocol")
struct RecordedPluginTests {
  private static let start = Instant(nanoseconds: 1_700_000_000_000_000_000)
  private static let now = start + .seconds(2)

  private static let manifest = Manifest(
    device: "ambient.temperature", kind: .sensor, title: "",
    states: [.init(name: "off", power: .zero, isOn: false), .init(name: "on", power: .zero, isOn: true)],
    transitions: [.init(from: 0, to: 1), .init(from: 1, to: 0)], fifo: 600,
    channels: [Channel(name: "temperature", unit: "C")],
    facts: [
      FactSchema(
        path: "ambient.temperature.temperature", type: .quantity(.temperature), device: "ambient.temperature")
    ])

  /// The recorded frames: welcome, manifest, opened; applied, then samples at once; applied, then samples
  /// that are held until drain; applied; closed.
  private static let digits = """
    1400000001000000000000000000000001000500560000000300000001000000000000001300616d6269656e742e74656d70
    65726174757265020003006f666602006f6e000001000b0074656d706572617475726501004301000b0074656d7065726174
    75726501004318000000050000000200000000000000578c3246fe9c971728000000070000000300000000000000ea9e3346
    fe9c9717010000000100000000e1f505000000002800000011000000040000000000000058245f46fe9c9717000000000200
    00000000000000803540500000000f0000000500000000000000f7ac5f46fe9c97170000000001000000e1165f46fe9c9717
    0000000000000000000000000080354000000000000000000000000000000000000000000000000028000000110000000600
    000000000000f4cd2e4cfe9c971700000000020000000000000000803540500000000f0000000700000000000000c2962f4c
    fe9c9717000000000100000064b82e4cfe9c9717010000000000000000000000008035400000000000000000000000000000
    000000000000000000002800000007000000080000000000000077ca314cfe9c9717020000000100000000e1f50500000000
    2800000011000000090000000000000091364d52fe9c97170000000002000000000000000080354028000000110000000a00
    000000000000ba2c8058fe9c97170000000002000000000000000080354028000000110000000b000000000000006019b35e
    fe9c971700000000020000000000000000803540b00000000f0000000c000000000000000b471461fe9c9717020000000300
    00001a224d52fe9c971702000000000000000000000000803540000000000000000000000000000000000000000000000000
    fc178058fe9c9717030000000000000000000000008035400000000000000000000000000000000000000000000000008903
    b35efe9c9717040000000000000000000000008035400000000000000000000000000000000000000000000000001c000000
    0b0000000d0000000000000093771461fe9c97170300000028000000070000000e00000000000000f2b55161fe9c97170400
    0000000000000000000000000000180000000d0000000f0000000000000070905261fe9c9717
    """

  /// The frames. A frame begins with its length.
  private static let bytes: [[UInt8]] = {
    let values = digits.utf8.filter { $0 >= 0x30 }.map { $0 >= 0x61 ? $0 - 0x57 : $0 - 0x30 }
    var all: [UInt8] = []
    for place in stride(from: 0, to: values.count, by: 2) {
      all.append(values[place] << 4 | values[place + 1])
    }
    var frames: [[UInt8]] = []
    while all.count > 1 {
      let length = Int(all[0]) + Int(all[1]) * 256
      frames.append(Array(all.prefix(length)))
      all.removeFirst(min(length, all.count))
    }
    return frames
  }()

  @Test("the frames of a plugin of version 1.5 are accepted, and its samples and facts arrive")
  func replay() throws {
    var conversation = ChildConversation(Self.manifest, firstSample: 0, at: Self.start)
    _ = conversation.hello(steady: 0)
    var next = 0
    var batches: [Batch] = []
    var facts: [FactValue] = []
    /// Passes frames up to the first frame of this kind.
    func pass(until kind: UInt8) throws {
      while next < Self.bytes.count {
        let frame = Self.bytes[next]
        next += 1
        conversation.receive(frame[...])
        while let message = try conversation.next(at: Self.now) {
          if case .batch(let batch, _) = message { batches.append(batch) }
          if case .fact(_, let value, _) = message { facts.append(value) }
        }
        if frame[4] == kind { return }
      }
    }
    try pass(until: 3)
    _ = conversation.open([], at: Self.start)
    try pass(until: 5)
    _ = conversation.apply(Setting(isOn: true, period: .milliseconds(100)), at: Self.start)
    try pass(until: 7)
    try pass(until: 15)
    try pass(until: 15)
    _ = conversation.apply(Setting(isOn: true, period: .milliseconds(100), isHolding: true), at: Self.start)
    try pass(until: 7)
    _ = conversation.drain(.flushed, at: Self.start)
    try pass(until: 11)
    _ = conversation.apply(.off, at: Self.start)
    try pass(until: 7)
    _ = conversation.close(at: Self.start)
    try pass(until: 13)
    #expect(next == Self.bytes.count)
    #expect(batches.map(\.samples.count) == [1, 1, 3] && batches.last?.reason == .flushed)
    #expect(batches.flatMap(\.samples).map(\.sequence) == [0, 1, 2, 3, 4])
    #expect(batches.flatMap(\.samples).allSatisfy { $0.first == 21.5 })
    #expect(facts == Array(repeating: .number(21.5), count: 5))
    #expect(conversation.lostSamples == 0 && conversation.unansweredCount == 0)
  }
}
