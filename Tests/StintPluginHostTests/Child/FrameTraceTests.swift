import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintPluginHost

@Suite("The lines of --trace") struct FrameTraceTests {
  private static let now = Instant.epoch + .seconds(100)

  @Test("each frame in both directions is one line, and no line contains the value of a setting")
  func lines() throws {
    var family = FactSchema(path: "test.source.tag.*", type: .quantity(.none))
    family.keys = 2
    let manifest = Manifest(
      device: "test.source", kind: .source, title: "",
      facts: [FactSchema(path: "test.source.value", type: .quantity(.none)), family])
    let lines = Locked<[String]>([])
    var conversation = ChildConversation(manifest, firstSample: 0, at: Self.now)
    conversation.trace = { line in lines.withLock { $0.append(line) } }
    func receive(_ frame: PluginFrame, _ sequence: UInt64) throws {
      conversation.receive(frame.frame(sequence).bytes[...])
      _ = try conversation.next(at: Self.now)
    }
    _ = conversation.hello(steady: 0)
    try receive(.welcome(major: 1, minor: 7), 0)
    try receive(.manifest(FrameManifest(of: manifest)), 1)
    _ = conversation.open([PluginSettingEntry("token", .text("correct-horse"))], at: Self.now)
    try receive(.opened(at: Self.now), 2)
    try receive(.fact(0, .number(7), at: Self.now), 3)
    try receive(.keyedFact(1, key: "4711", .number(8), at: Self.now), 4)
    _ = conversation.close(at: Self.now)
    #expect(
      lines.withLock { $0 } == [
        "host → 0 hello: version 1.8", "plugin → 0 welcome: version 1.7", "plugin → 1 manifest",
        "host → 1 open: token", "plugin → 2 opened", "plugin → 3 fact: fact 0, number(7.0)",
        "plugin → 4 keyed fact: fact 1, key 4711, number(8.0)", "host → 2 close",
      ])
  }
}
