import StintModel
import StintUnits

/// Computes how often the conditions of a policy change their value.
struct ConditionRate {
  let facts: FactRate
  let schedules: [CheckedSchedule]

  /// How often, within any one hour, a condition becomes true and how often it becomes false. Changes to
  /// unknown are not counted.
  struct ChangeRate {
    var toTrue: RateBound
    var toFalse: RateBound

    static let never = ChangeRate(toTrue: .never, toFalse: .never)
    static func both(_ pace: RateBound) -> ChangeRate { ChangeRate(toTrue: pace, toFalse: pace) }

    static func sum(_ rates: [ChangeRate]) -> ChangeRate {
      ChangeRate(toTrue: .sum(rates.map(\.toTrue)), toFalse: .sum(rates.map(\.toFalse)))
    }
  }

  func changeRate(of condition: CheckedExpression) -> ChangeRate {
    var domain = self
    return domain.value(of: condition, at: ())
  }

  /// Returns an upper bound on how often a condition becomes true, and on how often it becomes false.
  ///
  /// The condition changes only when one of its facts changes. After it becomes true, it must become false or
  /// unknown before it can become true again. So each bound is half of the number of changes of the facts.
  func byFacts(_ condition: CheckedExpression) -> RateBound { events(condition).halved }

  /// Returns the rate of events that may change the condition. Unbounded when time alone or a continuous fact
  /// can change the condition.
  private func events(_ condition: CheckedExpression) -> RateBound {
    var events = RateBound.never
    var onlyPublished = true
    var seen: Set<String> = []
    condition.visit { part in
      switch part.kind {
      case .fact(let path), .known(let path):
        if facts.isContinuous(path) { onlyPublished = false }
        if seen.insert(path).inserted { events = events + facts.changes(of: path).all }
      case .demanded(let device): events = events + facts.demandChanges(of: device)
      case .heldFor, .inLast, .age, .window, .inSchedule: onlyPublished = false
      default: break
      }
    }
    return onlyPublished ? events : .unbounded("")
  }

  /// Returns the rate at which a comparison becomes true. The comparison becomes false at most at this rate.
  ///
  /// A comparison changes only when a fact that it reads changes. At most half of these changes make the
  /// comparison true.
  func comparison(_ condition: CheckedExpression) -> RateBound {
    if let path = condition.onlyPath, !facts.isContinuous(path) { return facts.changes(of: path).all.halved }
    var events = RateBound.never
    var seen: Set<CheckedExpression.Kind> = []
    var continuous: String?
    condition.visit { part in
      guard seen.insert(part.kind).inserted else { return }
      switch part.kind {
      case .fact(let path):
        events = events + facts.changes(of: path).all
        if facts.isContinuous(path) { continuous = path }
      case .window(_, let path, _): events = events + facts.windowChanges(of: path)
      default: break
      }
    }
    // A continuously rising value passes a fixed limit only once, but may pass a moving limit many times.
    if let continuous, !isOneLimit(condition) {
      return .unbounded("\(continuous) may pass a moving limit at any rate")
    }
    return events.halved
  }

  private func isOneLimit(_ condition: CheckedExpression) -> Bool {
    switch condition.kind {
    case .compare(let operation, let left, let right):
      operation != .equal && operation != .notEqual && ConditionSpace.sides(left, right)?.number.leaf != nil
    case .latch(_, let value, let threshold, let release):
      value.affine?.leaf != nil && threshold.constantNumber != nil && release.constantNumber != nil
    default: false
    }
  }

  /// Returns the rates of `for`.
  ///
  /// A `for` becomes true at most once for each time that its operand becomes true, and at most once per
  /// span.
  private func held(_ operand: ChangeRate, _ events: RateBound, _ span: TimeSpan) -> ChangeRate {
    if operand.toTrue.isNever && operand.toFalse.isNever {
      return ChangeRate(toTrue: .atMost(1), toFalse: .never)
    }
    let spaced = RateBound.spaced(span, else: "a “for” of 0 s")
    let toTrue = RateBound.min(spaced, operand.toTrue + .atMost(1))
    // A `for` may become false more often than it becomes true. Each time its operand changes from unknown to
    // a known value, the `for` changes from unknown to false, because its span begins only then.
    return ChangeRate(
      toTrue: toTrue,
      toFalse: .min(operand.toTrue + operand.toFalse, events.halved + toTrue + .atMost(1)))
  }

  /// Returns the rates of `in last`.
  ///
  /// An `in last` stays true for its span after its operand was true, so it becomes true at most once per
  /// span.
  private func remembered(_ operand: ChangeRate, _ events: RateBound, _ span: TimeSpan) -> ChangeRate {
    let spaced = RateBound.spaced(span, else: "a span of 0 s")
    let toTrue = RateBound.min(spaced, operand.toTrue + .atMost(1))
    return ChangeRate(
      toTrue: toTrue,
      toFalse: .min(operand.toTrue + operand.toFalse + .atMost(2), events.halved + toTrue + .atMost(1)))
  }
}

extension ConditionRate: ConditionDomain {
  func negated(_ value: ChangeRate) -> ChangeRate { ChangeRate(toTrue: value.toFalse, toFalse: value.toTrue) }
  func all(_ values: [ChangeRate]) -> ChangeRate { .sum(values) }
  func any(_ values: [ChangeRate]) -> ChangeRate { .sum(values) }

  func refined(_ value: ChangeRate, of part: CheckedExpression) -> ChangeRate {
    let most = byFacts(part)
    return ChangeRate(toTrue: .min(value.toTrue, most), toFalse: .min(value.toFalse, most))
  }

  func leaf(_ condition: CheckedExpression, at context: Void) -> ChangeRate {
    switch condition.kind {
    case .fact(let path), .known(let path): return .both(facts.changes(of: path).changeRate)
    case .compare, .latch, .oneOf: return .both(comparison(condition))
    case .inSchedule(let index):
      let starts = schedules.indices.contains(index) ? schedules[index].maxStarts : 1
      return .both(.atMost(starts))
    case .heldFor(let operand, let span, _): return held(changeRate(of: operand), events(operand), span)
    case .inLast(let operand, let span): return remembered(changeRate(of: operand), events(operand), span)
    case .age(let path, let operation, let span):
      // An age reaches the limit only after the whole span without a new value. Each new value resets the
      // age.
      let old = RateBound.spaced(span, else: "an age of 0 s")
      let young = facts.changes(of: path).all
      let grows = operation == .greater || operation == .greaterOrEqual
      return grows ? ChangeRate(toTrue: old, toFalse: young) : ChangeRate(toTrue: young, toFalse: old)
    // The bound counts only the demands of rules. It assumes that the demands of clients do not change.
    case .demanded(let device):
      let begins = facts.demandBegins[device] ?? .never
      return begins.isNever ? .never : ChangeRate(toTrue: begins, toFalse: begins + .atMost(1))
    default: return .never
    }
  }
}

extension CheckedExpression {
  /// The path of the fact that a comparison, with or without `release`, compares with constants. Nil for any
  /// other condition.
  fileprivate var onlyPath: String? {
    switch kind {
    case .compare(_, let value, let limit):
      guard case .fact(let path) = value.kind, case .constant = limit.kind else { return nil }
      return path
    case .latch(_, let value, let threshold, let release):
      guard case .fact(let path) = value.kind, case .constant = threshold.kind, case .constant = release.kind
      else { return nil }
      return path
    default: return nil
    }
  }
}

extension CheckedSchedule {
  /// An upper bound on the number of windows that begin, and of windows that end, within any one hour.
  var maxStarts: Int {
    let day: Int64 = 86_400_000_000_000
    let hour: Int64 = 3_600_000_000_000
    func most(_ instants: [Int64]) -> Int {
      let all = instants.flatMap { [$0, $0 + 7 * day] }.sorted()
      var most = 0
      for (first, begin) in all.enumerated() {
        most = max(most, all[first...].prefix { $0 - begin <= hour }.count)
      }
      return most
    }
    var starts: [Int64] = []
    var ends: [Int64] = []
    for window in windows {
      for number in window.days.isEmpty ? Array(0..<7) : window.days {
        let from = Int64(number) * day + window.from.nanoseconds
        let length = window.to.nanoseconds - window.from.nanoseconds
        starts.append(from % (7 * day))
        ends.append((from + (length > 0 ? length : length + day)) % (7 * day))
      }
    }
    // One hour of local time occurs twice when daylight saving time ends.
    return 2 * max(most(starts), most(ends))
  }
}
