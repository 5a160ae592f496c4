import StintModel

extension CheckedExpression {
  /// What it is directly made of.
  var operands: [CheckedExpression] {
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

  /// The path of the fact that it reads itself, not through an operand.
  var path: String? {
    switch kind {
    case .fact(let path), .known(let path), .age(let path, _, _), .window(_, let path, _): path
    default: nil
    }
  }

  /// Calls `body` with it and every part of it, in the order of the text.
  func visit(_ body: (CheckedExpression) -> Void) {
    body(self)
    for operand in operands { operand.visit(body) }
  }

  /// Every fact that it reads, each once, in the order of the text.
  var paths: [String] {
    var found: [String] = []
    var seen: Set<String> = []
    visit { part in
      if let path = part.path, seen.insert(path).inserted { found.append(path) }
    }
    return found
  }

  /// Where it first reads the fact.
  func firstSpan(reading path: String) -> SourceSpan? {
    var span: SourceSpan?
    visit { part in if span == nil, part.path == path { span = part.span } }
    return span
  }
}

extension CheckedTrigger {
  /// Its condition; nil for none.
  var condition: CheckedExpression? {
    switch self {
    case .always: nil
    case .whilst(let condition), .when(let condition, _): condition
    case .every(_, _, let condition): condition
    }
  }

  /// Whether the rule holds for as long as its condition, rather than acting once.
  var isLevel: Bool {
    switch self {
    case .always, .whilst: true
    case .when, .every: false
    }
  }
}
