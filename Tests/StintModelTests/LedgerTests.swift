import StintModel
import StintUnits
import Testing

@Suite struct LedgerTests {
  private func link(_ client: String, _ number: Int64, rules: [String] = []) -> Cause.Link {
    Cause.Link(
      client: ClientID(client), demand: DemandID(number), rules: rules.map { RuleID(policy: "p", rule: $0) },
      grant: Grant(status: .served))
  }

  @Test("F3: the sums by device, by client and by rule are exactly equal, in nanojoules")
  func tripleEntry() {
    var ledger = Ledger()
    let causes = [
      Cause(device: "a", links: [link("x", 1), link("y", 2), link("z", 3)], setting: Setting(isOn: true)),
      Cause(
        device: "a", links: [link("x", 1, rules: ["r", "s", "t"]), link("y", 2)], setting: Setting(isOn: true)
      ),
    ]
    for amount in [1, 2, 3, 5, 100, 101, 999_999_937] as [Int64] {
      ledger.charge(Energy(nanojoules: amount), device: "a", cause: causes[0])
      ledger.charge(Energy(nanojoules: amount), device: "b", cause: causes[1])
      ledger.charge(Energy(nanojoules: amount), device: "b", cause: nil)
      #expect(ledger.isBalanced)
    }
    #expect(ledger.byClient[.system] == ledger.byRule[.floor])
  }

  @Test("L10: energy that only one client needs is charged to that client")
  func soleCause() {
    var ledger = Ledger()
    let cause = Cause(device: "gnss", links: [link("b", 2)], setting: Setting(isOn: true))
    ledger.charge(Energy(nanojoules: 77), device: "gnss", cause: cause)
    #expect(ledger.byClient == ["b": Energy(nanojoules: 77)])
    #expect(ledger.byRule == [.asAsked: Energy(nanojoules: 77)])
  }

  @Test("an amount that is negative or overflows the total is counted as refused and not charged")
  func refused() {
    var ledger = Ledger()
    let cause = Cause(device: "a", links: [], setting: Setting(isOn: true))
    ledger.charge(Energy(nanojoules: Int128.max), device: "a", cause: cause)
    ledger.charge(Energy(nanojoules: 1), device: "b", cause: nil)
    ledger.charge(Energy(nanojoules: -1), device: "a", cause: nil)
    #expect(ledger.isBalanced && ledger.refused == 2)
    #expect(ledger.byDevice == ["a": Energy(nanojoules: Int128.max)])
    #expect(ledger.byClient == [.system: Energy(nanojoules: Int128.max)])
  }
}
