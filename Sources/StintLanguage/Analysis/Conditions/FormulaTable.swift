/// A formula as a flat table, for fast repeated evaluation.
struct FormulaTable {
  private enum Operation {
    case constant, atom, not, and, or, certain
  }

  /// A node of the formula.
  ///
  /// For an atom, `first` is its variable, and `count` is the index of its first truth value in `truths`. For
  /// `not` and `certain`, `first` is the index of the operand in `parts`. For `and` and `or`, `first` is the
  /// index of the first operand in `operands`, and `count` is the number of operands.
  private struct Part {
    var operation: Operation
    var first = 0
    var count = 0
    /// The union of the truth values over all cells; used by constants and atoms.
    var all = TruthSet.any
  }

  private var parts: [Part] = []
  /// The indices of operands in `parts`; the operands of one part are adjacent.
  private var operands: [Int] = []
  private var truths: [TruthSet] = []

  init(_ formula: Formula) { _ = add(formula) }

  /// Appends a part after its operands and returns its index.
  private mutating func add(_ formula: Formula) -> Int {
    var part: Part
    switch formula {
    case .constant(let truths): part = Part(operation: .constant, all: truths)
    case .atom(let variable, let cells, let all):
      part = Part(operation: .atom, first: variable, count: truths.count, all: all)
      truths += cells
    case .not(let operand): part = Part(operation: .not, first: add(operand))
    case .certain(let operand): part = Part(operation: .certain, first: add(operand))
    case .and(let list): part = add(list, .and)
    case .or(let list): part = add(list, .or)
    }
    parts.append(part)
    return parts.count - 1
  }

  private mutating func add(_ list: [Formula], _ operation: Operation) -> Part {
    let indexes = list.map { add($0) }
    let part = Part(operation: operation, first: operands.count, count: indexes.count)
    operands += indexes
    return part
  }

  /// Returns the possible truth values of the formula, where nil in `cells` allows any cell of a variable.
  func truths(_ cells: [Int?]) -> TruthSet { truths(of: parts.count - 1, cells) }

  private func truths(of index: Int, _ cells: [Int?]) -> TruthSet {
    let part = parts[index]
    switch part.operation {
    case .constant: return part.all
    case .atom: return cells[part.first].map { truths[part.count + $0] } ?? part.all
    case .not: return truths(of: part.first, cells).negated
    case .certain: return truths(of: part.first, cells).certain
    case .and:
      var result = TruthSet.yes
      for number in part.first..<(part.first + part.count) {
        result = result.and(truths(of: operands[number], cells))
        if result == .no { break }
      }
      return result
    case .or:
      var result = TruthSet.no
      for number in part.first..<(part.first + part.count) {
        result = result.or(truths(of: operands[number], cells))
        if result == .yes { break }
      }
      return result
    }
  }

  /// Returns a variable that has no fixed cell and that still influences the formula. Nil when there is no
  /// such variable.
  func openVariable(_ cells: [Int?], among isWanted: (Int) -> Bool) -> Int? {
    openVariable(of: parts.count - 1, cells, isWanted)
  }

  private func openVariable(of index: Int, _ cells: [Int?], _ isWanted: (Int) -> Bool) -> Int? {
    let part = parts[index]
    switch part.operation {
    case .constant: return nil
    case .atom: return cells[part.first] == nil && isWanted(part.first) ? part.first : nil
    case .not, .certain: return openVariable(of: part.first, cells, isWanted)
    case .and, .or:
      for number in part.first..<(part.first + part.count) {
        let operand = operands[number]
        guard truths(of: operand, cells).rawValue.nonzeroBitCount > 1 else { continue }
        if let variable = openVariable(of: operand, cells, isWanted) { return variable }
      }
      return nil
    }
  }
}
