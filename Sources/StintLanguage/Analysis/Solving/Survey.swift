import StintModel
import StintUnits

/// What some conditions read, and where they cut it.
struct Survey {
  /// By leaf: the limits it is compared with.
  private(set) var limits: [Leaf: Set<Double>] = [:]
  /// Facts whose age is asked.
  private(set) var aged: Set<String> = []
  /// The schedules that are named, each once.
  private(set) var schedules: [CheckedSchedule] = []
  /// Whether the truth of some part depends on what was before.
  private(set) var remembers = false
  /// Something that is not worked out, in words; nil for nothing.
  private(set) var open: String?
  /// All spans that parts look back, one after the other.
  private(set) var reach: Int64 = 0

  private let known: [String: [CheckedSchedule]]

  init(_ claims: [Claim], schedules known: [String: [CheckedSchedule]]) {
    self.known = known
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
    open = open ?? "what \(function.rawValue)(\(path), \(span)) comes to"
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
    if let question = condition.question {
      note(question, of: condition)
      return
    }
    switch condition.kind {
    case .compare:
      if ConditionSpace.constantTruth(condition) == nil {
        open = open ?? "a comparison of more than one fact"
      }
    case .latch:
      remembers = true
      guard let question = condition.latchQuestion else {
        open = open ?? "a latch whose limits move"
        return
      }
      for limit in question.limits { note(question.leaf, limit) }
    case .inSchedule(let index):
      guard let list = known[policy], list.indices.contains(index), !schedules.contains(list[index]) else {
        return
      }
      schedules.append(list[index])
    case .window(let function, let path, let span): note(.window(function, path, span))
    case .heldFor(let operand, let span, _), .inLast(let operand, let span):
      addLookBack(back: span)
      note(operand, of: policy)
    default: for child in condition.children { note(child, of: policy) }
    }
  }

  private mutating func note(_ question: LeafConstraint, of condition: CheckedExpression) {
    switch condition.kind {
    case .oneOf(_, let values): for value in values { note(question.leaf, value.number) }
    case .age(let path, _, _):
      remembers = true
      aged.insert(path)
      note(.fact(path))
      note(question.leaf, question.limit)
    default: note(question.leaf, question.limit)
    }
  }
}
