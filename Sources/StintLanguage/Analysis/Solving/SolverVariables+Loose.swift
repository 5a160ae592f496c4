import StintModel
import StintUnits

extension SolverVariables {
  /// Returns the formula of `for` or `in last` when the past is unknown.
  ///
  /// Two kinds of constraints restrict the value of the condition. Constraints of the first kind follow from
  /// the present value of the operand. Constraints of the second kind are implications between this condition
  /// and other conditions that depend on the past.
  mutating func looseLookBack(
    _ condition: CheckedExpression, _ operand: CheckedExpression, of policy: String
  ) -> Formula {
    let part = solverContext.unplaced(condition, of: policy)
    if let number = existing(.outcome(part)) {
      return atom(number) { ConditionSpace.truth(of: $0) }
    }
    let number = number(of: .outcome(part)) { [1, 0, .nan] }
    let now = formula(operand, of: policy, at: .after(0))
    let (isTrue, isFalse) = (Formula.certain(now), Formula.certain(.not(now)))
    let isUnknown = Formula.and([.not(isTrue), .not(isFalse)])
    let (yes, no) = (equals(number, to: 1), equals(number, to: 0))
    let unknown = Formula.and([.not(yes), .not(no)])
    switch condition.kind {
    case .heldFor(_, _, tolerate: nil):
      constraints.append(
        .or([.and([isTrue, .not(unknown)]), .and([isFalse, no]), .and([isUnknown, unknown])]))
    case .heldFor:
      constraints.append(.or([.and([isTrue, .not(unknown)]), .and([isFalse, no]), isUnknown]))
    default:
      constraints.append(
        .or([.and([isTrue, yes]), .and([isFalse, .not(unknown)]), .and([isUnknown, .not(no)])]))
    }
    for other in pastVariables {
      compare((part, number), (other.part, other.variable))
    }
    pastVariables.append((part, number))
    return atom(number) { ConditionSpace.truth(of: $0) }
  }

  /// Returns a latch (a comparison with a `release`) as one variable. The variable is true beyond the
  /// threshold and false beyond the release limit. Between these limits, the variable may be true or false.
  mutating func looseLatch(
    _ condition: CheckedExpression, of policy: String, _ isSetting: Formula, _ isOver: Formula
  ) -> Formula {
    let part = solverContext.unplaced(condition, of: policy)
    let isNew = existing(.outcome(part)) == nil
    let number = number(of: .outcome(part)) { [1, 0, .nan] }
    let latch = atom(number) { ConditionSpace.truth(of: $0) }
    guard isNew else { return latch }
    let (yes, no) = (equals(number, to: 1), equals(number, to: 0))
    let isKnown = Formula.or([.certain(isSetting), .certain(.not(isSetting))])
    constraints += [
      .or([.not(.certain(isSetting)), yes]), .or([.not(.certain(isOver)), no]),
      .or([.and([isKnown, .or([yes, no])]), .and([.not(isKnown), .not(.or([yes, no]))])]),
    ]
    remember(part, number)
    return latch
  }

  /// Registers a condition that depends on the past, and adds the implications between this condition and
  /// those registered before.
  mutating func remember(_ part: CheckedExpression, _ number: Int) {
    for other in pastVariables { compare((part, number), (other.part, other.variable)) }
    pastVariables.append((part, number))
  }

  private func equals(_ number: Int, to value: Double) -> Formula {
    atom(number) { $0 == value ? .yes : .no }
  }

  /// Adds the implication between two conditions that depend on the past, if there is one.
  ///
  /// When the operand of the first condition implies the operand of the second, a `for` implies a shorter
  /// `for`, and an `in last` implies a longer `in last`. A latch with stricter limits implies a latch with
  /// weaker limits.
  private mutating func compare(
    _ left: (part: CheckedExpression, number: Int), _ right: (part: CheckedExpression, number: Int)
  ) {
    let strong: Int
    let weak: Int
    switch (left.part.kind, right.part.kind) {
    case (.heldFor(let operand, let span, tolerate: nil), .heldFor(let other, let otherSpan, tolerate: nil)):
      if span >= otherSpan, other.isTrue(whenever: operand) {
        (strong, weak) = (left.number, right.number)
      } else if span <= otherSpan, operand.isTrue(whenever: other) {
        (strong, weak) = (right.number, left.number)
      } else {
        return
      }
    case (.inLast(let operand, let span), .inLast(let other, let otherSpan)):
      if span <= otherSpan, other.isTrue(whenever: operand) {
        (strong, weak) = (left.number, right.number)
      } else if span >= otherSpan, operand.isTrue(whenever: other) {
        (strong, weak) = (right.number, left.number)
      } else {
        return
      }
    case (.latch, .latch):
      if left.part.isClosed(whenever: right.part) {
        (strong, weak) = (right.number, left.number)
      } else if right.part.isClosed(whenever: left.part) {
        (strong, weak) = (left.number, right.number)
      } else {
        return
      }
    default: return
    }
    constraints.append(.or([.not(equals(strong, to: 1)), equals(weak, to: 1)]))
  }

  /// Adds the constraints between related facts, for example between a fact and its age.
  mutating func relate() {
    for pair in solverContext.equivalentFacts
    where survey.limits[pair.on] != nil && survey.limits[pair.state] != nil {
      for moment in mode == .turned ? [Moment.after(0), .earlier] : [.after(0)] {
        let isOn = atom(pair.on, at: moment) { $0 == 1 ? .yes : .no }
        let drawsPower = atom(pair.state, at: moment) { cell in
          pair.isOn.indices.contains(Int(cell)) && pair.isOn[Int(cell)] ? .yes : .no
        }
        constraints.append(.or([.and([isOn, drawsPower]), .and([.not(isOn), .not(drawsPower)])]))
      }
    }
    for pair in solverContext.pulses
    where survey.limits[pair.pulse] != nil && survey.limits[pair.state] != nil {
      let isPulse = atom(pair.pulse, at: .after(0)) { $0 == 1 ? .yes : .no }
      constraints.append(
        .or([.not(isPulse), atom(pair.state, at: .after(0)) { $0 == pair.value ? .yes : .no }]))
    }
    for (one, other) in solverContext.exclusive where survey.limits[one] != nil && survey.limits[other] != nil
    {
      let both = [one, other].map { atom($0, at: .after(0)) { $0 == 1 ? .yes : .no } }
      constraints.append(.or(both.map(Formula.not)))
    }
    guard mode == .loose else { return }
    for path in survey.aged.sorted() {
      let maxAge = solverContext.maxAge(path).map { Double($0.nanoseconds) } ?? .infinity
      let isYoung = atom(.age(path), at: .after(0)) { $0.isNaN || $0 > maxAge ? .no : .yes }
      let isGone = atom(.fact(path), at: .after(0)) { $0.isNaN ? .yes : .no }
      constraints.append(.or([isYoung, isGone]))
    }
  }
}
