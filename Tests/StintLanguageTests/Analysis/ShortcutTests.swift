import StintModel
import StintTestSupport
import Testing

@testable import StintLanguage

/// Compares the quick checks of `RuleTable`, the shortcuts, with a full search by the solver.
@Suite struct ShortcutTests {
  private static let seeds = 0..<(Tier.current == .unit ? 1 : 4)

  @Test("the results of the shortcuts for one or two rules do not contradict the solver", arguments: seeds)
  func shortcutsAgree(seed: Int) throws {
    var seen: [String: Int] = [:]
    for number in 0..<12 {
      var generator = ConditionGenerator(seed: UInt64(seed * 1000 + number))
      let conditions = (0..<7).map { _ in generator.condition() }
      let rules = conditions.enumerated().map { "rule r\($0) while \($1) { pause location.gnss }" }
      let source = SourceText(
        file: "p", text: (["policy \"p\"", "schedule night = 22:00..06:00"] + rules).joined(separator: "\n"))
      let (policies, diagnostics) = Checker.check([source], vocabulary: TestVocabulary.vocabulary)
      try #require(!diagnostics.contains { $0.severity == .error }, "\(diagnostics.map(\.title))")
      var table = RuleTable(policies, vocabulary: TestVocabulary.vocabulary)
      for first in rules.indices {
        if number % 2 == 0 { table.widen(first) }
        var fails = table.inForce(first)
        fails.mode = .fails
        if table.needsFacts(first) {
          #expect(!table.solver.excludes([fails]), "always true for the solver: \(conditions[first])")
          seen["facts", default: 0] += 1
        }
        for second in rules.indices where second != first {
          let pair = "\(conditions[first])  WHENEVER  \(conditions[second])"
          let isWhenever = table.solver.excludes([table.inForce(second), table.notInForce(first)])
          if table.show(first, notWhenever: second) {
            #expect(!isWhenever, "a sample contradicts the solver: \(pair)")
            seen["sample", default: 0] += 1
          }
          if table.isImplied(first, by: second) {
            #expect(isWhenever, "implied part by part, but the solver finds a counterexample: \(pair)")
            seen["implied", default: 0] += 1
          }
          if table.mayWait(first, whenever: second) {
            #expect(!isWhenever, "may wait, but the solver finds no counterexample: \(pair)")
            seen["wait", default: 0] += 1
          }
        }
      }
    }
    for kind in ["facts", "sample", "implied", "wait"] { #expect(seen[kind] ?? 0 > 0, "\(kind)") }
  }
}

/// Writes random conditions over few facts, so that one condition often implies another condition.
private struct ConditionGenerator {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func condition() -> String {
    (0..<Int.random(in: 1...3, using: &random)).map { _ in part(depth: 2) }.joined(separator: " and ")
  }

  private mutating func part(depth: Int) -> String {
    let few = Int.random(in: 1...3, using: &random)
    guard depth > 0 else { return leaf() }
    switch Int.random(in: 0...11, using: &random) {
    case 0: return "(\(part(depth: depth - 1)) or \(part(depth: depth - 1)))"
    case 1: return "(\(part(depth: depth - 1)) and \(leaf()))"
    case 2, 3: return "(\(part(depth: depth - 1))) for \(few) min"
    case 4: return "(\(part(depth: depth - 1))) for \(few) min tolerate 30 s"
    case 5, 6: return "(\(part(depth: depth - 1))) in last \(few) min"
    case 7: return "not (\(part(depth: depth - 1)))"
    default: return leaf()
    }
  }

  private mutating func leaf() -> String {
    let few = Int.random(in: 1...3, using: &random)
    switch Int.random(in: 0...12, using: &random) {
    case 0, 1: return "battery.level \(random.pick(["<", "<=", ">", "!="])) \(few * 20) %"
    case 2 where random.once(in: 2):
      return "clamp(battery.level, 20 %, 60 %) \(random.pick(["<=", ">"])) \(few * 20) %"
    case 2: return "battery.level below \(few * 20) % release \(few * 20 + 10) %"
    case 3 where random.once(in: 2): return "location.gnss.accuracy between \(few * 10) m and \(few * 15) m"
    case 3: return "location.gnss.accuracy > \(few * 10) m"
    case 4: return "motion.activity is \(random.pick(["still", "walking"]))"
    case 5:
      return
        "motion.activity in \(random.pick(["[still, walking]", "[walking, running]", "[still, running]"]))"
    case 6: return "screen.on"
    case 7: return "not screen.on"
    case 8: return "location.gnss.on"
    case 9: return "known(location.gnss.accuracy)"
    case 10: return "time in night"
    case 11: return "age(location.gnss.accuracy) \(random.pick(["<", ">"])) \(few) s"
    default: return "avg(location.gnss.speed, 1 min) > \(few) m/s"
    }
  }
}
