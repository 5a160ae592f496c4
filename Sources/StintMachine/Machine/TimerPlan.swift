/// The assignment of timers to rules and directives. A rule or directive that never waits has no timer.
struct TimerPlan: Sendable {
  /// For each rule: the timer for its next evaluation, and the timer for the end of its period. The value is
  /// -1 without such a timer.
  let evaluation: ContiguousArray<Int32>
  let period: ContiguousArray<Int32>
  /// For each directive: the timer for the end of its run; -1 without a timer.
  let run: ContiguousArray<Int32>
  /// For each timer: the rule to evaluate when it expires.
  let rules: ContiguousArray<Int32>
  /// For each rule: its index in `flexibleRules`, or -1.
  let opportunity: ContiguousArray<Int32>
  /// The `every` rules that may act late.
  let flexibleRules: ContiguousArray<Int32>

  init(_ image: Image, isWithinTimerLimits: [Bool], terms: ContiguousArray<RuleTerms>) {
    var rules: ContiguousArray<Int32> = []
    func timer(_ rule: Int, _ isNeeded: Bool) -> Int32 {
      guard isNeeded, !terms[rule].isInert else { return -1 }
      rules.append(Int32(rule))
      return Int32(rules.count - 1)
    }
    evaluation = ContiguousArray(terms.indices.map { timer($0, isWithinTimerLimits[$0]) })
    period = ContiguousArray(terms.indices.map { timer($0, terms[$0].trigger == .period) })
    run = ContiguousArray(image.directives.map { timer($0.rule, $0.duration != nil) })
    self.rules = rules
    var flexibleRules: ContiguousArray<Int32> = []
    opportunity = ContiguousArray(
      terms.indices.map { rule in
        guard terms[rule].flex > 0, !terms[rule].isInert else { return -1 }
        flexibleRules.append(Int32(rule))
        return Int32(flexibleRules.count - 1)
      })
    self.flexibleRules = flexibleRules
  }
}
