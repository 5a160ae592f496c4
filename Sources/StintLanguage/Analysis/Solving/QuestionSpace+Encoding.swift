import StintModel
import StintUnits

extension QuestionSpace {
  /// A condition of the policy at a moment.
  mutating func formula(_ condition: CheckedExpression, of policy: String, at moment: Moment) -> Formula {
    switch condition.kind {
    case .constant(let value): return .constant(ConditionSpace.truth(of: value.number))
    case .fact(let path): return atom(.fact(path), at: moment) { ConditionSpace.truth(of: $0) }
    case .known(let path): return atom(.fact(path), at: moment) { $0.isNaN ? .no : .yes }
    case .demanded(let device): return atom(.demanded(device), at: moment) { ConditionSpace.truth(of: $0) }
    case .age(let path, let operation, let span):
      return atom(.age(path), at: moment) { ConditionSpace.truth($0, operation, Double(span.nanoseconds)) }
    case .not(let operand): return .not(formula(operand, of: policy, at: moment))
    case .and(let operands): return .and(formulas(operands, of: policy, at: moment))
    case .or(let operands): return .or(formulas(operands, of: policy, at: moment))
    case .implies(let left, let right):
      let parts = formulas([left, right], of: policy, at: moment)
      return .or([.not(parts[0]), parts[1]])
    case .compare: return comparison(condition, of: policy, at: moment)
    case .oneOf(let operand, let values):
      guard case .fact(let path) = operand.kind else { return open(condition, of: policy) }
      let wanted = values.map(\.number)
      return atom(.fact(path), at: moment) { $0.isNaN ? .unknown : wanted.contains($0) ? .yes : .no }
    case .inSchedule(let index): return schedule(index, of: policy, at: moment)
    case .latch: return latch(condition, of: policy, at: moment)
    case .heldFor, .inLast: return lookBack(condition, of: policy, at: moment)
    case .window, .arithmetic, .negate: return open(condition, of: policy)
    }
  }

  private mutating func formulas(
    _ conditions: [CheckedExpression], of policy: String, at moment: Moment
  ) -> [Formula] {
    var all: [Formula] = []
    all.reserveCapacity(conditions.count)
    for condition in conditions { all.append(formula(condition, of: policy, at: moment)) }
    return all
  }

  /// What may come to anything, but to the same wherever it stands.
  private mutating func open(_ condition: CheckedExpression, of policy: String) -> Formula {
    guard mode == .loose else { return .constant(.any) }
    let number = outcome(condition, of: policy)
    return atom(number) { ConditionSpace.truth(of: $0) }
  }

  private mutating func outcome(_ condition: CheckedExpression, of policy: String) -> Int {
    number(of: .outcome(ground.unplaced(condition, of: policy))) { [1, 0, .nan] }
  }

  private mutating func comparison(
    _ condition: CheckedExpression, of policy: String, at moment: Moment
  ) -> Formula {
    guard case .compare(let operation, let left, let right) = condition.kind else { return .constant(.any) }
    if let truth = ConditionSpace.constantTruth(condition) { return .constant(truth) }
    guard let (number, limit) = ConditionSpace.sides(left, right), let leaf = number.leaf else {
      return open(condition, of: policy)
    }
    let isTurned = left.affine?.leaf == nil && !left.isFact
    return atom(leaf, at: moment) { value in
      let value = number.value(at: value)
      return isTurned
        ? ConditionSpace.truth(limit, operation, value) : ConditionSpace.truth(value, operation, limit)
    }
  }

  private mutating func schedule(_ index: Int, of policy: String, at moment: Moment) -> Formula {
    guard let list = ground.schedules[policy], list.indices.contains(index) else { return .constant(.any) }
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
    guard case .latch(let side, let value, let threshold, let release) = condition.kind,
      let number = value.affine, let leaf = number.leaf, let threshold = threshold.constantNumber,
      let release = release.constantNumber
    else { return open(condition, of: policy) }
    func past(_ value: Double) -> TruthSet {
      ConditionSpace.truth(number.value(at: value), side == .below ? .less : .greater, threshold)
    }
    func over(_ value: Double) -> TruthSet {
      ConditionSpace.truth(number.value(at: value), side == .below ? .greater : .less, release)
    }
    let isPast = atom(leaf, at: moment, past)
    let isOver = atom(leaf, at: moment, over)
    if mode == .loose, keepsLatches { return looseLatch(condition, of: policy, isPast, isOver) }
    var wasClosed = Formula.constant(.no)
    if mode == .loose {
      let part = ground.unplaced(condition, of: policy)
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
    return .or([isPast, .and([.not(isOver), wasClosed])])
  }

  private mutating func lookBack(
    _ condition: CheckedExpression, of policy: String, at moment: Moment
  ) -> Formula {
    let operand = condition.children[0]
    if mode == .loose { return looseLookBack(condition, operand, of: policy) }
    guard case .after(let now) = moment else { return formula(operand, of: policy, at: .earlier) }
    guard let points = operand.breakpoints(ground) else { return .constant(.any) }
    switch condition.kind {
    case .heldFor(_, let span, let tolerate):
      let start = now - span.nanoseconds
      // What it was when the span began, and what it became since.
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
      // A stretch of truth counts up to its very end.
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

  /// `for`: unknown while the operand is, false while it is false or not true for long enough.
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
