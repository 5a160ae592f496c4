import StintModel
import StintTestSupport
import StintUnits
import Testing

@testable import StintPluginKit

@Suite("Publishing facts of families") struct KeyedFactTests {
  private static let manifest = Manifest.tagReader

  private let port = DevicePort(manifest: Self.manifest)

  private var events: [PortEvent] {
    var events: [PortEvent] = []
    port.drainEvents(into: &events)
    return events
  }

  @Test("a plugin publishes a key by its full name, by its short name, or with the handle of the family")
  func names() {
    port.publish("reader.tag.a", .number(1), at: .epoch)
    port.publish("tag.4711", .number(2), at: .epoch)
    port.publish(port.handle("tag.*"), key: "a", .number(3), at: .epoch)
    #expect(
      events == [
        .keyed(1, key: "a", .number(1), at: .epoch), .keyed(1, key: "4711", .number(2), at: .epoch),
        .keyed(1, key: "a", .number(3), at: .epoch),
      ])
    #expect(port.faults == 0)
  }

  @Test("a renamed device publishes keys by its own names and by the names of the site")
  func renamed() {
    var site = Self.manifest
    site.device = "dock"
    site.facts[0].path = "dock.count"
    site.facts[1].path = "dock.tag.*"
    let port = DevicePort(manifest: site, own: Self.manifest)
    port.publish("reader.tag.a", .number(1), at: .epoch)
    port.publish("dock.tag.a", .number(2), at: .epoch)
    port.publish("tag.a", .number(3), at: .epoch)
    var events: [PortEvent] = []
    port.drainEvents(into: &events)
    #expect(events == (1...3).map { .keyed(1, key: "a", .number(Double($0)), at: .epoch) })
  }

  @Test("a key beyond the number of keys is dropped and counted like a value out of range")
  func bound() {
    for key in ["a", "b", "c", "c", "b"] { port.publish("tag.\(key)", .number(1), at: .epoch) }
    port.publish("tag.a", .number(101), at: .epoch)
    #expect(events.count == 3 && port.faults == 0 && port.droppedReadings.count == 3)
    #expect(port.droppedReadings.lastReason == "reader.tag.a cannot be 101 m; its range is 0 m to 100 m")
    port.publish("tag.c", .number(1), at: .epoch)
    #expect(
      port.droppedReadings.lastReason
        == "reader.tag.* has 2 keys, as its manifest declares, so the key “c” is refused")
    port.publish("tag.a", .unknown, at: .epoch)
    port.publish("tag.c", .number(1), at: .epoch)
    #expect(
      events == [.keyed(1, key: "a", .unknown, at: .epoch), .keyed(1, key: "c", .number(1), at: .epoch)])
  }

  @Test("the value unknown for a family withdraws all its keys")
  func withdrawal() {
    for key in ["b", "a"] { port.publish("tag.\(key)", .number(1), at: .epoch) }
    _ = events
    port.publish(port.handle("tag.*"), .unknown, at: .epoch)
    #expect(events == ["a", "b"].map { .keyed(1, key: $0, .unknown, at: .epoch) })
    port.publish(port.handle("tag.*"), .unknown, at: .epoch)
    #expect(events.isEmpty && port.faults == 0)
  }

  @Test("an invalid key, a family without a key, a wrong type and a key of a single fact are faults")
  func faults() {
    port.publish(port.handle("tag.*"), key: "a.b", .number(1), at: .epoch)
    port.publish(port.handle("tag.*"), .number(1), at: .epoch)
    port.publish("tag.a", .boolean(true), at: .epoch)
    port.publish(port.handle("count"), key: "a", .number(1), at: .epoch)
    port.publish("tag.a-b", .number(1), at: .epoch)
    #expect(port.faults == 5)
    let isFault = events.map { if case .outcome(.fault, _) = $0 { true } else { false } }
    #expect(isFault == [true, true, true, true, true])
  }

  @Test("a keyed fact is encoded and decoded, and a frame without its key is a fault")
  func frame() throws {
    for value in [FactValue.unknown, .boolean(true), .number(-1.5), .symbol(3)] {
      let sent = PluginFrame.keyedFact(1, key: "4711", value, at: .epoch)
      #expect(try PluginFrame(sent.frame(9)) == sent)
      let short = Frame(kind: 43, sequence: 9, body: Array(sent.frame(9).body.dropLast(1)))
      #expect(throws: FrameFault.self) { try PluginFrame(short) }
    }
  }
}
