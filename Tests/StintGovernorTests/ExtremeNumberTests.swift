import StintGovernor
import StintModel
import StintUnits
import Testing

/// Tests with numbers from plugins, clients and manifests at the limits of their ranges. The ledger must stay
/// balanced, and the governor must not trap.
@Suite("Extreme numbers from outside")
struct ExtremeNumberTests {
  private static func sensor(
    power: Power, perHertz: Power = .zero, event: Energy = .zero
  ) -> Manifest {
    Manifest(
      device: "outside.sensor", kind: .sensor, title: "",
      states: [
        PowerState(name: "off", power: .zero, isOn: false),
        PowerState(name: "on", power: power, perHertz: perHertz, isOn: true),
      ],
      transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)],
      events: [PricedEvent(name: "scan", energy: event)], verbs: Verb.allCases)
  }

  private static func number(_ bench: GovernorBench) throws -> Int {
    try #require(bench.governor.vocabulary.device("outside.sensor"))
  }

  @Test("a report of 4,294,967,295 events of 1 J each is charged exactly, even when it is repeated")
  func manyEvents() throws {
    let joule = Energy(nanojoules: 1_000_000_000)
    var bench = try GovernorBench(extra: [Self.sensor(power: .zero, event: joule)])
    let device = try Self.number(bench)
    for second in 1...9 {
      let outcome = Outcome.event(0, count: Int(UInt32.max))
      bench.input(.outcome(device: device, outcome), at: Double(second))
    }
    let book = bench.governor.ledger(at: bench.instant(9))
    #expect(book.isBalanced)
    #expect(book.byDevice["outside.sensor"]?.joules == 9 * 4_294_967_295.0)
  }

  @Test("a state of 9 GW that lasts an hour is charged exactly")
  func gigawatts() throws {
    let power = Power(nanowatts: 9_000_000_000_000_000_000)
    var bench = try GovernorBench(extra: [Self.sensor(power: power)])
    let device = try Self.number(bench)
    bench.input(.outcome(device: device, .state(1, period: nil)), at: 1)
    bench.input(.outcome(device: device, .state(0, period: nil)), at: 3601)
    let book = bench.governor.ledger(at: bench.instant(3601))
    #expect(book.isBalanced)
    #expect(book.byDevice["outside.sensor"]?.joules == 9e9 * 3600)
  }

  @Test("a period of one nanosecond at 10 W per hertz does not trap, and the ledger stays balanced")
  func shortestPeriod() throws {
    let manifest = Self.sensor(power: .zero, perHertz: Power(nanowatts: 10_000_000_000))
    var bench = try GovernorBench(extra: [manifest])
    let device = try Self.number(bench)
    bench.input(.outcome(device: device, .state(1, period: TimeSpan(nanoseconds: 1))), at: 1)
    bench.run(to: 100)
    #expect(bench.governor.ledger(at: bench.instant(100)).isBalanced)
  }

  @Test("transfers of 2⁶³ - 1 bytes in each direction do not trap, and the ledger stays balanced")
  func largestTransfers() throws {
    var bench = try GovernorBench()
    try bench.load(
      """
      policy "p" version 1
      use test.radio as radio
      rule pack while battery.level < 90 % { batch radio until 1 h or 1 GB }
      """, at: 0)
    bench.set("battery.level", "50 %", at: 1)
    let transfer = Transfer(bytesUp: .max, bytesDown: .max, deadline: TimeSpan(nanoseconds: .max))
    for second in 2...4 {
      _ = bench.raise("a", on: "test.radio", DemandSettings(transfer: transfer), at: Double(second))
    }
    bench.run(to: 10_000)
    #expect(bench.governor.ledger(at: bench.instant(10_000)).isBalanced)
  }

  @Test("spans of ±292 years in a demand, and the first and last instant, do not trap")
  func endsOfTime() throws {
    for nanoseconds in [Int64.min, -1, 0, 1, .max] {
      var bench = try GovernorBench()
      let span = TimeSpan(nanoseconds: nanoseconds)
      _ = bench.raise("a", DemandSettings(period: span, latency: span), at: 1)
      _ = bench.governor.step([], at: .distantFuture)
      #expect(bench.governor.ledger(at: .distantFuture).isBalanced)
    }
    let first = Instant(nanoseconds: .min)
    var governor = try GovernorBench(start: first).governor
    _ = governor.step([], at: .distantFuture)
    _ = governor.step([], at: first)
    #expect(governor.ledger(at: .distantFuture).isBalanced)
  }
}
