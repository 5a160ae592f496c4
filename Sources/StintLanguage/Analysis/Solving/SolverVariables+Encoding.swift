import StintModel
import StintUnits

extension SolverVariables: ConditionDomain {
  /// The context in which a condition is evaluated: the policy whose schedules it uses, and the moment.
  struct Place {
    var policy: String
    var moment: Moment
  }

  func negated(_ value: Formula) -> Formula { .not(value) }
  func all(_ values: [Formula]) -> Formula { .and(values) }
  func any(_ values: [Formula]) -> Formula { .or(values) }

  /// Returns the formula for the value of a policy's condition at a moment.
  mutating func formula(_ condition: CheckedExpression, of policy: String, at moment: Moment) -> Formula {
    value(of: condition, at: Place(policy: policy, moment: moment))
  }

  mutating func leaf(_ condition: CheckedExpression, at place: Place) -> Formula {
    if let constraint = condition.leafConstraint {
      return atom(constraint.leaf, at: place.moment, constraint.truth)
    }
    switch condition.kind {
    case .constant(let value): return .constant(ConditionSpace.truth(of: value.number))
    case .compare:
      return ConditionSpace.constantTruth(condition).map { .constant($0) }
        ?? opaqueFormula(condition, of: place.policy)
    case .inSchedule(let index): return schedule(index, of: place.policy, at: place.moment)
    case .latch: return latch(condition, of: place.policy, at: place.moment)
    case .heldFor, .inLast: return lookBack(condition, of: place.policy, at: place.moment)
    default: return opaqueFormula(condition, of: place.policy)
    }
  }

  /// Returns the formula of a condition that is not analysed further.
  ///
  /// In the mode `loose`, one variable represents all occurrences of the condition. In other modes, each
  /// occurrence may have any value.
  private mutating func opaqueFormula(_ condition: CheckedExpression, of policy: String) -> Formula {
    guard mode == .loose else { return .constant(.any) }
    let number = outcome(condition, of: policy)
    return atom(number) { ConditionSpace.truth(of: $0) }
  }

  private mutating func outcome(_ condition: CheckedExpression, of policy: String) -> Int {
    number(of: .outcome(solverContext.unplaced(condition, of: policy))) { [1, 0, .nan] }
  }

  private mutating func schedule(_ index: Int, of policy: String, at moment: Moment) -> Formula {
    guard let list = solverContext.schedules[policy], list.indices.contains(index) else {
      return .constant(.any)
    }
    let schedule = list[index]
    let number = number(of: .week) { [weekCells] in weekCells.indices.map(Double.init) }
    return atom(number) { [weekCells] cell in
      let times = weekCells[Int(cell)]
      return schedule.contains(moment == .earlier ? times.earlier : times.now) ? .yes : .no
    }
  }

  // MARK: Memory

  private mutating func latch(
    _ condition: CheckedExpression, of policy: String, at moment: Moment
  ) -> Formula {
    guard let constraint = condition.latchConstraint else { return opaqueFormula(condition, of: policy) }
    let (leaf, past, over) = (constraint.leaf, constraint.isSetting, constraint.isOver)
    let isSetting = atom(leaf, at: moment, past)
    let isOver = atom(leaf, at: moment, over)
    if mode == .loose, keepsLatches { return looseLatch(condition, of: policy, isSetting, isOver) }
    var wasClosed = Formula.constant(.no)
    if mode == .loose {
      let part = solverContext.unplaced(condition, of: policy)
      let isNew = existing(.memory(part)) == nil
      let memory = self.number(of: .memory(part)) { [1, 0] }
      if isNew { remember(part, memory) }
      wasClosed = atom(memory) { $0 == 1 ? .yes : .no }
    } else if case .after(let time) = moment {
      if mode == .turned { wasClosed = .certain(atom(leaf, at: .earlier, past)) }
      if time > 0 {
        let (first, end) = (atom(leaf, at: .after(0), past), atom(leaf, at: .after(0), over))
        wasClosed = .or([.certain(first), .and([.not(.certain(end)), wasClosed])])
      }
    }
    return .or([isSetting, .and([.not(isOver), wasClosed])])
  }

  private mutating func lookBack(
    _ condition: CheckedExpression, of policy: String, at moment: Moment
  ) -> Formula {
    let operand = condition.children[0]
    if mode == .loose { return looseLookBack(condition, operand, of: policy) }
    guard case .after(let now) = moment else { return formula(operand, of: policy, at: .earlier) }
    guard let points = operand.breakpoints(solverContext) else { return .constant(.any) }
    switch condition.kind {
    case .heldFor(_, let span, let tolerate):
      let start = now - span.nanoseconds
      // The operand's value at the beginning of the span, and its later values.
      let first = points.last { $0 <= start } ?? 0
      var past: [Formula] = []
      for time in points where time >= first && time < now {
        past.append(formula(operand, of: policy, at: .after(time)))
      }
      if start < 0 {
        past.append(mode == .fresh ? .constant(.no) : formula(operand, of: policy, at: .earlier))
      }
      return held(formula(operand, of: policy, at: moment), since: past, isTolerant: tolerate != nil)
    case .inLast(_, let span):
      var past = [formula(operand, of: policy, at: moment)]
      // An interval in which the operand is true ends at the next point. The span counts from that end.
      for (number, time) in points.enumerated() where time < now {
        let end = number + 1 < points.count ? min(points[number + 1], now) : now
        guard now - end < span.nanoseconds else { continue }
        past.append(.certain(formula(operand, of: policy, at: .after(time))))
      }
      if mode == .turned, now < span.nanoseconds {
        past.append(.certain(formula(operand, of: policy, at: .earlier)))
      }
      return .or(past)
    default: return .constant(.any)
    }
  }

  /// Returns the formula of `for`.
  ///
  /// If `isTolerant` is false, a `for` is unknown while its operand is unknown. It is false while the operand
  /// is false or has not been true for the whole span. If `isTolerant` is true, a `for` may have any value
  /// while its operand is unknown. When the operand was unknown, but never false, within the span, the `for`
  /// may be true or false.
  private func held(_ now: Formula, since past: [Formula], isTolerant: Bool) -> Formula {
    var wasTrue = Formula.and(past.map { .certain($0) } + [.constant(.yes)])
    if isTolerant {
      let noneFalse = past.map { Formula.not(.certain(.not($0))) }
      wasTrue = .or([wasTrue, .and(noneFalse + [.constant([.yes, .no])])])
    }
    let open = Formula.and([now, .not(.certain(now))])
    if isTolerant {
      let isUnknown = Formula.and([.not(.certain(now)), .not(.certain(.not(now)))])
      return .or([.and([now, wasTrue]), open, .and([isUnknown, .constant(.any)])])
    }
    return .or([.and([now, wasTrue]), open])
  }
}
