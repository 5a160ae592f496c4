import StintModel
import StintUnits
import Testing

@testable import StintGovernor

@Suite("The energy meter, without a governor") struct EnergyMeterTests {
  private let start = Instant(nanoseconds: 1_000_000_000_000)

  private func load(_ nanowatts: Int64, for cause: Cause?) -> EnergyMeter.Load {
    .init(device: "test.sensor", power: Power(nanowatts: nanowatts), isOn: true, cause: cause)
  }

  private var cause: Cause {
    let link = Cause.Link(
      client: "app", demand: DemandID(1), rules: [], grant: Grant(status: .served), service: nil)
    return Cause(device: "test.sensor", links: [link], setting: Setting(isOn: true))
  }

  @Test("many short intervals give the same energy as one long interval, to the nanojoule")
  func remainders() {
    var one = EnergyMeter(devices: 1, at: start)
    var many = one
    // Each interval has a third of a nanojoule.
    for step in 1...3000 {
      many.close(0, load(333_333, for: cause), at: start + TimeSpan(nanoseconds: Int64(step) * 1000))
    }
    one.close(0, load(333_333, for: cause), at: start + TimeSpan(nanoseconds: 3_000_000))
    #expect(many.ledger.total == one.ledger.total && one.ledger.total == Energy(nanojoules: 999))
    #expect(many.ledger.isBalanced)
    #expect(many.ledger.byClient == ["app": Energy(nanojoules: 999)])
    #expect(many.intervals[0].remainder == one.intervals[0].remainder)
  }

  @Test("closing an interval in many parts does not change the shares of clients and rules")
  func pieces() {
    let links = (1...3).map { number in
      let rules = ["a", "b"].map { RuleID(policy: "p", rule: $0) }
      return Cause.Link(
        client: ClientID("app \(number)"), demand: DemandID(Int64(number)), rules: rules,
        grant: Grant(status: .served), service: nil)
    }
    let shared = Cause(device: "test.sensor", links: links, setting: Setting(isOn: true))
    let whole = TimeSpan(nanoseconds: 1_000_000_007)
    var one = EnergyMeter(devices: 1, at: start)
    one.close(0, load(1000, for: cause), at: start + .seconds(1))
    var many = one
    one.close(0, load(1000, for: shared), at: start + .seconds(1) + whole)
    for step in Int64(1)...11 {
      many.close(
        0, load(1000, for: shared), at: start + .seconds(1) + TimeSpan(nanoseconds: step * 90_909_091))
    }
    many.close(0, load(1000, for: shared), at: start + .seconds(1) + whole)
    #expect(one.ledger == many.ledger && many.ledger.isBalanced)
    // A change of the cause begins a new division.
    for _ in 1...2 {
      many.close(0, load(1, for: cause), at: start + .seconds(5))
      one.close(0, load(1, for: cause), at: start + .seconds(5))
    }
    #expect(one.ledger == many.ledger)
  }

  @Test("an interval without a complete cause is unexplained, and its energy is charged to the system")
  func unexplained() {
    var meter = EnergyMeter(devices: 2, at: start)
    meter.close(0, load(1_000_000_000, for: nil), at: start + .seconds(2))
    meter.close(1, load(1_000_000_000, for: cause), at: start + .seconds(3))
    #expect(meter.unexplained == .seconds(2))
    #expect(meter.intervals.map(\.unexplained) == [.seconds(2), .zero])
    #expect(meter.ledger.byClient[.system] == Energy(nanojoules: 2_000_000_000))
  }

  @Test(
    "reading the energy of an open interval charges nothing, and closing the interval twice charges it once"
  )
  func open() {
    var meter = EnergyMeter(devices: 1, at: start)
    let power = Power(nanowatts: 2_000_000_000)
    #expect(meter.open(0, power, until: start + .seconds(3)) == Energy(nanojoules: 6_000_000_000))
    #expect(meter.ledger.total == .zero)
    for _ in 1...2 { meter.close(0, load(2_000_000_000, for: cause), at: start + .seconds(3)) }
    #expect(meter.ledger.total == Energy(nanojoules: 6_000_000_000))
    meter.charge(
      PricedEvent(name: "wake", energy: Energy(nanojoules: 5)), count: 4, of: "test.sensor", for: nil,
      divided: EnergyDivision())
    #expect(meter.ledger.total == Energy(nanojoules: 6_000_000_020))
  }
}
