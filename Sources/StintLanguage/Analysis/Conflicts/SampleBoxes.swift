import StintModel
import StintUnits

/// The ranges of single facts that conditions allow: a fast test of whether a sample excludes a condition.
struct SampleBoxes {
  /// A fact and the range of values that a condition allows.
  private struct Side {
    var fact: Int
    var low: Double
    var high: Double
  }

  /// The constraints of one condition.
  private struct Box {
    /// The index of the condition's first side. The sides from `steady` to `end` apply only when no fact has
    /// changed since the policies were loaded.
    var start: Int
    var steady: Int
    var end: Int
    /// The shortest time, in nanoseconds, for which facts must be unchanged to make the condition true. It
    /// applies only to samples with `unchangedFor`.
    var wait: Int64
    /// True when the condition has parts that sides and `wait` do not express.
    var isOpen: Bool
  }

  private(set) var numbers: [String: Int] = [:]
  /// The indices of facts that are never unknown, such as `on` of a device.
  private let neverUnknown: [Int]
  private var sides: [Side] = []
  private var boxes: [Box] = []
  /// The parts of each condition that sides and `wait` do not express.
  private let rest: [[CheckedExpression]]

  /// Splits conditions without source positions into their constraints; nil is a condition without
  /// constraints.
  init(_ conditions: [CheckedExpression?], _ solverContext: SolverContext) {
    var rest: [[CheckedExpression]] = []
    for condition in conditions {
      var parts = SampleBoxParts()
      if let condition { parts.add(condition, isSteady: false) }
      let start = sides.count
      for isSteady in [false, true] {
        for side in parts.sides where side.isSteady == isSteady {
          let fact = numbers[side.path] ?? numbers.count
          numbers[side.path] = fact
          sides.append(Side(fact: fact, low: side.low, high: side.high))
        }
      }
      let steady = start + parts.sides.count { !$0.isSteady }
      boxes.append(
        Box(start: start, steady: steady, end: sides.count, wait: parts.wait, isOpen: !parts.rest.isEmpty))
      rest.append(parts.rest)
    }
    self.rest = rest
    neverUnknown = numbers.filter { solverContext.neverUnknown.contains($0.key) }.map(\.value).sorted()
  }

  /// Returns the sample as a point, which has a range of values for each fact.
  func point(of sample: Sample) -> SamplePoint {
    var point = SamplePoint(
      lows: [Double](repeating: .infinity, count: numbers.count),
      highs: [Double](repeating: -.infinity, count: numbers.count), unchangedFor: sample.unchangedFor)
    for number in neverUnknown { (point.lows[number], point.highs[number]) = (-.infinity, .infinity) }
    for (path, value) in sample.facts {
      guard let number = numbers[path] else { continue }
      (point.lows[number], point.highs[number]) = value.isNaN ? (.infinity, -.infinity) : (value, value)
    }
    return point
  }

  /// Returns true when the sides of the condition at this index allow the point. The remaining parts of the
  /// condition are not tested.
  func allow(_ number: Int, _ point: borrowing SamplePoint) -> Bool {
    let box = boxes[number]
    let end = point.unchangedFor == nil ? box.steady : box.end
    for place in box.start..<end {
      let side = sides[place]
      guard point.lows[side.fact] <= side.high, point.highs[side.fact] >= side.low else { return false }
    }
    return point.unchangedFor.map { box.wait <= $0 } ?? true
  }

  /// Returns true when the sample allows the remaining parts of the condition.
  func allowRest(_ number: Int, _ sample: () -> Sample) -> Bool {
    guard boxes[number].isOpen else { return true }
    let sample = sample()
    return rest[number].allSatisfy(sample.allows)
  }
}

/// The conjuncts of one condition, collected as sides, a wait and remaining parts.
private struct SampleBoxParts {
  var sides: [(path: String, low: Double, high: Double, isSteady: Bool)] = []
  var wait: Int64 = 0
  var rest: [CheckedExpression] = []

  /// Adds a part. If `isSteady` is true, the part applies only when no fact has changed since the policies
  /// were loaded.
  mutating func add(_ condition: CheckedExpression, isSteady: Bool) {
    switch condition.kind {
    case .and(let operands): for operand in operands { add(operand, isSteady: isSteady) }
    case .fact(let path): add(path, .leastNonzeroMagnitude, .infinity, isSteady)
    case .not(let operand):
      guard case .fact(let path) = operand.kind else { return addRest(condition, isSteady) }
      add(path, 0, 0, isSteady)
    case .known(let path): add(path, -.infinity, .infinity, isSteady)
    case .compare(let operation, let left, let right):
      addComparison(condition, operation, left, right, isSteady)
    case .oneOf(let operand, let values): addChoice(condition, operand, values.map(\.number), isSteady)
    case .latch(let side, let value, let threshold, let release):
      guard case .fact(let path) = value.kind, let end = release.constantNumber,
        let limit = threshold.constantNumber
      else { return addRest(condition, isSteady) }
      // A latch (a comparison with a `release`) may still be true up to its release limit. When its fact has
      // never changed, the latch is true only beyond its threshold.
      if side == .below {
        add(path, -.infinity, end, isSteady)
        add(path, -.infinity, limit.nextDown, true)
      } else {
        add(path, end, .infinity, isSteady)
        add(path, limit.nextUp, .infinity, true)
      }
    case .heldFor(let operand, let span, let tolerate):
      // A `for` with `tolerate` can be true while its operand is unknown. So the operand restricts only
      // samples in which all facts are unchanged.
      if tolerate == nil || operand.isSteady { add(operand, isSteady: isSteady || tolerate != nil) }
      if operand.isSteady { wait = max(wait, span.nanoseconds) }
    case .inLast(let operand, _): if operand.isSteady { add(operand, isSteady: true) }
    case .age, .window: break
    default: addRest(condition, isSteady)
    }
  }

  /// Adds a part that sides cannot express, or drops a part that applies only to unchanged facts.
  private mutating func addRest(_ condition: CheckedExpression, _ isSteady: Bool) {
    if !isSteady { rest.append(condition) }
  }

  private mutating func addChoice(
    _ condition: CheckedExpression, _ operand: CheckedExpression, _ values: [Double], _ isSteady: Bool
  ) {
    guard case .fact(let path) = operand.kind, let low = values.min(), let high = values.max() else {
      return addRest(condition, isSteady)
    }
    add(path, low, high, isSteady)
    // Symbols are integers: no value lies between neighbours.
    if case .symbol = operand.type, high - low + 1 == Double(Set(values).count) { return }
    addRest(condition, isSteady)
  }

  private mutating func addComparison(
    _ condition: CheckedExpression, _ operation: Comparison, _ left: CheckedExpression,
    _ right: CheckedExpression, _ isSteady: Bool
  ) {
    guard case .fact(let path) = left.kind, case .constant(let value) = right.kind, !value.number.isNaN else {
      return addRest(condition, isSteady)
    }
    let limit = value.number
    switch operation {
    case .less: add(path, -.infinity, limit.nextDown, isSteady)
    case .lessOrEqual: add(path, -.infinity, limit, isSteady)
    case .greater: add(path, limit.nextUp, .infinity, isSteady)
    case .greaterOrEqual: add(path, limit, .infinity, isSteady)
    case .equal: add(path, limit, limit, isSteady)
    case .notEqual: addRest(condition, isSteady)
    }
  }

  private mutating func add(_ path: String, _ low: Double, _ high: Double, _ isSteady: Bool) {
    sides.append((path, low, high, isSteady))
  }
}
