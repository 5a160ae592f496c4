import StintGovernor
import StintModel
import StintUnits
import Testing

@Suite("The energy of a sensor that clients with different rates share")
struct SharedEnergyTests {
  /// A sensor that cannot hold samples, so that a high rate keeps the processor awake.
  private static let sensor = Manifest(
    device: "test.plain", kind: .sensor, title: "",
    states: [
      PowerState(name: "off", power: .zero, isOn: false),
      PowerState(
        name: "on", power: Power(nanowatts: 50_000), perHertz: Power(nanowatts: 9000), isOn: true),
    ],
    transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)],
    events: [PricedEvent(name: "scan", energy: Energy(nanojoules: 1_000_000))], verbs: Verb.allCases,
    attributes: [
      AttributeSchema(name: "rate", type: .quantity(.rate), range: 0.0001...50, fallback: .number(1)),
      AttributeSchema(name: "background", type: .symbol(["on", "off"])),
    ])

  @Test("F3: a client at 0.1 Hz pays nothing for a rate of 50 Hz, its events, and the awake processor")
  func slowBesideFast() throws {
    var bench = try GovernorBench(extra: [Self.sensor])
    _ = bench.raise("slow", on: "test.plain", DemandSettings(period: .seconds(10), background: true), at: 0)
    _ = bench.raise(
      "fast", on: "test.plain", DemandSettings(period: TimeSpan(nanoseconds: 20_000_000), background: true),
      at: 0)
    bench.run(to: 100)
    let first = bench.governor.ledger(at: bench.instant(100))
    let slow = first.byClient["slow"]?.nanojoules ?? 0
    // Half of 50 µW + 0.9 µW for 100 s.
    #expect((2_544_000...2_546_000).contains(slow), "\(slow) nJ")
    // The processor draws 150 mW while it is awake.
    #expect((first.byClient["fast"] ?? .zero).joules > 14.9 && first.isBalanced)
    let device = try #require(bench.governor.vocabulary.device("test.plain"))
    bench.input(.outcome(device: device, .event(0, count: 1000)), at: 100)
    let second = bench.governor.ledger(at: bench.instant(100))
    // One of 500 samples is for both clients.
    let events = (second.byClient["slow"]?.nanojoules ?? 0) - slow
    #expect((999_000...1_001_000).contains(events) && second.isBalanced, "\(events) nJ")
  }
}
