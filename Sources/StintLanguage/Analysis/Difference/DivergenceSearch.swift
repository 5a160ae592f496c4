import StintModel
import StintUnits

/// Finds the cells of facts (see `Formula`) in which two sets of policies decide differently about one
/// device.
struct DivergenceSearch {
  /// A set of cells with the decisions before and after.
  struct Box {
    /// The cells and decisions of a box. Boxes whose extents differ only in the cells of one variable are
    /// joined.
    struct Extent: Hashable {
      /// The cells of each variable; nil for all cells.
      var cells: [[Int]?]
      var before: DeviceDecision
      var after: DeviceDecision
    }

    var extent: Extent
    /// The cells of one point inside the box.
    var sample: [Int?]
  }

  private(set) var space: SolverVariables
  private var before: [(item: DifferenceItem, formula: FormulaTable)] = []
  private var after: [(item: DifferenceItem, formula: FormulaTable)] = []
  /// For each item of a side: whether the other side has an item with an equal key.
  private var isSharedBefore: [Bool] = []
  private var isSharedAfter: [Bool] = []
  private let constraints: Formula
  private var budget = 20_000

  /// True when the search examined every cell.
  var isComplete: Bool { budget >= 0 }

  init(_ before: [DifferenceItem], _ after: [DifferenceItem], solverContext: SolverContext) {
    let survey = Survey((before + after).flatMap(\.claims), schedules: solverContext.schedules)
    var space = SolverVariables(survey, mode: .loose, held: 0, solverContext: solverContext)
    space.keepsLatches = true
    for item in before { self.before.append((item, FormulaTable(space.formula(ofEach: item.claims)))) }
    for item in after { self.after.append((item, FormulaTable(space.formula(ofEach: item.claims)))) }
    space.relate()
    constraints = .and(space.constraints + [.constant(.yes)])
    self.space = space
    let (old, new) = (Set(before.map(\.key)), Set(after.map(\.key)))
    isSharedBefore = before.map { new.contains($0.key) }
    isSharedAfter = after.map { old.contains($0.key) }
  }

  /// Returns boxes that do not overlap and together contain every difference found.
  mutating func boxes() -> [Box] {
    if isSharedBefore.allSatisfy({ $0 }) && isSharedAfter.allSatisfy({ $0 }) { return [] }
    var cells = [Int?](repeating: nil, count: space.variables.count)
    return joined(explore(&cells))
  }

  // MARK: Exploring

  private mutating func explore(_ cells: inout [Int?]) -> [Box] {
    budget -= 1
    guard budget >= 0 else { return [] }
    let (old, new) = (truths(before, cells), truths(after, cells))
    guard mayDiffer(old, new) else { return [] }
    if let variable = undecidedVariable(old, new, cells) { return split(variable, &cells) }
    let (decided, other) = (decision(before, old), decision(after, new))
    guard decided != other else { return [] }
    // The cells must satisfy the constraints between facts.
    let all = [Bool](repeating: true, count: cells.count)
    var search = SatisfiabilitySearch(
      constraints, isFixed: all, counts: space.variables.map(\.cells.count), budget: Solver.maxChoices)
    guard case .satisfiable(let sample) = search.run(from: cells) else { return [] }
    let whole = cells.map { $0.map { [$0] } }
    return [Box(extent: .init(cells: whole, before: decided, after: other), sample: sample)]
  }

  private func truths(_ items: [(item: DifferenceItem, formula: FormulaTable)], _ cells: [Int?]) -> [TruthSet]
  {
    items.map { $0.formula.truths(cells) }
  }

  /// Returns true when an item that only one side has may be in effect.
  private func mayDiffer(_ old: [TruthSet], _ new: [TruthSet]) -> Bool {
    let isOld = zip(old, isSharedBefore).contains { $0.contains(.yes) && !$1 }
    let isNew = zip(new, isSharedAfter).contains { $0.contains(.yes) && !$1 }
    return isOld || isNew
  }

  /// Returns a variable of an item that may be true or false in these cells. First searches the items that
  /// only one side has. Returns nil when no further variable can change the decisions.
  private func undecidedVariable(_ old: [TruthSet], _ new: [TruthSet], _ cells: [Int?]) -> Int? {
    for wantsShared in [false, true] {
      for (items, truths, isShared) in [(before, old, isSharedBefore), (after, new, isSharedAfter)] {
        for number in items.indices where isShared[number] == wantsShared && truths[number] == [.yes, .no] {
          if let variable = items[number].formula.openVariable(cells, among: { _ in true }) {
            return variable
          }
        }
      }
      // The shared items add equal effects to both sides, so only the unshared items can make a difference.
      if !wantsShared, decision(before, old, isSharedBefore) == decision(after, new, isSharedAfter) {
        return nil
      }
    }
    return nil
  }

  private func decision(
    _ items: [(item: DifferenceItem, formula: FormulaTable)], _ truths: [TruthSet], _ isShared: [Bool]? = nil
  ) -> DeviceDecision {
    DeviceDecision(
      items.indices.filter { truths[$0] == .yes && !(isShared?[$0] ?? false) }.map {
        items[$0].item.key.effect
      })
  }

  private mutating func split(_ variable: Int, _ cells: inout [Int?]) -> [Box] {
    var found: [Box] = []
    for cell in space.variables[variable].cells.indices {
      cells[variable] = cell
      found += explore(&cells)
    }
    cells[variable] = nil
    return join(found, along: variable)
  }

  // MARK: Joining

  private func joined(_ boxes: [Box]) -> [Box] {
    var boxes = boxes
    var count = boxes.count + 1
    while boxes.count < count {
      count = boxes.count
      for variable in space.variables.indices { boxes = join(boxes, along: variable) }
    }
    return boxes
  }

  /// Joins boxes that differ only in `variable`. The result is ordered by the first box of each group.
  private func join(_ boxes: [Box], along variable: Int) -> [Box] {
    var joined: [Box] = []
    var places: [Box.Extent: Int] = [:]
    var cells: [Set<Int>] = []
    let count = space.variables[variable].cells.count
    for box in boxes {
      var rest = box
      rest.extent.cells[variable] = nil
      let more = box.extent.cells[variable] ?? Array(0..<count)
      if let place = places[rest.extent] {
        cells[place].formUnion(more)
      } else {
        places[rest.extent] = joined.count
        joined.append(rest)
        cells.append(Set(more))
      }
    }
    for place in joined.indices where cells[place].count < count {
      joined[place].extent.cells[variable] = cells[place].sorted()
    }
    return joined
  }

  // MARK: Witnesses

  /// Returns example values of facts inside a box, with earlier values where the past matters. Nil when the
  /// search finds no such values.
  func witness(_ box: Box, solver: Solver) -> Witness? {
    if !space.survey.remembers && space.survey.unevaluatedPart == nil
      && !(before + after).contains(where: { $0.item.claims.contains(where: \.recurs) })
    {
      return space.witness(box.sample)
    }
    var claims: [Claim] = []
    var seen: Set<DifferenceItem.Term> = []
    // The cells in the description of the box.
    let named = box.sample.indices.map { box.extent.cells[$0] == nil ? nil : box.sample[$0] }
    for claim in (before + after).flatMap(\.item.claims) {
      guard let condition = claim.condition else { continue }
      if let isTrue = truth(of: condition, claim.policy, in: box.sample) {
        let mode: Claim.Mode = isTrue ? (claim.isInForce ? claim.mode : .holds) : .fails
        let isNew = seen.insert(term(condition, claim.policy, isWanted: claim.isInForce && isTrue)).inserted
        if isNew { claims.append(Claim(condition: condition, policy: claim.policy, mode: mode)) }
      }
      for operand in condition.operands {
        guard let isTrue = truth(of: operand, claim.policy, in: named) else { continue }
        guard seen.insert(term(operand, claim.policy, isWanted: isTrue)).inserted else { continue }
        claims.append(Claim(condition: operand, policy: claim.policy, mode: isTrue ? .holds : .fails))
      }
    }
    return solver.solve(claims).witness
  }

  /// Returns whether a condition is true in these cells; nil when the cells do not determine this.
  private func truth(of condition: CheckedExpression, _ policy: String, in cells: [Int?]) -> Bool? {
    var space = space
    let truths = FormulaTable(Formula.certain(space.formula(condition, of: policy, at: .after(0)))).truths(
      cells)
    return truths == .yes ? true : truths == .no ? false : nil
  }

  private func term(
    _ condition: CheckedExpression, _ policy: String, isWanted: Bool
  ) -> DifferenceItem.Term {
    DifferenceItem.Term(
      condition: space.solverContext.unplaced(condition, of: policy), isWanted: isWanted)
  }
}

extension Claim {
  fileprivate var isInForce: Bool {
    switch mode {
    case .holds, .recurs, .rises: true
    case .fails, .staysFalse: false
    }
  }
}

extension CheckedExpression {
  /// The operands of the logical operators in a condition. A duration (such as `for`) and a function are one
  /// operand each, even with logical operators inside. Empty for a condition without logical operators.
  fileprivate var operands: [CheckedExpression] {
    switch kind {
    case .not(let operand): operand.parts
    case .and(let operands), .or(let operands): operands.flatMap(\.parts)
    case .implies(let left, let right): left.parts + right.parts
    default: []
    }
  }

  private var parts: [CheckedExpression] {
    let operands = operands
    return operands.isEmpty ? [self] : operands
  }
}

extension SolverVariables {
  /// Returns the conjunction of the claims.
  fileprivate mutating func formula(ofEach claims: [Claim]) -> Formula {
    var parts: [Formula] = []
    for claim in claims { parts.append(formula(of: claim)) }
    return .and(parts + [.constant(.yes)])
  }
}
