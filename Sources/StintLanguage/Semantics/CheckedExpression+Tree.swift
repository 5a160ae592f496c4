import StintModel

/// The tree operations on checked expressions; every walk over conditions uses them.
extension CheckedExpression {
  /// The direct operands, in source order.
  public var children: [CheckedExpression] {
    switch kind {
    case .constant, .fact, .inSchedule, .known, .age, .demanded, .window: []
    case .not(let operand), .negate(let operand), .heldFor(let operand, _, _), .inLast(let operand, _),
      .oneOf(let operand, _):
      [operand]
    case .and(let operands), .or(let operands): operands
    case .implies(let left, let right), .compare(_, let left, let right), .arithmetic(_, let left, let right):
      [left, right]
    case .latch(_, let value, let threshold, let release): [value, threshold, release]
    }
  }

  /// Returns a copy in which each child is replaced by `change(child)`.
  public func map(_ change: (CheckedExpression) -> CheckedExpression) -> CheckedExpression {
    var copy = self
    switch kind {
    case .constant, .fact, .inSchedule, .known, .age, .demanded, .window: break
    case .not(let operand): copy.kind = .not(change(operand))
    case .negate(let operand): copy.kind = .negate(change(operand))
    case .heldFor(let operand, let length, let tolerate):
      copy.kind = .heldFor(change(operand), length, tolerate: tolerate)
    case .inLast(let operand, let length): copy.kind = .inLast(change(operand), length)
    case .oneOf(let operand, let values): copy.kind = .oneOf(change(operand), values)
    case .and(let operands): copy.kind = .and(operands.map(change))
    case .or(let operands): copy.kind = .or(operands.map(change))
    case .implies(let left, let right): copy.kind = .implies(change(left), change(right))
    case .compare(let comparison, let left, let right):
      copy.kind = .compare(comparison, change(left), change(right))
    case .arithmetic(let operation, let left, let right):
      copy.kind = .arithmetic(operation, change(left), change(right))
    case .latch(let side, let value, let threshold, let release):
      copy.kind = .latch(side, value: change(value), threshold: change(threshold), release: change(release))
    }
    return copy
  }

  /// Combines each expression with the results of its children, from the leaves to the root.
  public func fold<Value>(_ combine: (CheckedExpression, [Value]) -> Value) -> Value {
    combine(self, children.map { $0.fold(combine) })
  }

  /// Calls `body` with the expression and every part of it, in source order.
  public func visit(_ body: (CheckedExpression) -> Void) {
    body(self)
    for child in children { child.visit(body) }
  }

  /// The path of the fact that the expression itself reads; nil when only its children read facts.
  package var path: String? {
    switch kind {
    case .fact(let path), .known(let path), .age(let path, _, _), .window(_, let path, _): path
    default: nil
    }
  }

  /// True for a part that only observes a fact: `known`, `age`, or the number of values in a window. Such a
  /// part causes no reading.
  package var isObservation: Bool {
    switch kind {
    case .known, .age: true
    case .window(let function, _, _): function.countsValues
    default: false
    }
  }

  /// The paths of all facts that the expression reads, each once, in source order.
  public var facts: [String] {
    var found: [String] = []
    var seen: Set<String> = []
    visit { part in
      if let path = part.path, seen.insert(path).inserted { found.append(path) }
    }
    return found
  }

  /// The paths of all facts whose values the expression uses; facts that it only observes are left out.
  package var readFacts: Set<String> {
    var found: Set<String> = []
    visit { part in if !part.isObservation, let path = part.path { found.insert(path) } }
    return found
  }

  /// Returns the span of the first part that reads the fact; nil when no part does.
  func firstSpan(reading path: String) -> SourceSpan? {
    var span: SourceSpan?
    visit { part in if span == nil, part.path == path { span = part.span } }
    return span
  }
}

extension CheckedTrigger {
  /// The condition of the trigger; nil for a trigger without one.
  public var condition: CheckedExpression? {
    switch self {
    case .always: nil
    case .whilst(let condition), .when(let condition, _): condition
    case .every(_, _, let condition): condition
    }
  }

  /// True for a `while` or `always` rule, which is in force while its condition is true. False for a `when`
  /// or `every` rule, which acts once.
  package var isLevel: Bool {
    switch self {
    case .always, .whilst: true
    case .when, .every: false
    }
  }
}
