/// Finds cells of the fixed variables with which a formula is true for all cells of the free variables.
struct SatisfiabilitySearch {
  private let formula: FormulaTable
  /// Whether a variable is fixed: the search chooses one cell for it. Indexed by variable.
  let isFixed: [Bool]
  /// The number of cells of each variable.
  let counts: [Int]
  /// The number of choices that are left to try; negative after the search used up all choices.
  private(set) var budget: Int

  init(_ formula: Formula, isFixed: [Bool], counts: [Int], budget: Int = 20_000) {
    self.formula = FormulaTable(formula)
    self.isFixed = isFixed
    self.counts = counts
    self.budget = budget
  }

  enum SearchResult: Equatable {
    /// The cells of the fixed variables; nil for variables that do not matter.
    case satisfiable([Int?])
    case unsatisfiable
    /// The search reached its budget of choices.
    case undecided
  }

  /// Runs the search; `start` fixes some cells in advance.
  mutating func run(from start: [Int?]? = nil) -> SearchResult {
    var cells = start ?? [Int?](repeating: nil, count: counts.count)
    let found = fix(&cells)
    if budget < 0 { return .undecided }
    return found ? .satisfiable(cells) : .unsatisfiable
  }

  /// Chooses cells of fixed variables. On success, `cells` contains the chosen cells.
  private mutating func fix(_ cells: inout [Int?]) -> Bool {
    let truths = formula.truths(cells)
    if !truths.contains(.yes) { return false }
    if truths == .yes { return true }
    guard let variable = formula.openVariable(cells, among: { isFixed[$0] }) else {
      var moving = cells
      return !hasCounterexample(&moving) && budget >= 0
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

  /// Returns true when there are cells of the free variables with which the formula is not true. Also returns
  /// true when the budget is used up.
  private mutating func hasCounterexample(_ cells: inout [Int?]) -> Bool {
    let truths = formula.truths(cells)
    if truths == .yes { return false }
    if !truths.contains(.yes) { return true }
    guard let variable = formula.openVariable(cells, among: { _ in true }) else { return true }
    for cell in 0..<counts[variable] {
      budget -= 1
      if budget < 0 { return true }
      cells[variable] = cell
      if hasCounterexample(&cells) { return true }
    }
    cells[variable] = nil
    return false
  }
}
