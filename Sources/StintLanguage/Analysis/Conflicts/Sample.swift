import StintModel
import StintUnits

/// Facts for which a condition is true at some moment. A sample can show quickly that the condition does not
/// imply another condition.
///
/// A fact that the sample does not name is unknown. Facts that are never unknown, such as `on` of a device,
/// are an exception: if the sample does not name them, they may have any value.
struct Sample {
  let solverContext: SolverContext
  /// The facts of the sample, each path once; usually few.
  private(set) var facts: [(path: String, value: Double)]
  private(set) var demanded: [DeviceID: Bool]

  /// The time of the week, in nanoseconds since Monday midnight.
  let weekTime: Int64
  /// The time, in nanoseconds, for which all facts have been unchanged since the policies were loaded. Nil
  /// when nothing is assumed about the past.
  private(set) var unchangedFor: Int64?

  /// Creates a sample from the facts of a witness; `weekTime` applies when the witness has no time.
  init(_ witness: Witness, or weekTime: Int64, _ solverContext: SolverContext) {
    self.weekTime = witness.weekTime?.nanoseconds ?? weekTime
    self.solverContext = solverContext
    facts = witness.readings.map { ($0.path, $0.value.number) }
    demanded = Dictionary(
      witness.demands.map { ($0.device, $0.isDemanded) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns a copy of the sample in which the device, if one is given, is demanded.
  func demanding(_ device: DeviceID?) -> Sample {
    var sample = self
    if let device { sample.demanded[device] = true }
    return sample
  }

  /// Returns a copy with each value next to a limit, where other conditions are likely to change.
  ///
  /// When `isLower` is true, this is the nearest limit below the value. Otherwise it is the nearest limit
  /// above the value. If there is no limit on this side, the nearest limit on the other side is used. A value
  /// stays unchanged when it is a limit itself, or when its fact has no limits. In the copy, all facts have
  /// been unchanged for exactly the time that the condition needs.
  ///
  /// - Returns: nil when the condition is not true with the changed values.
  func close(to limits: [Leaf: Set<Double>], fromBelow isLower: Bool, for condition: CheckedExpression)
    -> Sample?
  {
    var sample = self
    sample.unchangedFor = condition.longestWait
    for (number, (path, value)) in facts.enumerated() where !value.isNaN {
      guard let limits = limits[.fact(path)], !limits.isEmpty, !limits.contains(value) else { continue }
      let lower = limits.filter { $0 < value }.max()?.nextUp
      let upper = limits.filter { $0 > value }.min()?.nextDown
      sample.facts[number].value = (isLower ? lower ?? upper : upper ?? lower) ?? value
    }
    return sample.truths(of: condition) == .yes ? sample : nil
  }

  /// Returns true when both samples have equal contents.
  func isLike(_ other: Sample) -> Bool {
    facts.elementsEqual(other.facts, by: ==) && demanded == other.demanded && weekTime == other.weekTime
      && unchangedFor == other.unchangedFor
  }

  /// Returns true when a condition without source positions may be true. Stops at the first part that
  /// determines the result.
  func allows(_ condition: CheckedExpression) -> Bool {
    switch condition.kind {
    case .and(let operands): operands.allSatisfy(allows)
    case .or(let operands): operands.contains(where: allows)
    default: truths(of: condition).contains(.yes)
    }
  }

  /// Returns the possible truth values of a condition without source positions.
  func truths(of condition: CheckedExpression) -> TruthSet {
    var domain = self
    return domain.value(of: condition, at: ())
  }

  private func atom(_ path: String, _ truth: (Double) -> TruthSet) -> TruthSet {
    if let fact = facts.first(where: { $0.path == path }) { return truth(fact.value) }
    return solverContext.neverUnknown.contains(path) ? .any : truth(.nan)
  }
}

extension Sample: ConditionDomain {
  func negated(_ value: TruthSet) -> TruthSet { value.negated }
  func all(_ values: [TruthSet]) -> TruthSet { values.reduce(.yes) { $0.and($1) } }
  func any(_ values: [TruthSet]) -> TruthSet { values.reduce(.no) { $0.or($1) } }

  func leaf(_ condition: CheckedExpression, at context: Void) -> TruthSet {
    if let constraint = condition.leafConstraint {
      switch constraint.leaf {
      case .fact(let path): return atom(path, constraint.truth)
      case .demanded(let device): return demanded[device].map { $0 ? .yes : .no } ?? [.yes, .no]
      default: return .any
      }
    }
    switch condition.kind {
    case .constant(let value): return ConditionSpace.truth(of: value.number)
    case .compare: return ConditionSpace.constantTruth(condition) ?? .any
    case .latch: return latch(condition)
    case .heldFor(let operand, let span, let tolerate):
      if tolerate != nil && (unchangedFor == nil || !operand.isSteady) { return .any }
      let now = truths(of: operand)
      guard now.contains(.yes) else { return now }
      guard let unchangedFor, operand.isSteady else { return now.union(.no) }
      return span.nanoseconds <= unchangedFor ? now : now.subtracting(.yes).union(.no)
    case .inLast(let operand, _): return unchangedFor != nil && operand.isSteady ? truths(of: operand) : .any
    case .inSchedule(let index):
      guard let list = solverContext.schedules[SolverContext.all], list.indices.contains(index) else {
        return .any
      }
      return list[index].contains(weekTime) ? .yes : .no
    default: return .any
    }
  }

  private func latch(_ condition: CheckedExpression) -> TruthSet {
    guard let constraint = condition.latchConstraint, case .fact(let path) = constraint.leaf else {
      return .any
    }
    // While no fact has changed since the policies were loaded, a latch (a comparison with a `release`) is
    // true exactly when its value is beyond the threshold.
    if unchangedFor != nil { return atom(path, constraint.isSetting) }
    return atom(path) { value in
      let isOver = constraint.isOver(value)
      return isOver == .yes ? .no : isOver == .unknown ? .unknown : [.yes, .no]
    }
  }
}

extension CheckedExpression {
  /// True when the value of the condition stays constant as long as no fact changes after the policies are
  /// loaded.
  var isSteady: Bool {
    switch kind {
    case .heldFor, .inLast, .window, .age, .inSchedule: false
    default: children.allSatisfy(\.isSteady)
    }
  }

  /// The time, in nanoseconds, for which facts must stay unchanged for every `for` in the condition to become
  /// true.
  fileprivate var longestWait: Int64 {
    fold { part, waits in
      let longest = waits.max() ?? 0
      guard case .heldFor(_, let span, _) = part.kind else { return longest }
      return longest.addingReportingOverflow(span.nanoseconds).partialValue
    }
  }
}
