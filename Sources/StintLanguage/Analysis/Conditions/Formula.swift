/// A condition over numbered variables. The values of each variable are divided into finitely many sets, its
/// cells.
///
/// All values within one cell give every atom the same truth value.
indirect enum Formula {
  case constant(TruthSet)
  /// The truth values for each cell of one variable, and the union of all these values.
  case atom(Int, [TruthSet], all: TruthSet)
  case not(Formula)
  case and([Formula])
  case or([Formula])
  /// True when the operand is true, false when the operand is false or unknown.
  case certain(Formula)

  /// Returns an atom with the given truth value for each cell of a variable.
  static func atom(_ variable: Int, _ truths: [TruthSet]) -> Formula {
    .atom(variable, truths, all: truths.reduce(into: TruthSet()) { $0.formUnion($1) })
  }

  /// Returns the formula with one variable fixed to a cell.
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
  /// Returns a formula that is true when this formula may be true. Only variables for which `isKept` returns
  /// true are kept; each occurrence of any other variable may have any value.
  func possible(_ isKept: (Int) -> Bool) -> Formula { possible(.yes, isKept) }

  /// Returns a formula that is true when this formula may have the truth value `truth` (yes or no).
  private func possible(_ truth: TruthSet, _ isKept: (Int) -> Bool) -> Formula {
    switch self {
    case .constant(let truths): return .constant(truths.contains(truth) ? .yes : .no)
    case .atom(let variable, let truths, _):
      guard isKept(variable) else { return .constant(.yes) }
      return .atom(variable, truths.map { $0.contains(truth) ? .yes : .no })
    case .not(let operand): return operand.possible(truth.negated, isKept)
    case .and(let operands):
      let parts = operands.map { $0.possible(truth, isKept) }
      return truth == .yes ? .and(parts) : .or(parts)
    case .or(let operands):
      let parts = operands.map { $0.possible(truth, isKept) }
      return truth == .yes ? .or(parts) : .and(parts)
    // `certain` is false also when its operand is unknown. This function does not examine whether the operand
    // may be unknown, so “no” counts as possible.
    case .certain(let operand): return truth == .yes ? operand.possible(.yes, isKept) : .constant(.yes)
    }
  }
}

/// Converts conditions to formulas. `leaf` converts a single leaf; `ConditionSpace` provides it.
struct FormulaDomain: ConditionDomain {
  var leaf: (CheckedExpression) -> Formula

  func leaf(_ part: CheckedExpression, at context: Void) -> Formula { leaf(part) }
  func negated(_ value: Formula) -> Formula { .not(value) }
  func all(_ values: [Formula]) -> Formula { .and(values) }
  func any(_ values: [Formula]) -> Formula { .or(values) }
}
