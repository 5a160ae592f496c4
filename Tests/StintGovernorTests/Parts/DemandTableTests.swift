import StintMachine
import StintModel
import StintUnits
import Testing

@testable import StintGovernor

@Suite("The demand table alone") struct DemandTableTests {
  private let start = Instant(nanoseconds: 1_000_000_000_000)

  private func demand(_ id: DemandID, _ client: ClientID = "app") -> Demand {
    Demand(id: id, client: client, target: "test.sensor", wants: Wants())
  }

  @Test("ids of demands that rules raise are negative and never the same")
  func ownIDs() {
    var table = DemandTable()
    let ids = (0..<3).map { _ in table.takeOwnID() }
    #expect(ids == [DemandID(-1), DemandID(-2), DemandID(-3)])
  }

  @Test("a hold that began before the first fix counts from that fix, and no later one")
  func holds() {
    var table = DemandTable()
    table.add(demand(DemandID(5)), on: 0, at: start)
    table.add(demand(DemandID(2)), on: 0, at: start)
    #expect(table.ids == [DemandID(2), DemandID(5)])
    table.beginHold(DemandID(5), at: start + .seconds(1), odometer: nil)
    for metres in [10.0, 20] { table.markOdometer(DemandID(5), metres: metres) }
    #expect(table[DemandID(5)]?.holdStart == start + .seconds(1))
    #expect(table[DemandID(5)]?.holdOdometer == 10)
    table.remove(DemandID(5))
    table.beginHold(DemandID(5), at: start, odometer: 0)
    #expect(table.ids == [DemandID(2)])
  }

  @Test("a demand follows its directive to a policy in which its rule has another name")
  func migration() throws {
    let bench = try GovernorBench()
    let text =
      "policy \"p\"\nuse test.sensor as gps\nrule map while battery.level < 90 % { start gps for \"app\" }"
    let vocabulary = bench.governor.vocabulary
    let before = try bench.program([text])
    let after = PreparedProgram(
      try bench.program([text.replacing("rule map", with: "rule chart")]),
      after: .init(image: before.image.image, clientImage: nil, vocabulary: vocabulary))
    let directive = before.image.image.directives[0].directive
    var table = DemandTable()
    for (id, client) in [(-1, "app"), (-2, "other")] as [(Int64, ClientID)] {
      table.add(demand(DemandID(id), client), on: 0, at: start)
      table.mark(DemandID(id), raisedBy: directive, at: 0)
    }
    table.migrate(to: after)
    #expect(table[DemandID(-1)]?.raisedBy?.rule == RuleID(policy: "p", rule: "chart"))
    #expect(table[DemandID(-2)]?.raisedBy == directive)
  }
}
