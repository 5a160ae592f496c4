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

/// Conditions as formulas; how a part becomes one, the space of its variables says.
struct FormulaDomain: ConditionDomain {
  var leaf: (CheckedExpression) -> Formula

  func leaf(_ part: CheckedExpression, at context: Void) -> Formula { leaf(part) }
  func negated(_ value: Formula) -> Formula { .not(value) }
  func all(_ values: [Formula]) -> Formula { .and(values) }
  func any(_ values: [Formula]) -> Formula { .or(values) }
}
