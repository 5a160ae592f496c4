extension Parser {
  private static let stateWords: Set<String> = Parser.verbs.union(["rule", "goto"])

  mutating func machine(_ start: Int) -> MachineItem {
    let name = name("a name for the machine")
    expect(word: "starts")
    let initial = self.name("the initial state of the machine")
    let hasHead = !isLost && token.isSymbol(.openBrace)
    let states = isLost ? [] : block(of: ["state"], "a state") { $0.state() }
    return MachineItem(
      name: name, initial: initial, states: states, isBroken: !hasHead, span: span(from: start))
  }

  private mutating func state() -> MachineItem.State {
    let start = token.span.start
    expect(word: "state")
    let name = name("a name for the state")
    let body =
      isLost ? [] : block(of: Self.stateWords, "a directive, a rule, a goto") { $0.stateStatement() }
    return MachineItem.State(name: name, body: body, span: span(from: start))
  }

  private mutating func stateStatement() -> MachineItem.Statement {
    let start = token.span.start
    if consume(word: "rule") { return .rule(rule(start)) }
    guard consume(word: "goto") else { return .directive(statement()) }
    let target = name("the name of a state")
    expect(word: "when")
    return .goto(MachineItem.Goto(target: target, condition: expression(), span: span(from: start)))
  }
}
