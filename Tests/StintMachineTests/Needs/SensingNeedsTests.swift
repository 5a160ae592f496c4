import StintModel
import StintTestSupport
import StintUnits
import Testing

@testable import StintMachine

@Suite struct SensingNeedsTests {
  private static let parts: Range<UInt64> = 0..<(Tier.current == .unit ? 1 : 4)

  @Test("F19: sensing only the needed facts gives equal decisions with fewer samples", arguments: parts)
  func decidesTheSame(part: UInt64) throws {
    var (full, needed, changes) = (0, 0, 0)
    let trials = Trials(600)
    for seed in UInt64(trials.count) * part..<(UInt64(trials.count) * (part + 1)) {
      var contest = try SensingContest(seed: seed)
      contest.run(seconds: 300)
      if let mismatch = contest.mismatch { Issue.record("seed \(seed): \(mismatch)") }
      #expect(contest.neededSamples <= contest.fullSamples)
      full += contest.fullSamples
      needed += contest.neededSamples
      changes += contest.changes
    }
    #expect(needed < full * 3 / 4, "\(needed) of \(full)")
    #expect(changes > trials.share(of: 2000) / 2, "\(changes) changes")
  }

  /// Returns the need for each fact when the facts have these values.
  private func needs(
    _ code: [Instruction], _ values: [FactValue], constants: [Double] = [], slots: [ImageSlot.Kind] = []
  )
    throws -> [FactNeed]
  {
    let image = try ImageVerifier.verify(
      AssembledVM.image(code, facts: values.count, constants: constants, slots: slots))
    var machine = RuleVM(image: image, timeZone: .utc, at: .epoch)
    var facts = FactTable(count: values.count)
    for (fact, value) in values.enumerated() {
      facts.set(fact, value, at: .epoch)
      machine.set(fact: fact, value, at: .epoch)
    }
    _ = machine.propagate(at: .epoch)
    return SensingNeeds(image: image).needs(of: machine, facts: facts, at: .epoch)
  }

  @Test("while one operand of an “and” is false, the facts of the other operands are not needed")
  func andRests() throws {
    let code: [Instruction] = [.fact(0), .compareFact(1, .less, constant: 0), .and]
    #expect(try needs(code, [.boolean(false), .number(3)], constants: [5]) == [.change, .nothing])
    #expect(
      try needs(code, [.boolean(true), .number(3)], constants: [5])
        == [.change, .outside(-.infinity...(5.0.nextDown))])
    #expect(try needs(code, [.unknown, .number(7)], constants: [5])[1] == .outside(5...(.infinity)))
  }

  @Test("unlike `readings`, `needs` contains facts of temporal operators even while another operand decides")
  func stateIsNeeded() throws {
    let code: [Instruction] = [.fact(0), .compareFact(1, .less, constant: 0), .heldFor(0), .and]
    let needs = try needs(
      code, [.boolean(false), .number(3)], constants: [5], slots: [.heldFor(.seconds(60), tolerate: nil)])
    #expect(needs[1] == .outside(-.infinity...(5.0.nextDown)))
  }

  @Test("a latch (`below … release`) needs new values only beyond the limit that can change its state")
  func latchNeedsOneLimit() throws {
    let code: [Instruction] = [.fact(0), .constant(0), .constant(1), .latch(0)]
    let kinds: [ImageSlot.Kind] = [.latch(.below)]
    #expect(try needs(code, [.number(10)], constants: [15, 20], slots: kinds) == [.outside(-.infinity...20)])
    #expect(
      try needs(code, [.number(30)], constants: [15, 20], slots: kinds) == [.outside(15...(.infinity))])
  }

  @Test("a fact with a maximum rate of change is not needed before it can reach a limit")
  func timeWithoutEffect() {
    let need = FactNeed.outside(10...50)
    #expect(need.timeWithoutEffect(from: 14, maxRate: 0.5) == .seconds(8))
    #expect(need.timeWithoutEffect(from: 9, maxRate: 0.5) == .zero)
    #expect(FactNeed.nothing.timeWithoutEffect(from: 14, maxRate: 0.5) == nil)
    #expect(FactNeed.change.timeWithoutEffect(from: 14, maxRate: 0.5) == .zero)
  }
}
