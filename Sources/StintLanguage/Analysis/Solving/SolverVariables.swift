import StintModel
import StintUnits

/// The variables of one search of a `Solver`, and the constraints between them.
struct SolverVariables {
  enum Mode {
    /// One moment with an arbitrary past. This is an over-approximation: some results cannot occur.
    case loose
    /// All facts are published when the policies are loaded, and then stay unchanged.
    case fresh
    /// All facts are published long after their earlier values, and then stay unchanged.
    case turned
  }

  /// The moment at which a condition is evaluated.
  enum Moment: Hashable {
    /// Just before the last publication of all facts.
    case earlier
    /// The given number of nanoseconds after the last publication.
    case after(Int64)
  }

  /// The quantity that a variable represents.
  enum Unknown: Hashable {
    /// The present value of a leaf.
    case leaf(Leaf)
    /// The value of a leaf just before the last publication of all facts.
    case earlier(Leaf)
    /// The value of a condition that is not analysed further.
    case outcome(CheckedExpression)
    /// The remembered state of a latch (a comparison with a `release`).
    case memory(CheckedExpression)
    /// The time of the week, as an index in `weekCells`.
    case week
  }

  struct Variable {
    var unknown: Unknown
    /// One value for each cell; NaN is unknown.
    var cells: [Double]
  }

  let solverContext: SolverContext
  var vocabulary: Vocabulary { solverContext.vocabulary }
  let mode: Mode
  let survey: Survey
  /// The time for which all facts have been unchanged when the claims are evaluated, in nanoseconds.
  let held: Int64
  /// For each cell of the week: the time at which the claims are evaluated, and the time just before all
  /// facts were published. Both are in nanoseconds since Monday midnight.
  let weekCells: [(now: Int64, earlier: Int64)]
  /// True when each latch is one variable. False when only the remembered state of a latch is a variable.
  var keepsLatches = false
  /// True when cells are tried in reverse order.
  var isReversed = false
  private(set) var variables: [Variable] = []
  private var numbers: [Unknown: Int] = [:]
  var constraints: [Formula] = []
  /// The registered conditions that depend on the past, with their variables.
  var pastVariables: [(part: CheckedExpression, variable: Int)] = []

  init(_ survey: Survey, mode: Mode, held: Int64, solverContext: SolverContext) {
    self.survey = survey
    self.mode = mode
    self.held = held
    self.solverContext = solverContext
    weekCells = Self.weekCells(survey, mode, held)
  }

  /// Returns instants of the week at which the analyses evaluate schedules.
  ///
  /// At each instant, no schedule has changed within the look-back window, or all other facts have changed
  /// together with the schedule.
  private static func weekCells(_ survey: Survey, _ mode: Mode, _ held: Int64) -> [(
    now: Int64, earlier: Int64
  )] {
    guard !survey.schedules.isEmpty else { return [] }
    let stretches = WeekTime(survey.schedules).stretches
    let back =
      mode == .loose ? 0 : mode == .fresh ? held : held.addingReportingOverflow(survey.reach).partialValue
    guard back >= 0 else { return [] }
    var cells: [(now: Int64, earlier: Int64)] = []
    for stretch in stretches where stretch.length > back || stretches.count == 1 {
      let now = stretches.count == 1 ? 0 : back + (stretch.length - back) / 2
      cells.append((stretch.time(after: now), stretch.from))
    }
    guard mode == .turned, stretches.count > 1 else { return cells }
    for (number, stretch) in stretches.enumerated() where stretch.length > held {
      let before = stretches[(number + stretches.count - 1) % stretches.count]
      guard before.length > survey.reach else { continue }
      cells.append((stretch.time(after: held), before.time(after: before.length - 1)))
    }
    return cells
  }

  // MARK: Variables

  /// Returns the index of a variable; creates the variable with `cells` when it does not exist.
  mutating func number(of unknown: Unknown, _ cells: () -> [Double]) -> Int {
    if let number = numbers[unknown] { return number }
    numbers[unknown] = variables.count
    variables.append(Variable(unknown: unknown, cells: cells()))
    return variables.count - 1
  }

  /// Returns the index of a variable; nil when the variable does not exist.
  func existing(_ unknown: Unknown) -> Int? { numbers[unknown] }

  private mutating func number(of leaf: Leaf, isEarlier: Bool) -> Int {
    let unknown = isEarlier ? Unknown.earlier(leaf) : .leaf(leaf)
    if let number = numbers[unknown] { return number }
    let isReversed = isReversed
    let fresh = cells(leaf, (survey.limits[leaf] ?? []).sorted())
    return number(of: unknown) { isReversed ? fresh.reversed() : fresh }
  }

  private func cells(_ leaf: Leaf, _ limits: [Double]) -> [Double] {
    let positive = 0...Double.greatestFiniteMagnitude
    switch leaf {
    case .fact(let path):
      guard let schema = vocabulary.schema(path) else {
        // A fact without a schema exists only in per-demand rules and may have any value.
        return ConditionSpace.cells(Set(limits + [0, 1]).sorted(), within: nil) + [.nan]
      }
      let unknown: [Double] = solverContext.neverUnknown.contains(path) ? [] : [.nan]
      switch schema.type {
      case .boolean: return [1, 0] + unknown
      case .symbol(let words): return words.indices.map(Double.init) + unknown
      case .quantity: return ConditionSpace.cells(limits, within: schema.range) + unknown
      }
    case .window(let function, _, _):
      let isCount = function.countsValues
      return ConditionSpace.cells(limits, within: isCount ? positive : nil) + (isCount ? [] : [.nan])
    case .age(let path):
      // The value of the fact is known up to its maximum age, so this age separates two cells.
      let maxAge = solverContext.maxAge(path).map { Double($0.nanoseconds) }
      let all = Set(limits + [maxAge].compactMap(\.self)).sorted()
      return ConditionSpace.cells(all, within: positive) + [.nan]
    case .demanded, .schedule, .memory: return [1, 0]
    case .outcome: return [1, 0, .nan]
    }
  }

  // MARK: Atoms

  func atom(_ number: Int, _ truth: (Double) -> TruthSet) -> Formula {
    .atom(number, variables[number].cells.map(truth))
  }

  /// Returns the formula of a leaf at a moment. `truth` maps each value of the leaf to truth values.
  mutating func atom(_ leaf: Leaf, at moment: Moment, _ truth: (Double) -> TruthSet) -> Formula {
    guard mode != .loose else { return variable(leaf, isEarlier: false, truth) }
    if moment != .after(0), solverContext.pulses.contains(where: { $0.pulse == leaf }) {
      return .constant(truth(0))
    }
    guard case .after(let time) = moment else {
      switch leaf {
      case .fact, .demanded: return variable(leaf, isEarlier: true, truth)
      default: return .constant(.any)
      }
    }
    switch leaf {
    case .fact(let path):
      if survey.aged.contains(path), let maxAge = solverContext.maxAge(path), time > maxAge.nanoseconds {
        return .constant(truth(.nan))
      }
      return variable(leaf, isEarlier: false, truth)
    case .age(let path):
      return variable(.fact(path), isEarlier: false) { truth($0.isNaN ? .nan : Double(time)) }
    case .window(let function, let path, let span):
      guard time == 0, mode == .fresh else { return .constant(.any) }
      return variable(.fact(path), isEarlier: false) { truth(function.ofOne($0, over: span)) }
    default: return variable(leaf, isEarlier: false, truth)
    }
  }

  private mutating func variable(_ leaf: Leaf, isEarlier: Bool, _ truth: (Double) -> TruthSet) -> Formula {
    let number = number(of: leaf, isEarlier: isEarlier)
    return atom(number, truth)
  }
}

extension WindowFunction {
  /// Returns the result of the function for a window with one value. A `value` of NaN stands for an empty
  /// window; a result of NaN means unknown.
  fileprivate func ofOne(_ value: Double, over span: TimeSpan) -> Double {
    switch self {
    case .avg, .min, .max: value
    case .spread: value.isNaN ? .nan : 0
    case .trend: .nan
    case .count: value.isNaN ? 0 : 1
    case .rate: value.isNaN ? 0 : 1 / span.seconds
    }
  }
}
