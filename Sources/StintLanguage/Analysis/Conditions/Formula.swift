/// A condition over numbered variables, each of which has finitely many cells.
///
/// Where a variable's value lies within a cell makes no difference to any atom.
indirect enum Formula {
  case constant(TruthSet)
  /// The truth by cell of one variable.
  case atom(Int, [TruthSet])
  case not(Formula)
  case and([Formula])
  case or([Formula])
  /// Whether the part is true, rather than false or unknown.
  case certain(Formula)

  /// What it may be where some variables have a cell and the others (nil) any of theirs.
  func truths(_ cells: [Int?]) -> TruthSet {
    switch self {
    case .constant(let truths): return truths
    case .atom(let variable, let truths):
      if let cell = cells[variable] { return truths[cell] }
      return truths.reduce(into: TruthSet()) { $0.formUnion($1) }
    case .not(let operand): return operand.truths(cells).negated
    case .and(let operands):
      var result = TruthSet.yes
      for operand in operands {
        result = result.and(operand.truths(cells))
        if result == .no { break }
      }
      return result
    case .or(let operands):
      var result = TruthSet.no
      for operand in operands {
        result = result.or(operand.truths(cells))
        if result == .yes { break }
      }
      return result
    case .certain(let operand): return operand.truths(cells).certain
    }
  }

  /// A variable without a cell on which its truth still depends.
  func openVariable(_ cells: [Int?], among isWanted: (Int) -> Bool) -> Int? {
    switch self {
    case .constant: return nil
    case .atom(let variable, _): return cells[variable] == nil && isWanted(variable) ? variable : nil
    case .not(let operand), .certain(let operand): return operand.openVariable(cells, among: isWanted)
    case .and(let operands), .or(let operands):
      for operand in operands where operand.truths(cells).rawValue.nonzeroBitCount > 1 {
        if let variable = operand.openVariable(cells, among: isWanted) { return variable }
      }
      return nil
    }
  }

  /// The same where one variable has this cell.
  func with(_ variable: Int, at cell: Int) -> Formula {
    switch self {
    case .constant: self
    case .atom(let other, let truths): other == variable ? .constant(truths[cell]) : self
    case .not(let operand): .not(operand.with(variable, at: cell))
    case .and(let operands): .and(operands.map { $0.with(variable, at: cell) })
    case .or(let operands): .or(operands.map { $0.with(variable, at: cell) })
    case .certain(let operand): .certain(operand.with(variable, at: cell))
    }
  }
}
