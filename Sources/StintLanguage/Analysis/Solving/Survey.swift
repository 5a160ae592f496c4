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
      if case .rests = claim.mode { remembers = true }
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

  private mutating func look(back span: TimeSpan) {
    remembers = true
    let (sum, isTooFar) = reach.addingReportingOverflow(span.nanoseconds)
    reach = isTooFar ? .max : sum
  }

  private mutating func note(_ condition: CheckedExpression, of policy: String) {
    switch condition.kind {
    case .fact(let path), .known(let path): note(.fact(path))
    case .compare(_, let left, let right):
      if let (number, limit) = ConditionSpace.sides(left, right), let leaf = number.leaf {
        note(leaf, number.crossing(limit))
      } else if ConditionSpace.constantTruth(condition) == nil {
        open = open ?? "a comparison of more than one fact"
      }
    case .latch(_, let value, let threshold, let release):
      remembers = true
      guard let number = value.affine, let leaf = number.leaf, let limit = threshold.constantNumber,
        let end = release.constantNumber
      else {
        open = open ?? "a latch whose limits move"
        return
      }
      note(leaf, number.crossing(limit))
      note(leaf, number.crossing(end))
    case .inSchedule(let index):
      guard let list = known[policy], list.indices.contains(index), !schedules.contains(list[index]) else {
        return
      }
      schedules.append(list[index])
    case .age(let path, _, let span):
      remembers = true
      aged.insert(path)
      note(.fact(path))
      note(.age(path), Double(span.nanoseconds))
    case .demanded(let device): note(.demanded(device))
    case .window(let function, let path, let span): note(.window(function, path, span))
    case .heldFor(let operand, let span, _), .inLast(let operand, let span):
      look(back: span)
      note(operand, of: policy)
    case .oneOf(let operand, let values):
      guard case .fact(let path) = operand.kind else { return note(operand, of: policy) }
      for value in values { note(.fact(path), value.number) }
    case .constant, .not, .negate, .and, .or, .implies, .arithmetic:
      for child in condition.children { note(child, of: policy) }
    }
  }
}
