extension Parser {
  mutating func budget(_ start: Int) -> BudgetItem {
    let name = name("a name for the budget")
    expect(.assign)
    let amount = quantity("an energy, as in 1500 J", isAmount: true, units: ["J", "mWh"])
    expect(word: "per")
    let period = self.name("hour, day or week")
    let from = consume(word: "from") ? clock() : nil
    expect(word: "on")
    let target = target()
    let hasHead = !isLost && token.isSymbol(.openBrace)
    let steps = isLost ? [] : block(of: ["at"], "a step, as in at 80 % { … },") { $0.budgetStep() }
    return BudgetItem(
      name: name, amount: amount, period: period, from: from, target: target, steps: steps,
      isBroken: !hasHead,
      span: span(from: start))
  }

  private mutating func budgetStep() -> BudgetItem.Step {
    let start = token.span.start
    expect(word: "at")
    let share = quantity("a share of the budget, as in 80 %")
    let body = isLost ? [] : block(of: Self.verbs, "a directive") { $0.statement() }
    return BudgetItem.Step(share: share, body: body, span: span(from: start))
  }
}
