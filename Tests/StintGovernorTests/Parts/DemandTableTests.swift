import StintMachine
import StintModel
import StintUnits
import Testing

@testable import StintGovernor

@Suite("The demand table, without a governor") struct DemandTableTests {
  private let start = Instant(nanoseconds: 1_000_000_000_000)

  static func demand(_ id: DemandID, _ client: ClientID = "app") -> Demand {
    Demand(id: id, client: client, target: "test.sensor", wants: DemandSettings())
  }

  @Test("ids of demands that rules raise are negative and unique")
  func ownIDs() {
    var table = DemandTable()
    let ids = (0..<3).map { _ in table.nextRuleDemandID() }
    #expect(ids == [DemandID(-1), DemandID(-2), DemandID(-3)])
  }

  @Test("a hold that began while the odometer was unknown counts the distance from the first known odometer")
  func holds() {
    var table = DemandTable()
    let slot = table.add(Self.demand(DemandID(5)), completed: DemandSettings(), on: 0, at: start)
    table.add(Self.demand(DemandID(2)), completed: DemandSettings(), on: 0, at: start)
    #expect(table.ids == [DemandID(2), DemandID(5)])
    table.beginHold(slot, at: start + .seconds(1), odometer: nil)
    for metres in [10.0, 20] { table.markOdometer(slot, metres: metres) }
    #expect(table[slot].holdStart == start + .seconds(1))
    #expect(table[DemandID(5)]?.holdOdometer == 10)
  }

  @Test("the slot of an ended demand is reused, and other demands keep their slots")
  func slots() {
    var table = DemandTable()
    let slots = (1...3).map {
      table.add(Self.demand(DemandID($0)), completed: DemandSettings(), on: 0, at: start)
    }
    table.remove(slots[1])
    #expect(table.ids == [DemandID(1), DemandID(3)] && table[DemandID(2)] == nil)
    let next = table.add(Self.demand(DemandID(9), "other"), completed: DemandSettings(), on: 0, at: start)
    #expect(table[next].demand.client == "other")
    #expect(table[slots[0]].demand.id == DemandID(1) && table[slots[2]].demand.id == DemandID(3))
    #expect(table.first(of: "app", among: [next, slots[2]])?.demand.id == DemandID(3))
    #expect(table.all.map(\.demand.id).sorted() == table.ids)
  }

  @Test("a demand keeps the directive that raised it across a reload that renames the rule")
  func migration() throws {
    let bench = try GovernorBench()
    let text =
      "policy \"p\"\nuse test.sensor as gps\nrule map while battery.level < 90 % { start gps for \"app\" }"
    let vocabulary = bench.governor.vocabulary
    let before = try bench.program([text])
    let after = PreparedProgram(
      try bench.program([text.replacing("rule map", with: "rule chart")]),
      after: .init(image: before.image.image, perDemandImage: nil, vocabulary: vocabulary))
    let directive = before.image.image.directives[0].directive
    var table = DemandTable()
    for (id, client) in [(-1, "app"), (-2, "other")] as [(Int64, ClientID)] {
      table.add(Self.demand(DemandID(id), client), completed: DemandSettings(), on: 0, at: start)
      table.mark(DemandID(id), raisedBy: directive, at: 0)
    }
    table.migrate(to: after, DeviceTable(vocabulary))
    #expect(table[DemandID(-1)]?.raisedBy?.rule == RuleID(policy: "p", rule: "chart"))
    #expect(table[DemandID(-2)]?.raisedBy == directive)
  }
}
