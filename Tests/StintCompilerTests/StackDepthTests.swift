import StintCompiler
import StintLanguage
import StintMachine
import StintModel
import StintUnits
import Testing

@Suite("Limits of images")
struct StackDepthTests {
  @Test("the stack depth in the checker equals the stack depth of the compiled code")
  func depth() throws {
    var expressions = RandomExpressions(generator: SplitMix(seed: 11))
    var deepest = 0
    for _ in 0..<300 {
      let condition = expressions.condition(depth: 5)
      let policy = CheckedPolicy(
        name: "p", version: 1, file: "p.stint", schedules: Self.schedules,
        rules: [
          CheckedRule(id: RuleID(policy: "p", rule: "r"), span: condition.span, trigger: .whilst(condition))
        ])
      let image = Compiler.compile([policy], vocabulary: RuleVMBench.vocabulary())
      let depth = Self.depth(of: image.code)
      #expect(condition.stackDepth == depth)
      deepest = max(deepest, depth)
    }
    #expect(deepest > 6)
  }

  private static let schedules = ["day", "night"].map {
    CheckedSchedule(name: $0, windows: [.init(days: [], from: .hours(8), to: .hours(20))])
  }

  /// Returns the maximum number of values on the stack.
  private static func depth(of code: [Instruction]) -> Int {
    var count = 0
    var most = 0
    for instruction in code {
      count += 1 - (InstructionSet.form(instruction.opcode)?.pops.count ?? 0)
      most = max(most, count)
    }
    return most
  }

  @Test("an image that the verifier rejects leads to a diagnostic at the rule, and the process continues")
  func refused() throws {
    let rule = CheckedRule(
      id: RuleID(policy: "p", rule: "often"), span: SourceSpan(start: 30, end: 35),
      trigger: .every(TimeSpan(nanoseconds: 1), flex: nil, condition: nil), acts: [.emit("tick")])
    let policy = CheckedPolicy(name: "p", version: 1, file: "p.stint", rules: [rule])
    let failure = #expect(throws: RejectedPolicies.self) {
      try Compiler.verified([policy], vocabulary: RuleVMBench.vocabulary())
    }
    let diagnostic = try #require(failure?.diagnostic)
    #expect(diagnostic.code == .doesNotFit)
    #expect(diagnostic.severity == .error)
    #expect(diagnostic.file == "p.stint")
    #expect(diagnostic.labels.first?.span == rule.span)
  }
}
