/// A condition over numbered variables, each of which has finitely many cells.
///
/// Where a variable's value lies within a cell makes no difference to any atom.
indirect enum Formula {
  case constant(TruthSet)
  /// The truth by cell of one variable, and all of them together.
  case atom(Int, [TruthSet], all: TruthSet)
  case not(Formula)
  case and([Formula])
  case or([Formula])
  /// Whether the part is true, rather than false or unknown.
  case certain(Formula)

  /// What is so in these cells of a variable.
  static func atom(_ variable: Int, _ truths: [TruthSet]) -> Formula {
    .atom(variable, truths, all: truths.reduce(into: TruthSet()) { $0.formUnion($1) })
  }

  /// The same where one variable has this cell.
  func with(_ variable: Int, at cell: Int) -> Formula {
    switch self {
    case .constant: self
    case .atom(let other, let truths, _): other == variable ? .constant(truths[cell]) : self
    case .not(let operand): .not(operand.with(variable, at: cell))
    case .and(let operands): .and(operands.map { $0.with(variable, at: cell) })
    case .or(let operands): .or(operands.map { $0.with(variable, at: cell) })
    case .certain(let operand): .certain(operand.with(variable, at: cell))
    }
  }
}

extension Formula {
  /// Whether it may be true, as far as some variables tell; all others may be anything, each time they are asked.
  func possible(_ counts: (Int) -> Bool) -> Formula { possible(.yes, counts) }

  /// Whether it may have a truth, which is yes or no.
  private func possible(_ truth: TruthSet, _ counts: (Int) -> Bool) -> Formula {
    switch self {
    case .constant(let truths): return .constant(truths.contains(truth) ? .yes : .no)
    case .atom(let variable, let truths, _):
      guard counts(variable) else { return .constant(.yes) }
      return .atom(variable, truths.map { $0.contains(truth) ? .yes : .no })
    case .not(let operand): return operand.possible(truth.negated, counts)
    case .and(let operands):
      let parts = operands.map { $0.possible(truth, counts) }
      return truth == .yes ? .and(parts) : .or(parts)
    case .or(let operands):
      let parts = operands.map { $0.possible(truth, counts) }
      return truth == .yes ? .or(parts) : .and(parts)
    // What is not certain may be unknown as well as false.
    case .certain(let operand): return truth == .yes ? operand.possible(.yes, counts) : .constant(.yes)
    }
  }
}

/// Conditions as formulas; how a part becomes one, the space of its variables says.
struct FormulaDomain: ConditionDomain {
  var leaf: (CheckedExpression) -> Formula

  func leaf(_ part: CheckedExpression, at context: Void) -> Formula { leaf(part) }
  func negated(_ value: Formula) -> Formula { .not(value) }
  func all(_ values: [Formula]) -> Formula { .and(values) }
  func any(_ values: [Formula]) -> Formula { .or(values) }
}
