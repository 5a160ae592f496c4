import StintModel
import StintUnits

/// The facts that can still change while some devices are off.
///
/// `FactCourse` states how each fact behaves while devices are off. Clients can still withdraw their demands,
/// and schedules and state machines can still change.
struct OffDeviceFacts {
  let vocabulary: Vocabulary
  /// The devices that are off.
  var devices: Set<DeviceID>
  /// The states that each listed state machine can still have, by the path of its fact. A machine that is not
  /// listed can have any state.
  var states: [String: Set<Int>] = [:]

  /// True when the devices may have been off since the start. The facts of such devices were never published
  /// and have no age.
  var mayBeOffSinceStart = true

  /// The behaviour of a leaf while the devices are off.
  enum LeafBehavior {
    /// The leaf can take any of these values.
    case canBecome([Double])
    /// The leaf keeps one of these values.
    case fixed([Double])
  }

  /// Returns true when the fact keeps or gets a value that it cannot leave while the devices are off.
  func isFixed(_ path: String) -> Bool {
    if isOfClient(path) { return false }
    return switch course(of: path) {
    case .keeps, .settles: true
    case .varies, .rises, .neverTrue: false
    }
  }

  /// Returns the condition with the windows in its `for` parts as unknown, if these windows become empty. The
  /// last values of such a window do not last, so no `for` becomes true because of them.
  func withoutEmptyingWindows(_ condition: CheckedExpression, inFor: Bool = false) -> CheckedExpression {
    switch condition.kind {
    case .window(_, let path, _) where inFor && isFixed(path) && !condition.isObservation:
      CheckedExpression(kind: .constant(.unknown), type: condition.type, span: condition.span)
    case .heldFor: condition.map { withoutEmptyingWindows($0, inFor: true) }
    default: condition.map { withoutEmptyingWindows($0, inFor: inFor) }
    }
  }

  /// Returns true when the devices that are off limit the values that the fact can take.
  func isLimited(_ path: String) -> Bool { !isOfClient(path) && course(of: path) != .varies }

  /// Returns true when the condition reads only facts that cannot change while the devices are off.
  func isFixed(_ condition: CheckedExpression) -> Bool {
    var canChange = false
    condition.visit { part in
      switch part.kind {
      case .demanded, .inSchedule: canChange = true
      default: if let path = part.path, !isFixed(path) { canChange = true }
      }
    }
    return !canChange
  }

  func isOfClient(_ path: String) -> Bool { vocabulary.computedFact(path)?.isOfClient == true }

  func behavior(of leaf: Leaf, cells: [Double], schedules: [String: [CheckedSchedule]]) -> LeafBehavior {
    switch leaf {
    case .fact(let path): return behavior(ofFact: path, cells: cells)
    case .age(let path):
      guard isFixed(path) else { return .canBecome(cells) }
      // The last two cells are an age above every limit, and an unknown age.
      return .fixed(Array(mayBeOffSinceStart ? cells.suffix(2) : cells.suffix(2).prefix(1)))
    case .window(let function, let path, _):
      guard isFixed(path) else { return .canBecome(cells) }
      // The window loses its values one by one. Before it is empty, it contains only its last value, so the
      // spread is 0. A window that was always empty has no spread.
      if function == .spread, !mayBeOffSinceStart { return .canBecome([0, .nan]) }
      return .fixed(function.countsValues ? [0] : [.nan])
    // A client can withdraw its demand on any device, and demand the device again.
    case .demanded: return .canBecome(cells)
    case .schedule(let policy, let index):
      guard let list = schedules[policy], list.indices.contains(index) else { return .canBecome(cells) }
      return list[index].constantTruth.map { .fixed([$0 ? 1 : 0]) } ?? .canBecome(cells)
    case .memory(let expression):
      return expression.facts.allSatisfy { isFixed($0) } ? .fixed(cells) : .canBecome(cells)
    case .outcome(let expression): return behavior(ofOutcome: expression)
    }
  }

  private func behavior(ofFact path: String, cells: [Double]) -> LeafBehavior {
    guard let schema = vocabulary.schema(path) else { return .fixed([.nan]) }
    if let states = states[path] { return .canBecome(states.sorted().map(Double.init)) }
    switch course(of: path) {
    case .keeps: return .fixed(cells)
    case .settles(let values): return .fixed(values)
    case .rises(let end): return .canBecome([0, end] + cells.filter { $0 > 0 && $0 < end })
    case .neverTrue: return .canBecome(cells.filter { $0 != 1 })
    case .varies:
      // Without `max_age`, a known published value never becomes unknown.
      let mayBeUnknown = schema.maxAge != nil || vocabulary.computedFact(path)?.mayBecomeUnknown == true
      return .canBecome(mayBeUnknown ? cells : cells.filter { !$0.isNaN })
    }
  }

  private func behavior(ofOutcome expression: CheckedExpression) -> LeafBehavior {
    if case .heldFor(let operand, _, _) = expression.kind, !canBe(operand, true) { return .fixed([0]) }
    let paths = expression.facts
    guard isFixed(expression) else { return .canBecome([0, 1]) }
    var becomesUnknown = false
    expression.visit { part in
      if case .window = part.kind { becomesUnknown = true }
    }
    let courses = paths.map { course(of: $0) }
    if becomesUnknown || courses.contains(where: \.isUnknown) { return .fixed([.nan]) }
    // This analysis does not compute with values that facts get later.
    return courses.allSatisfy { $0 == .keeps } ? .fixed([0, 1, .nan]) : .canBecome([0, 1])
  }
}

extension OffDeviceFacts {
  /// Returns false only when the states of the listed machines exclude this truth value of a condition.
  private func canBe(_ condition: CheckedExpression, _ truth: Bool) -> Bool {
    switch condition.kind {
    case .not(let operand): canBe(operand, !truth)
    case .and(let operands):
      truth ? operands.allSatisfy { canBe($0, true) } : operands.contains { canBe($0, false) }
    case .or(let operands):
      truth ? operands.contains { canBe($0, true) } : operands.allSatisfy { canBe($0, false) }
    case .oneOf(let fact, let values):
      fact.path.flatMap { states[$0] }.map { states in
        states.contains { values.contains(.symbol($0)) == truth }
      } ?? true
    default: true
    }
  }
}

extension CheckedSchedule {
  /// The value of the schedule when it never changes during the week; nil when it changes.
  var constantTruth: Bool? {
    guard !windows.isEmpty else { return false }
    let day: Int64 = 86_400_000_000_000
    var stretches: [(from: Int64, to: Int64)] = []
    for window in windows {
      for number in window.days.isEmpty ? Array(0..<7) : window.days {
        let from = Int64(number) * day + window.from.nanoseconds
        let length = window.to.nanoseconds - window.from.nanoseconds
        let to = from + (length > 0 ? length : length + day)
        stretches.append((from, min(to, 7 * day)))
        if to > 7 * day { stretches.append((0, to - 7 * day)) }
      }
    }
    stretches.sort { $0.from < $1.from }
    var covered: Int64 = 0
    for stretch in stretches where stretch.from <= covered { covered = max(covered, stretch.to) }
    return covered >= 7 * day ? true : nil
  }
}
