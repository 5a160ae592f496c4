import StintModel
import StintPluginKit
import StintUnits
import Synchronization
import Testing

@Suite struct DevicePortTests {
  private let port = DevicePort(manifest: Thermometer.manifest)
  private func at(_ seconds: Int64) -> Instant { .epoch + .seconds(seconds) }

  private func drainedEvents() -> [PortEvent] {
    var events: [PortEvent] = []
    port.drainEvents(into: &events)
    return events
  }

  @Test("drained events are in the order of the calls that caused them")
  func order() {
    port.report(.state(1, period: nil), at: at(1))
    port.publish("value", .number(21), at: at(1))
    port.publish("test.thermometer.value", .number(22), at: at(2))
    port.available(false, at: at(2))
    port.carried(DemandID(7), at: at(3))
    #expect(
      drainedEvents() == [
        .outcome(.state(1, period: nil), at: at(1)), .fact(0, .number(21), at: at(1)),
        .fact(0, .number(22), at: at(2)), .available(false, at: at(2)), .carried(DemandID(7), at: at(3)),
      ])
    #expect(drainedEvents().isEmpty)
  }

  @Test("a renamed device uses its own names and those of the site; other names are faults")
  func renamed() {
    var manifest = Thermometer.manifest
    manifest.device = "site.cellar"
    manifest.facts[0].path = "site.cellar.value"
    let port = DevicePort(manifest: manifest, own: Thermometer.manifest)
    let names: [DeviceID] = ["test.thermometer", "site.cellar", "site.attic"]
    for (number, device) in names.enumerated() {
      port.publish("\(device).value", .number(21), at: at(1))
      let sample = Sample(instant: at(1), sequence: UInt64(number), 21)
      port.deliver(Batch(device: device, samples: [sample], reason: .immediate), at: at(1))
    }
    var events: [PortEvent] = []
    port.drainEvents(into: &events)
    #expect(events.count { $0 == .fact(0, .number(21), at: at(1)) } == 2)
    let batches = events.compactMap { if case .batch(let batch, _) = $0 { batch.device } else { nil } }
    #expect(batches == ["site.cellar", "site.cellar"])
    let faults = events.compactMap { if case .outcome(.fault(let text), _) = $0 { text } else { nil } }
    #expect(faults.count == 2 && faults.allSatisfy { $0.contains("site.attic") }, "\(faults)")
  }

  @Test(
    "a fact that does not fit the manifest is reported as a fault",
    arguments: [
      ("humidity", FactValue.number(1), "“humidity”"), ("value", .number(.nan), "nan"),
      ("value", .boolean(true), "temperature"),
    ])
  func misfit(name: String, value: FactValue, part: String) {
    port.publish(name, value, at: at(1))
    guard case .outcome(.fault(let text), _)? = drainedEvents().first else {
      Issue.record("no fault")
      return
    }
    #expect(text.contains(part), "\(text)")
    #expect(port.faults == 1)
  }

  @Test("states, events, facts and batches that do not match the manifest are faults")
  func mismatches() {
    port.report(.state(3, period: nil), at: at(1))
    port.report(.event(0, count: 1), at: at(1))
    port.report(.state(2, period: .zero), at: at(1))
    port.publish(port.handle("humidity"), .unknown, at: at(1))
    port.deliver(
      Batch(device: "other", samples: [Sample(instant: at(0), sequence: 0, 1)], reason: .full), at: at(1))
    #expect(port.faults == 5)
    #expect(drainedEvents().count == 5)
  }

  @Test("an event dated before the previous event is a fault, and gets the instant of the previous event")
  func earlierInstant() {
    port.available(true, at: at(5))
    port.available(false, at: at(3))
    let events = drainedEvents()
    #expect(events.last == .available(false, at: at(5)))
    #expect(events.count == 3 && port.faults == 1)
  }

  @Test("a full event queue drops events, counts them and reports the number")
  func fullQueue() {
    for _ in 0..<(DevicePort.capacity + 10) { port.available(true, at: at(1)) }
    let events = drainedEvents()
    #expect(events.count == DevicePort.capacity + 1)
    #expect(port.dropped == 10)
    guard case .outcome(.fault(let text), _)? = events.last else {
      Issue.record("no fault")
      return
    }
    #expect(text.contains("dropped events: 10"))
  }

  @Test("a port has one alarm, which can be moved and cancelled")
  func oneAlarm() {
    port.setAlarm(at: at(9))
    port.setAlarm(at: at(4))
    #expect(port.alarm == at(4))
    var events: [PortEvent] = []
    #expect(port.drainEvents(into: &events) == at(4))
    port.setAlarm(at: nil)
    #expect(port.alarm == nil)
  }

  @Test("the host is notified once for new events, and once for a changed alarm")
  func notifications() {
    let counter = Counter()
    let heard = DevicePort(manifest: Thermometer.manifest) { counter.add() }
    heard.available(true, at: at(1))
    heard.available(true, at: at(1))
    heard.setAlarm(at: at(2))
    heard.setAlarm(at: at(2))
    #expect(counter.count == 2)
  }
}

private final class Counter: Sendable {
  private let value = Atomic<Int>(0)
  var count: Int { value.load(ordering: .relaxed) }
  func add() { value.add(1, ordering: .relaxed) }
}
