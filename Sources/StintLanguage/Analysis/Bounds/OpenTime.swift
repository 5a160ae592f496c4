import StintModel
package import StintUnits

/// An upper bound on the time in which a condition is true within any 24 hours.
package struct OpenTime: Hashable, Sendable {
  /// The sum of all intervals; at most 24 hours.
  package var span: TimeSpan
  /// The number of separate intervals.
  package var intervals: Int64

  /// The value of `intervals` when no bound on the number of intervals is known.
  static let uncounted: Int64 = 1 << 40
  static let never = OpenTime(span: .zero, intervals: 0)

  /// Returns the bound on the time in which at least one of two conditions is true.
  static func + (left: OpenTime, right: OpenTime) -> OpenTime {
    OpenTime(
      span: min(left.span + right.span, .hours(24)),
      intervals: min(left.intervals + right.intervals, Self.uncounted))
  }

  /// Returns the bound after each interval becomes longer by `span`.
  func extended(by span: TimeSpan) -> OpenTime {
    OpenTime(
      span: min(self.span + span.times(intervals, capped: .hours(24)), .hours(24)), intervals: intervals)
  }
}

/// Computes for how long conditions can be true in a day, from schedules and from states that end by
/// themselves. The bound assumes that the wall clock is not set, and that the end of daylight saving time
/// repeats one hour between 22:00 and 04:00.
struct OpenTimes {
  private static let day = TimeSpan.hours(24)
  /// The longest chain of state machines that the search follows; machines can depend on each other in a
  /// cycle.
  private static let maxDepth = 4

  let policies: [CheckedPolicy]
  let facts: FactRate

  /// Returns the bound for the time in which a condition has the value `wanted`. Nil when the search finds no
  /// bound: the condition may have this value all day.
  func bound(_ part: CheckedExpression, _ wanted: Bool, in policy: CheckedPolicy, depth: Int = 0) -> OpenTime?
  {
    guard depth < Self.maxDepth else { return nil }
    func bounds(_ parts: [CheckedExpression], _ wanted: Bool) -> [OpenTime?] {
      parts.map { bound($0, wanted, in: policy, depth: depth) }
    }
    switch part.kind {
    case .constant(.boolean(let value)) where value != wanted: return .never
    case .not(let operand): return bound(operand, !wanted, in: policy, depth: depth)
    case .and(let operands) where wanted, .or(let operands) where !wanted:
      return Self.all(bounds(operands, wanted))
    case .and(let operands), .or(let operands): return Self.any(bounds(operands, wanted))
    case .heldFor(let operand, _, _) where wanted: return bound(operand, true, in: policy, depth: depth)
    case .inLast(let operand, let span) where wanted:
      return bound(operand, true, in: policy, depth: depth)?.extended(by: span)
    case .inSchedule(let index) where policy.schedules.indices.contains(index):
      return policy.schedules[index].openTime(wanted)
    case .oneOf(let operand, let values) where wanted:
      guard let machine = operand.path, policy.moves.contains(where: { $0.machine == machine }) else {
        return nil
      }
      return Self.any(values.map { dwell($0, of: machine, in: policy, depth: depth + 1) })
    default: return nil
    }
  }

  /// Returns the bound for conditions that must all be true; nil when none of the conditions has a bound.
  /// Each interval of the result begins when one of the conditions becomes true.
  private static func all(_ bounds: [OpenTime?]) -> OpenTime? {
    // A condition without a bound can become true any number of times, so it can divide the intervals of the
    // other conditions.
    let known = bounds.compactMap(\.self)
    guard let span = known.map(\.span).min() else { return nil }
    let isWhole = known.count == bounds.count
    return OpenTime(
      span: span, intervals: isWhole ? known.reduce(.never, +).intervals : OpenTime.uncounted)
  }

  private static func any(_ bounds: [OpenTime?]) -> OpenTime? {
    bounds.contains(nil) ? nil : bounds.compactMap(\.self).reduce(.never, +)
  }

  /// Returns the bound for a state that the machine leaves after a fixed time; nil for every other state.
  private func dwell(
    _ state: FactValue, of machine: String, in policy: CheckedPolicy, depth: Int
  ) -> OpenTime? {
    guard case .symbol(let state) = state, let steps = MachineStep.all(of: machine, in: policy),
      // A transition into its own source state can restart the time.
      !steps.contains(where: { $0.source == state && $0.target == state }),
      let longest = steps.filter({ $0.source == state })
        .compactMap({ $0.longestStay(in: machine) }).min()
    else { return nil }
    // The machine may be in the state at the beginning of the day.
    let first = OpenTime(span: longest, intervals: 1)
    let entries = steps.filter { $0.target == state }
    let byCondition = Self.any(
      entries.map { bound($0.written, true, in: policy, depth: depth)?.extended(by: longest) })
    var byRate: OpenTime?
    if case .atMost(let hourly)? = facts.machines[machine] {
      let count = Int64(hourly) * 24 + 1
      byRate = OpenTime(span: longest.times(count, capped: Self.day), intervals: count)
    }
    let bounds = [byCondition, byRate].compactMap(\.self)
    return bounds.min { $0.span < $1.span }.map { $0 + first }
  }
}

extension MachineStep {
  /// The time after which the machine has left the source state, by this transition or an earlier one. Nil
  /// when the time in the state alone cannot cause the transition.
  fileprivate func longestStay(in machine: String) -> TimeSpan? {
    let alternatives: [CheckedExpression]
    if case .or(let operands) = written.kind { alternatives = operands } else { alternatives = [written] }
    return alternatives.compactMap { part -> TimeSpan? in
      guard case .heldFor(let operand, let span, _) = part.kind else { return nil }
      switch operand.kind {
      case .constant(.boolean(true)): return span
      case .oneOf(let fact, let values) where fact.path == machine && values.contains(.symbol(source)):
        return span
      default: return nil
      }
    }.min()
  }
}

extension CheckedSchedule {
  /// Returns the longest time inside of the schedule, or outside of it, within any 24 hours.
  func openTime(_ isInside: Bool) -> OpenTime {
    let hour = TimeSpan.hours(1).nanoseconds
    let stretches = WeekTime([self]).stretches.filter { contains($0.from) == isInside }
    // The stretches (intervals) of the weeks before and after are added, so that a day may cross the end of
    // the week.
    var all: [Range<Int64>] = []
    for week in -1...1 as ClosedRange<Int64> {
      for stretch in stretches {
        let from = stretch.from + week * WeekTime.week
        all.append(from..<from + stretch.length)
      }
    }
    func open(_ from: Int64, _ to: Int64) -> (span: Int64, count: Int64) {
      let parts = all.map { $0.clamped(to: from..<to).count }.filter { $0 > 0 }
      return (Int64(parts.reduce(0, +)), Int64(parts.count))
    }
    var most = (span: Int64(0), count: Int64(0))
    // The day with the longest time begins with a stretch or ends with one.
    for stretch in stretches {
      for from in [stretch.from, stretch.from + stretch.length - WeekTime.day] {
        let day = open(from, from + WeekTime.day)
        most = (max(most.span, day.span), max(most.count, day.count))
      }
    }
    let nights = (0..<7).map { day in
      open(Int64(day) * WeekTime.day - 2 * hour, Int64(day) * WeekTime.day + 4 * hour).span
    }
    let repeated = min(hour, nights.max() ?? 0)
    return OpenTime(
      span: TimeSpan(nanoseconds: min(most.span + repeated, WeekTime.day)), intervals: most.count + 1)
  }
}
