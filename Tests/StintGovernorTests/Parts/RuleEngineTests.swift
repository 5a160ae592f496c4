import StintMachine
import StintModel
import StintUnits
import Testing

@testable import StintGovernor

@Suite("The rule engine, without a governor") struct RuleEngineTests {
  private static let policy = """
    policy "p"
    use test.sensor as gps
    rule low while battery.level < 20 % { downgrade gps to 50 m }
    rule slow while battery.level < 50 % for 1 min { pause gps }
    rule mine while client.name == "app" { downgrade gps to 100 m }
    """
  private let start = Instant(nanoseconds: 1_000_000_000_000)

  /// An engine with a policy in force, the prepared program, and the facts.
  private struct Bench {
    var engine: RuleEngine
    var prepared: PreparedProgram
    var facts: FactTable
    let level: Int

    init(_ policy: String, at now: Instant) throws {
      let governor = try GovernorBench()
      let vocabulary = governor.governor.vocabulary
      prepared = PreparedProgram(
        try governor.program([policy]),
        after: .init(image: nil, perDemandImage: nil, vocabulary: vocabulary))
      facts = FactTable(count: prepared.vocabulary.facts.count)
      level = try #require(vocabulary.fact("battery.level"))
      engine = RuleEngine(devices: vocabulary.manifests.count)
      migrate(at: now)
    }

    mutating func migrate(at now: Instant) {
      let context = RuleContext(facts: facts, demanded: [], timeZone: .utc, now: now)
      _ = engine.migrate(to: prepared, context, restoring: nil)
      _ = engine.migrateDemands(to: prepared, [], context)
      engine.follow(prepared, isRestart: false, at: now)
    }

    mutating func set(_ value: Double, at now: Instant) {
      facts.set(level, .number(value), at: now)
      engine.set(fact: level, .number(value), at: now)
      evaluate(at: now)
    }

    mutating func evaluate(at now: Instant) {
      let changes = engine.evaluate(at: now)
      for change in changes { engine.note(change, at: now) }
      engine.recycle(changes)
      engine.evaluateDemands(at: now)
    }

    /// Returns the demand of a client with the facts that per-demand rules read.
    func entry(_ id: Int64, _ client: String) -> DemandRuleVMs.Entry {
      let facts = engine.perDemand.rules?.facts ?? []
      return DemandRuleVMs.Entry(
        id: DemandID(id), raised: .epoch,
        values: facts.map {
          let words = prepared.vocabulary.facts[$0.number].type
          return ($0.number, $0.fact.value(client: ClientID(client), wants: DemandSettings(), words: words))
        })
    }
  }

  @Test("a rule is active while its condition is true; the number and total time of its uses are recorded")
  func holds() throws {
    var bench = try Bench(Self.policy, at: start)
    #expect(bench.engine.isActive.allSatisfy { !$0 })
    bench.set(0.1, at: start)
    #expect(bench.engine.isActive[0] && bench.engine.inForce[0])
    #expect(bench.engine.index.reaching.contains { $0.contains(0) })
    bench.set(0.9, at: start + .seconds(7))
    #expect(!bench.engine.isActive[0] && !bench.engine.inForce[0])
    let use = bench.engine.usage(at: start + .seconds(60))[RuleID(policy: "p", rule: "low")]
    #expect(use?.count == 1 && use?.total == .seconds(7) && use?.since == nil)
  }

  @Test("a `for` sets the timer of the engine, and a reload of the same policy keeps this timer")
  func reload() throws {
    var bench = try Bench(Self.policy, at: start)
    bench.set(0.4, at: start)
    let before = bench.engine.nextTimer()
    #expect(before == start + .minutes(1))
    bench.prepared = PreparedProgram(
      bench.prepared.program,
      after: .init(
        image: bench.engine.machine?.image, perDemandImage: bench.prepared.program.perDemandImage?.image,
        vocabulary: bench.prepared.vocabulary))
    bench.migrate(at: start + .seconds(30))
    bench.evaluate(at: start + .seconds(30))
    let after = bench.engine.nextTimer()
    #expect(after == before)
    bench.evaluate(at: start + .minutes(1))
    #expect(bench.engine.isActive[1])
  }

  @Test("a per-demand rule is active until the last matching demand ends")
  func perDemand() throws {
    var bench = try Bench(Self.policy, at: start)
    let context = RuleContext(facts: bench.facts, demanded: [], timeZone: .utc, now: start)
    #expect(bench.engine.hasDemandRules(on: "test.sensor") && !bench.engine.hasDemandRules(on: "test.radio"))
    for (id, client) in [(3, "app"), (1, "other"), (2, "app")] as [(Int64, String)] {
      bench.engine.attach(bench.entry(id, client), context)
    }
    bench.evaluate(at: start)
    #expect(bench.engine.perDemand.machines.map(\.demand) == [1, 2, 3].map { DemandID($0) })
    #expect(bench.engine.perDemand.changed == [DemandID(2), DemandID(3)])
    #expect(bench.engine.isActive[2] && !bench.engine.inForce[2])
    for (id, expected) in [(1, false), (2, true), (3, true)] as [(Int64, Bool)] {
      #expect(bench.engine.isInForce(2, for: DemandID(id)) == expected)
      #expect(bench.engine.holds(2, for: DemandID(id)) == expected)
    }
    #expect(!bench.engine.holds(2, for: nil))
    bench.engine.detach(DemandID(2), at: start + .seconds(1))
    #expect(bench.engine.isActive[2])
    bench.engine.detach(DemandID(3), at: start + .seconds(2))
    #expect(!bench.engine.isActive[2])
    #expect(bench.engine.usage(at: start)[RuleID(policy: "p", rule: "mine")]?.total == .seconds(2))
  }
}
