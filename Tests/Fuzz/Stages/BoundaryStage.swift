import StintModel
import StintPluginHost
import StintPluginKit
import StintUnits

/// Uses arbitrary bytes as the output of a plugin. Checks that the host accepts only messages that the
/// manifest, the protocol order and the current time allow. Also checks that a protocol fault ends the
/// connection.
///
/// The bytes are used as a stream. After a valid handshake, the bytes are also used as bodies of frames with
/// correct headers. So the code after the header check runs, too.
enum BoundaryStage {
  static let manifest = Manifest(
    device: "test.device", kind: .sensor, title: "",
    states: [
      PowerState(name: "off", power: .zero, isOn: false),
      PowerState(name: "on", power: Power(nanowatts: 1_000_000), isOn: true),
    ], transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)],
    events: [PricedEvent(name: "scan", energy: Energy(nanojoules: 5))],
    attributes: [AttributeSchema(name: "rate", type: .quantity(.rate), range: 0.001...100)], fifo: 100,
    channels: [Channel(name: "value", unit: "C")],
    facts: [
      FactSchema(path: "test.device.level", type: .quantity(.ratio), range: 0...1),
      FactSchema(path: "test.device.flag", type: .boolean),
      FactSchema(path: "test.device.word", type: .symbol(["still", "walking"])),
    ])
  private static let start = Instant(nanoseconds: 1_700_000_000_000_000_000)

  static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
    try stream(bytes)
    try script(bytes)
    try readBack(bytes)
  }

  /// Uses the bytes unchanged.
  private static func stream(_ bytes: [UInt8]) throws(FuzzFinding) {
    var session = HostSession()
    session.send(bytes)
    try session.check()
  }

  /// Uses a valid handshake, then frames from the bytes. Each frame begins with three bytes: a kind, a
  /// length, and a byte that selects the host's actions before the frame.
  private static func script(_ bytes: [UInt8]) throws(FuzzFinding) {
    var session = HostSession()
    session.sendHandshake()
    try session.check()
    var rest = bytes[...]
    while let kind = rest.popFirst(), let length = rest.popFirst(), let turn = rest.popFirst() {
      session.performHostAction(turn)
      let body = Array(rest.prefix(Int(length)))
      rest = rest.dropFirst(Int(length))
      session.send(kind, body, hasCurrentTime: turn & 0x40 != 0)
      try session.check()
    }
  }

  /// Checks that decoding and encoding a frame keeps its bytes. A host frame of kind 4 (`apply`) is excluded,
  /// because decoding ignores its accuracy and its period when their flags are not set.
  private static func readBack(_ bytes: [UInt8]) throws(FuzzFinding) {
    guard let kind = bytes.first else { return }
    let frame = Frame(kind: UInt16(kind), sequence: 7, body: Array(bytes.dropFirst().prefix(4_000)))
    do {
      let read = try PluginFrame(frame).frame(7).bytes
      try FuzzFinding.unless(
        read == frame.bytes, "decoding and encoding a plugin frame of kind \(kind) changes its bytes")
    } catch let finding as FuzzFinding { throw finding } catch {}
    do {
      let read = try HostFrame(frame).frame(7).bytes
      if kind != 4 {
        try FuzzFinding.unless(
          read == frame.bytes, "decoding and encoding a host frame of kind \(kind) changes its bytes")
      }
    } catch let finding as FuzzFinding { throw finding } catch {}
  }
}
