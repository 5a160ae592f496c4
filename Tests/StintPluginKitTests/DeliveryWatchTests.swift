import StintModel
import StintPluginKit
import StintUnits
import Testing

/// The port applies the same checks to linked plugins as the host applies to the frames of processes.
@Suite("X07: a port reports implausible event counts, states, sequence numbers and periods as faults")
struct DeliveryWatchTests {
  private static let manifest = Manifest(
    device: "a.b", kind: .sensor, title: "",
    states: [
      PowerState(name: "off", power: .zero, isOn: false),
      PowerState(name: "low", power: Power(nanowatts: 1_000), isOn: true),
      PowerState(name: "high", power: Power(nanowatts: 2_000), isOn: true),
    ],
    transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0), Transition(from: 1, to: 2)],
    events: [PricedEvent(name: "scan", energy: InputBounds.event)], fifo: 10,
    channels: [Channel(name: "x", unit: "m")])

  private let port = DevicePort(manifest: manifest)

  private func at(_ seconds: Int64) -> Instant { .epoch + .seconds(seconds) }

  private func drainedEvents() -> [PortEvent] {
    var events: [PortEvent] = []
    port.drainEvents(into: &events)
    return events
  }

  private func faults() -> [String] {
    drainedEvents().compactMap { if case .outcome(.fault(let text), _) = $0 { text } else { nil } }
  }

  private func deliver(_ number: UInt64, measured: Int64, at second: Int64) {
    let sample = Sample(instant: at(measured), sequence: number, 1)
    port.deliver(Batch(device: "a.b", samples: [sample], reason: .immediate), at: at(second))
  }

  @Test(
    "events beyond the rate limit are reported as a fault and are not passed on; other events are passed on")
  func events() {
    port.report(.event(0, count: 1_000), at: at(1))
    port.report(.event(0, count: Int(UInt32.max)), at: at(1))
    port.report(.event(0, count: .max), at: at(1))
    #expect(
      drainedEvents() == [
        .outcome(.event(0, count: 1_000), at: at(1)),
        .outcome(
          .fault("reported “scan” too often (4294967295); at most 2000 a second are charged"), at: at(1)),
        .outcome(
          .fault("reported “scan” too often (9223372036854775807); at most 2000 a second are charged"),
          at: at(1)),
      ])
    // The limit of 2,000 events a second permits more events after some time.
    port.report(.event(0, count: 4_000), at: at(4))
    #expect(drainedEvents() == [.outcome(.event(0, count: 4_000), at: at(4))])
  }

  @Test("a sensor that delivers after it has reported “off” counts as on, in its last on-state")
  func deliversWhileOff() {
    port.report(.state(1, period: nil), at: at(1))
    deliver(0, measured: 2, at: 2)
    port.report(.state(0, period: nil), at: at(3))
    // This sample was measured before the device turned off.
    deliver(1, measured: 3, at: 4)
    #expect(faults().isEmpty)
    deliver(2, measured: 10, at: 10)
    let events = drainedEvents()
    let text = "delivers samples dated 7 s after it reported “off”; charged as “low”"
    #expect(events.count == 3)
    #expect(events.first == .outcome(.state(1, period: nil), at: at(10)))
    #expect(events.dropFirst().first == .outcome(.fault(text), at: at(10)))
    // The device counts as on until its next report of “off”.
    deliver(3, measured: 11, at: 11)
    #expect(faults().isEmpty)
    port.report(.state(0, period: nil), at: at(12))
    deliver(4, measured: 20, at: 20)
    #expect(faults().count == 1)
  }

  @Test(
    "a sensor that delivers for over 1 s and reports no state counts as being in its most expensive state"
  )
  func neverOn() {
    deliver(0, measured: 1, at: 1)
    deliver(1, measured: 5, at: 5)
    let events = drainedEvents()
    #expect(events.contains(.outcome(.state(2, period: nil), at: at(5))))
    #expect(port.faults == 1)
  }

  @Test("sample numbers that repeat, decrease or jump are reported once until they are valid again")
  func numbers() {
    port.report(.state(1, period: nil), at: at(0))
    let numbers: [UInt64] = [5, 5, 5, 3, 4, .max - 2, .max - 1, .max]
    for (second, number) in numbers.enumerated() {
      deliver(number, measured: Int64(second), at: Int64(second))
    }
    #expect(
      faults() == [
        "numbered a sample 5 after sample 5",
        "numbered a sample 18446744073709551613 after sample 4: the gap is too large",
      ])
    deliver(0, measured: 20, at: 20)
    #expect(faults() == ["numbered a sample 0 after sample 18446744073709551615"])
  }

  @Test("a sampling period below 1 us or of 292 years is a fault", arguments: [0, 1, 999, Int64.max])
  func periods(nanoseconds: Int64) {
    port.report(.state(1, period: TimeSpan(nanoseconds: nanoseconds)), at: at(1))
    #expect(faults().count == 1)
  }
}
