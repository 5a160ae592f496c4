import StintLanguage

extension GapPlanner {
  mutating func plan(_ zone: ZoneItem) {
    if case .circle(let latitude, let longitude, let radius) = zone.shape {
      plan(latitude)
      plan(longitude)
      plan(radius)
    }
    if let span = zone.enterAfter { plan(span) }
    if let span = zone.exitAfter { plan(span) }
  }

  /// Plans a number without a space after its sign.
  private mutating func plan(_ literal: NumberLiteral) {
    for place in range(literal.span).dropFirst() { gaps[place] = .none }
  }

  mutating func plan(_ machine: MachineItem) {
    for (index, state) in machine.states.enumerated() {
      set(.line(indent: 2, index == 0 ? .never : .kept), at: state.span.start)
      for (index, statement) in state.body.enumerated() {
        set(.line(indent: 4, index == 0 ? .never : .kept), at: statement.span.start)
        switch statement {
        case .directive(let directive): plan(directive)
        case .rule(let rule): plan(rule, indent: 4)
        case .goto(let goto): plan(goto.condition)
        }
      }
      close(state.span, indent: 2)
    }
    close(machine.span, indent: 0)
  }

  mutating func plan(_ budget: BudgetItem) {
    plan(budget.amount)
    for (index, step) in budget.steps.enumerated() {
      set(.line(indent: 2, index == 0 ? .never : .kept), at: step.span.start)
      plan(step.share)
      for (index, statement) in step.body.enumerated() {
        set(.line(indent: 4, index == 0 ? .never : .kept), at: statement.span.start)
        plan(statement)
      }
      close(step.span, indent: 2)
    }
    close(budget.span, indent: 0)
  }

  mutating func plan(_ test: TestItem) {
    for (index, step) in test.steps.enumerated() {
      set(.line(indent: 2, index == 0 ? .never : .kept), at: step.span.start)
      plan(step.kind)
    }
    close(test.span, indent: 0)
  }

  private mutating func plan(_ step: TestStep.Kind) {
    switch step {
    case .given(let assignments): plan(assignments)
    case .at(let instant, let event):
      plan(instant)
      plan(event)
    case .expect(let condition, let moment, let rule):
      plan(condition)
      if let moment { plan(moment.literal) }
      if let rule { join(rule.span) }
    }
  }

  private mutating func plan(_ event: TestStep.Event) {
    switch event {
    case .set(let assignments): plan(assignments)
    case .attach(_, _, let settings): plan(settings)
    case .detach, .reload, .missing: break
    }
  }

  private mutating func plan(_ assignments: [TestStep.Assignment]) {
    for assignment in assignments { plan(assignment.value) }
  }
}
