/// A formula in one table, for asking it many times.
struct FormulaTable {
  private enum Operation {
    case constant, atom, not, and, or, certain
  }

  /// A part: operands are the places of other parts, an atom's are its variable and where its truths begin.
  private struct Part {
    var operation: Operation
    var first = 0
    var count = 0
    /// What it may be whatever the cells are; of a constant or an atom.
    var all = TruthSet.any
  }

  private var parts: [Part] = []
  /// The places of operands, one after the other for each part.
  private var operands: [Int] = []
  private var truths: [TruthSet] = []

  init(_ formula: Formula) { _ = add(formula) }

  /// Adds a part after its operands; gives its place.
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
    let places = list.map { add($0) }
    let part = Part(operation: operation, first: operands.count, count: places.count)
    operands += places
    return part
  }

  /// What the whole may be where some variables have a cell and the others (nil) any of theirs.
  func truths(_ cells: [Int?]) -> TruthSet { truths(of: parts.count - 1, cells) }

  private func truths(of place: Int, _ cells: [Int?]) -> TruthSet {
    let part = parts[place]
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

  /// A variable without a cell on which the truth of the whole still depends.
  func openVariable(_ cells: [Int?], among isWanted: (Int) -> Bool) -> Int? {
    openVariable(of: parts.count - 1, cells, isWanted)
  }

  private func openVariable(of place: Int, _ cells: [Int?], _ isWanted: (Int) -> Bool) -> Int? {
    let part = parts[place]
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
