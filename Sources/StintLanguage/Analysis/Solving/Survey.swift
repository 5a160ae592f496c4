import StintModel
import StintUnits

/// The leaves in a set of claims, and the limits with which the claims compare each leaf. A leaf is, for
/// example, a fact or the age of a fact.
struct Survey {
  /// The limits that each leaf is compared with.
  private(set) var limits: [Leaf: Set<Double>] = [:]
  /// The paths of facts whose age is read.
  private(set) var aged: Set<String> = []
  /// The schedules in the conditions, each once.
  private(set) var schedules: [CheckedSchedule] = []
  /// True when the value of some part depends on the past.
  private(set) var remembers = false
  /// The first part of a condition that the analysis does not evaluate, as text for people. Nil when every
  /// part is evaluated.
  private(set) var unevaluatedPart: String?
  /// The sum of all look-back spans, in nanoseconds.
  private(set) var reach: Int64 = 0

  /// The schedules of each policy, by the policy's name.
  private let schedulesByPolicy: [String: [CheckedSchedule]]

  init(_ claims: [Claim], schedules schedulesByPolicy: [String: [CheckedSchedule]]) {
    self.schedulesByPolicy = schedulesByPolicy
    for claim in claims {
      if case .staysFalse = claim.mode { remembers = true }
      if let condition = claim.condition { note(condition, of: claim.policy) }
    }
  }

  private mutating func note(_ leaf: Leaf, _ limit: Double? = nil) {
    if let limit {
      limits[leaf, default: []].insert(limit)
    } else if limits[leaf] == nil {
      limits[leaf] = []
    }
    guard case .window(let function, let path, let span) = leaf else { return }
    remembers = true
    unevaluatedPart = unevaluatedPart ?? "the value of \(function.rawValue)(\(path), \(span))"
    switch function {
    case .avg, .min, .max: note(.fact(path), limit)
    case .trend, .spread, .rate, .count: note(.fact(path))
    }
  }

  private mutating func addLookBack(back span: TimeSpan) {
    remembers = true
    let (sum, isTooFar) = reach.addingReportingOverflow(span.nanoseconds)
    reach = isTooFar ? .max : sum
  }

  private mutating func note(_ condition: CheckedExpression, of policy: String) {
    if let constraint = condition.leafConstraint {
      note(constraint, of: condition)
      return
    }
    switch condition.kind {
    case .compare:
      if ConditionSpace.constantTruth(condition) == nil {
        unevaluatedPart = unevaluatedPart ?? "a comparison of more than one fact"
      }
    case .latch:
      remembers = true
      guard let constraint = condition.latchConstraint else {
        unevaluatedPart =
          unevaluatedPart ?? "a comparison with “release” that has several facts or variable limits"
        return
      }
      for limit in constraint.limits { note(constraint.leaf, limit) }
    case .inSchedule(let index):
      guard let list = schedulesByPolicy[policy], list.indices.contains(index),
        !schedules.contains(list[index])
      else { return }
      schedules.append(list[index])
    case .window(let function, let path, let span): note(.window(function, path, span))
    case .heldFor(let operand, let span, _), .inLast(let operand, let span):
      addLookBack(back: span)
      note(operand, of: policy)
    default: for child in condition.children { note(child, of: policy) }
    }
  }

  private mutating func note(_ constraint: LeafConstraint, of condition: CheckedExpression) {
    switch condition.kind {
    case .oneOf(_, let values): for value in values { note(constraint.leaf, value.number) }
    case .age(let path, _, _):
      remembers = true
      aged.insert(path)
      note(.fact(path))
      note(constraint.leaf, constraint.limit)
    default: note(constraint.leaf, constraint.limit)
    }
  }
}
