import StintGovernor
import StintModel
import StintUnits
import Testing

@Suite("Slow demands on a sensor that samples faster")
struct RestingDemandTests {
  /// A governor with a rule that reads the sensor every second, and with a client without a latency.
  private func bench(client period: TimeSpan) throws -> GovernorBench {
    var bench = try GovernorBench(extra: [SensedHour.motion, Self.fast])
    _ = bench.raise("app", on: "test.fast", DemandSettings(period: period, background: true), at: 0)
    try bench.load("policy \"p\"\nrule r when test.fast.level > 2 { emit \"x\" }", at: 0)
    return bench
  }

  /// A sensor with a FIFO whose fact is read once a second.
  private static let fast = Manifest(
    device: "test.fast", kind: .sensor, title: "", states: SensedHour.motion.states,
    transitions: SensedHour.motion.transitions, verbs: Verb.allCases,
    attributes: SensedHour.motion.attributes, fifo: 300,
    facts: [
      FactSchema(
        path: "test.fast.level", type: .quantity(.none), maxAge: .seconds(2), device: "test.fast")
    ])

  /// Delivers the samples of the sensor, one per second, as a device does that holds samples on request.
  private func sample(_ bench: inout GovernorBench, _ seconds: ClosedRange<Int>) throws {
    let device = try #require(bench.governor.vocabulary.device("test.fast"))
    for second in seconds {
      bench.run(to: Double(second))
      guard bench.governor.status(of: "test.fast")?.setting.isHolding == false else { continue }
      bench.input(.delivered(device: device, samples: 1, reason: .immediate), at: Double(second))
    }
  }

  @Test("between two samples of a slow client, the sensor holds, and the processor wakes once per sample")
  func rests() throws {
    var bench = try bench(client: .seconds(20))
    try sample(&bench, 1...62)
    #expect(bench.governor.wakes == 4)
    let settings = bench.settings(of: "test.fast")
    let changes = settings.map {
      "\($0.prefix { $0 != ":" }) \($0.contains("holding") ? "holds" : "delivers")"
    }
    #expect(
      changes == [
        "0 delivers", "0 delivers", "1 holds", "20 delivers", "21 holds", "40 delivers", "41 holds",
        "60 delivers", "61 holds",
      ])
    #expect(bench.governor.wakesByDevice == ["test.fast": 4])
    let ledger = bench.governor.ledger(at: bench.instant(62))
    #expect(ledger.isBalanced && bench.governor.unexplained(at: bench.instant(62)) == .zero)
  }

  @Test("a client whose period is shorter than four sampling periods does not rest")
  func shortPeriod() throws {
    var bench = try bench(client: .seconds(3))
    try sample(&bench, 1...30)
    #expect(bench.settings(of: "test.fast").count == 2)
    // The processor still wakes only for the samples of the client.
    #expect(bench.governor.wakes == 10)
  }

  @Test("a new demand takes the next sample at once, also while another slow demand rests")
  func newDemand() throws {
    var bench = try bench(client: .minutes(10))
    try sample(&bench, 1...30)
    #expect(bench.governor.wakes == 1)
    _ = bench.raise(
      "other", on: "test.fast", DemandSettings(period: .seconds(40), background: true), at: 30.5)
    #expect(bench.governor.status(of: "test.fast")?.setting.isHolding == false)
    try sample(&bench, 31...69)
    // One wake-up for the samples that the sensor held when the demand began, and one for its first sample.
    #expect(bench.governor.wakes == 3)
    try sample(&bench, 70...75)
    #expect(bench.governor.wakes == 4, "\(bench.settings(of: "test.fast"))")
  }
}
