import StintModel
import StintUnits

/// The variables of one question, and what its conditions say of them.
struct SolverVariables {
  enum Mode {
    /// At one moment, whatever was before: says too often that something can be.
    case loose
    /// Everything is published as the policies are loaded, and then stands for a while.
    case fresh
    /// Everything is published long after something else was, and then stands for a while.
    case turned
  }

  /// The moment at which a condition is evaluated.
  enum Moment: Hashable {
    /// Just before everything was published for the last time.
    case earlier
    /// The given number of nanoseconds after that.
    case after(Int64)
  }

  enum Unknown: Hashable {
    case leaf(Leaf)
    case earlier(Leaf)
    /// What a part comes to that is not worked out.
    case outcome(CheckedExpression)
    case memory(CheckedExpression)
    case week
  }

  struct Variable {
    var unknown: Unknown
    /// A value of each cell; NaN is unknown.
    var cells: [Double]
  }

  let ground: SolverContext
  var vocabulary: Vocabulary { ground.vocabulary }
  let mode: Mode
  let survey: Survey
  /// How long everything has stood when the question is asked.
  let held: Int64
  /// By cell of the week: the time then, and just before everything was published.
  let weekCells: [(now: Int64, earlier: Int64)]
  /// Whether latches are variables, rather than what they remember.
  var keepsLatches = false
  /// Whether cells are tried from the last to the first.
  var isReversed = false
  private(set) var variables: [Variable] = []
  private var numbers: [Unknown: Int] = [:]
  var constraints: [Formula] = []
  /// Parts that look back, with their operands.
  var windowVariables: [(part: CheckedExpression, variable: Int)] = []

  init(_ survey: Survey, mode: Mode, held: Int64, ground: SolverContext) {
    self.survey = survey
    self.mode = mode
    self.held = held
    self.ground = ground
    weekCells = Self.weekCells(survey, mode, held)
  }

  /// Times of the week round which no schedule changes for as long as anybody looks back, or in whose turn everything
  /// else turns too.
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

  /// The number of a variable; new ones get these cells.
  mutating func number(of unknown: Unknown, _ cells: () -> [Double]) -> Int {
    if let number = numbers[unknown] { return number }
    numbers[unknown] = variables.count
    variables.append(Variable(unknown: unknown, cells: cells()))
    return variables.count - 1
  }

  /// The number of a variable that there is already.
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
        // What only a demand knows may be anything.
        return ConditionSpace.cells(Set(limits + [0, 1]).sorted(), within: nil) + [.nan]
      }
      let unknown: [Double] = ground.kept.contains(path) ? [] : [.nan]
      switch schema.type {
      case .boolean: return [1, 0] + unknown
      case .symbol(let words): return words.indices.map(Double.init) + unknown
      case .quantity: return ConditionSpace.cells(limits, within: schema.range) + unknown
      }
    case .window(let function, _, _):
      let isCount = function == .count || function == .rate
      return ConditionSpace.cells(limits, within: isCount ? positive : nil) + (isCount ? [] : [.nan])
    case .age: return ConditionSpace.cells(limits, within: positive) + [.nan]
    case .demanded, .schedule, .memory: return [1, 0]
    case .outcome: return [1, 0, .nan]
    }
  }

  // MARK: Atoms

  func atom(_ number: Int, _ truth: (Double) -> TruthSet) -> Formula {
    .atom(number, variables[number].cells.map(truth))
  }

  /// What is said of a leaf at a moment.
  mutating func atom(_ leaf: Leaf, at moment: Moment, _ truth: (Double) -> TruthSet) -> Formula {
    guard mode != .loose else { return variable(leaf, isEarlier: false, truth) }
    if moment != .after(0), ground.pulses.contains(where: { $0.pulse == leaf }) { return .constant(truth(0)) }
    guard case .after(let time) = moment else {
      switch leaf {
      case .fact, .demanded: return variable(leaf, isEarlier: true, truth)
      default: return .constant(.any)
      }
    }
    switch leaf {
    case .fact(let path):
      if survey.aged.contains(path), let maxAge = ground.maxAge(path), time > maxAge.nanoseconds {
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
  /// What it comes to where the window holds one value, or none when that is unknown.
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
