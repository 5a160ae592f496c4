/// Looks for cells of fixed variables for which a formula is true whatever the free variables do.
struct SatisfiabilitySearch {
  private let formula: FormulaTable
  /// By variable: whether it keeps the cell that is chosen for it.
  let isFixed: [Bool]
  let counts: [Int]
  /// How many choices may still be tried.
  private(set) var budget: Int

  init(_ formula: Formula, isFixed: [Bool], counts: [Int], budget: Int = 20_000) {
    self.formula = FormulaTable(formula)
    self.isFixed = isFixed
    self.counts = counts
    self.budget = budget
  }

  /// What came of it.
  enum SearchResult: Equatable {
    /// The cells of the fixed variables that matter.
    case satisfiable([Int?])
    case unsatisfiable
    /// There were too many choices.
    case undecided
  }

  /// Searches with some cells chosen already.
  mutating func run(from start: [Int?]? = nil) -> SearchResult {
    var cells = start ?? [Int?](repeating: nil, count: counts.count)
    let found = fix(&cells)
    if budget < 0 { return .undecided }
    return found ? .satisfiable(cells) : .unsatisfiable
  }

  /// Chooses cells of fixed variables; leaves those in `cells` that worked.
  private mutating func fix(_ cells: inout [Int?]) -> Bool {
    let truths = formula.truths(cells)
    if !truths.contains(.yes) { return false }
    if truths == .yes { return true }
    guard let variable = formula.openVariable(cells, among: { isFixed[$0] }) else {
      var moving = cells
      return !escapes(&moving) && budget >= 0
    }
    for cell in 0..<counts[variable] {
      budget -= 1
      if budget < 0 { return false }
      cells[variable] = cell
      if fix(&cells) { return true }
    }
    cells[variable] = nil
    return false
  }

  /// Whether the free variables have cells for which the formula is not true.
  private mutating func escapes(_ cells: inout [Int?]) -> Bool {
    let truths = formula.truths(cells)
    if truths == .yes { return false }
    if !truths.contains(.yes) { return true }
    guard let variable = formula.openVariable(cells, among: { _ in true }) else { return true }
    for cell in 0..<counts[variable] {
      budget -= 1
      if budget < 0 { return true }
      cells[variable] = cell
      if escapes(&cells) { return true }
    }
    cells[variable] = nil
    return false
  }
}
