import StintModel
import StintUnits

extension PolicyChecker {
  /// Declares a state machine. Its state becomes a fact that any condition can read.
  mutating func declare(machine item: MachineItem) {
    guard declare(item.name) else { return }
    // A state machine has an effect even when no condition reads it.
    used.insert(item.name.text)
    var stateSpans: [String: SourceSpan] = [:]
    for state in item.states where !state.name.text.isEmpty {
      if let first = stateSpans[state.name.text] {
        report(
          .duplicateName, "“\(item.name.text)” has two states “\(state.name.text)”", state.name.span,
          label: "again here", others: [Diagnostic.Label(span: first, text: "first here")])
      } else {
        stateSpans[state.name.text] = state.name.span
      }
      for case .rule(let rule) in state.body { declareRule(rule.name) }
    }
    let words = states(of: item)
    guard !words.isEmpty else {
      if !item.isBroken {
        report(
          .emptyRule, "machine “\(item.name.text)” has no states", item.name.span,
          hint: "give it states, as in: state parked { … }")
      }
      return
    }
    guard let initial = stateIndex(of: item.initial, among: words, in: item) else { return }
    let path = path(of: item)
    compute(
      ComputedFact(
        schema: FactSchema(path: path, type: .symbol(words), meaning: "the state of the machine"),
        source: .machine(initial: initial)))
    computedNames[item.name.text] = path
  }

  private func path(of item: MachineItem) -> String { "\(policy.name)/\(item.name.text)" }

  /// Returns the names of the states, each once, in file order.
  private func states(of item: MachineItem) -> [String] {
    var words: [String] = []
    for state in item.states where !state.name.text.isEmpty && !words.contains(state.name.text) {
      words.append(state.name.text)
    }
    return words
  }

  private mutating func stateIndex(of name: Name, among words: [String], in item: MachineItem) -> Int? {
    guard !name.text.isEmpty else { return nil }
    if let index = words.firstIndex(of: name.text) { return index }
    reportUnknown(
      .unknownWord, "“\(item.name.text)” has no state “\(name.text)”", name.span, name.text, among: words,
      else: "its states are \(words.joined(separator: ", "))")
    return nil
  }

  /// Checks a state machine. Directives and rules of a state apply only while the machine is in that state.
  /// Each `goto` becomes a rule that changes the state.
  mutating func checkMachine(_ item: MachineItem) {
    let words = states(of: item)
    guard computedNames[item.name.text] != nil else { return }
    var reached: Set<String> = [item.initial.text]
    for state in item.states {
      guard let number = words.firstIndex(of: state.name.text) else { continue }
      checkDirectives(of: state, in: item, isIn(state, number, item))
      for statement in state.body {
        switch statement {
        case .directive: continue
        case .rule(let rule): checkRule(rule, while: isIn(state, number, item))
        case .goto(let goto):
          if goto.target.text != state.name.text { reached.insert(goto.target.text) }
          check(goto, from: state, words, in: item, isIn(state, number, item))
        }
      }
    }
    for state in item.states where !reached.contains(state.name.text) && !state.name.text.isEmpty {
      report(
        .unreachableState, "no goto leads to “\(state.name.text)”", state.name.span, severity: .warning,
        hint: "lead to it from another state, or remove it")
    }
  }

  private mutating func checkDirectives(
    of state: MachineItem.State, in item: MachineItem, _ condition: CheckedExpression
  ) {
    let id = RuleID(policy: policy.name, rule: "\(item.name.text)-\(state.name.text)")
    missingDevices = []
    var rule = CheckedRule(
      id: id, note: "while \(item.name.text) is \(state.name.text)", span: state.name.span,
      trigger: .whilst(condition))
    for case .directive(let statement) in state.body { check(statement, isEdge: false, in: &rule) }
    rule.missingDevices = missingDevices.sorted()
    rule.isInert = rule.lacksDevice && rule.doesNothing
    markPerDemand(
      &rule, state.body.compactMap { if case .directive(let statement) = $0 { statement } else { nil } })
    if !rule.directives.isEmpty { policy.rules.append(rule) }
  }

  private mutating func check(
    _ goto: MachineItem.Goto, from state: MachineItem.State, _ words: [String], in item: MachineItem,
    _ condition: CheckedExpression
  ) {
    missingDevices = []
    let target = stateIndex(of: goto.target, among: words, in: item)
    let checked = self.condition(goto.condition)
    guard let target, let checked, !reportsClient(in: checked, "in a goto") else { return }
    if goto.target.text == state.name.text {
      report(
        .emptyRule, "this goto leads to its own state", goto.target.span,
        hint: "lead to another state, or remove it")
      return
    }
    var name = "\(item.name.text)-\(state.name.text)-\(goto.target.text)"
    let alike = policy.rules.count { $0.id.rule == name || $0.id.rule.hasPrefix(name + "-") }
    if alike > 0 { name += "-\(alike + 1)" }
    let joined = joined(condition, checked.counting(in: condition))
    guard measured(joined, goto.condition.span) != nil else { return }
    var rule = CheckedRule(
      id: RuleID(policy: policy.name, rule: name), note: "leads to \(goto.target.text)",
      span: goto.target.span,
      trigger: .whilst(joined))
    rule.missingDevices = missingDevices.sorted()
    rule.isInert = rule.lacksDevice && rule.neverHolds
    policy.rules.append(rule)
    policy.moves.append(StateTransition(rule: rule.id, machine: path(of: item), target: target))
  }

  /// Returns the condition that the machine is in a state, such as `trip is riding`.
  private func isIn(_ state: MachineItem.State, _ number: Int, _ item: MachineItem) -> CheckedExpression {
    let fact = CheckedExpression(
      kind: .fact(path(of: item)), type: .symbol(states(of: item)), span: state.name.span)
    return CheckedExpression(kind: .oneOf(fact, [.symbol(number)]), type: .boolean, span: state.name.span)
  }

  /// Returns the conjunction of both conditions, with the span of the author's condition.
  func joined(_ state: CheckedExpression, _ condition: CheckedExpression) -> CheckedExpression {
    CheckedExpression(kind: .and([state, condition]), type: .boolean, span: condition.span)
  }
}
