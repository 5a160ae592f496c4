import StintLanguage
import StintModel
import StintUnits

/// The representative values of each fact. For a number, these are the ends of its range, and the values at,
/// just below and just above each threshold in the conditions. A number without a range and without a
/// threshold has the values 0 and 1. For a fact whose age a condition tests, the present value is included,
/// because a repeated publication of this value resets the age.
struct FactCandidates {
  private let vocabulary: Vocabulary
  private var limits: [String: Set<Double>] = [:]
  /// The facts that the conditions read, in the order of the source text.
  private(set) var paths: [String] = []
  private var mayBeUnknown: Set<String> = []
  /// The shortest time span with which the conditions compare the age of each fact, by path.
  private(set) var ages: [String: TimeSpan] = [:]
  /// The facts of which the conditions read only the age, or only whether they are known. All values of such
  /// a fact have an equal effect.
  var valueless: Set<String> { Set(paths).subtracting(valued) }
  private var valued: Set<String> = []

  init(_ conditions: [CheckedExpression], vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    for condition in conditions { read(condition) }
  }

  /// Returns the values of a fact that differ from `present`, the nearest first. When the conditions test the
  /// age of the fact, `present` itself precedes these values.
  func values(of path: String, besides present: FactValue) -> [FactValue] {
    guard let schema = vocabulary.schema(path) else { return [] }
    var values: [FactValue]
    switch schema.type {
    case .boolean: values = [.boolean(true), .boolean(false)]
    case .symbol(let words): values = words.indices.map(FactValue.symbol)
    case .quantity: values = numbers(schema, near: present)
    }
    if mayBeUnknown.contains(path) { values.append(.unknown) }
    let again = present != .unknown && ages[path] != nil ? [present] : []
    return again
      + values.filter { $0 != present && ($0 == .unknown || schema.rejectionReason(for: $0) == nil) }
  }

  private func numbers(_ schema: FactSchema, near present: FactValue) -> [FactValue] {
    var numbers: Set<Double> = []
    for limit in limits[schema.path] ?? [] {
      let step = limit == 0 ? 1e-3 : abs(limit) * 1e-3
      numbers.formUnion([limit, limit - step, limit + step])
    }
    if let range = schema.range { numbers.formUnion([range.lowerBound, range.upperBound]) }
    if numbers.isEmpty { numbers = [0, 1] }
    var current = 0.0
    if case .number(let number) = present { current = number }
    return numbers.sorted { (abs($0 - current), $0) < (abs($1 - current), $1) }.map(FactValue.number)
  }

  private mutating func note(_ path: String) {
    if !paths.contains(path) { paths.append(path) }
  }

  private mutating func read(_ expression: CheckedExpression) {
    switch expression.kind {
    case .constant, .inSchedule, .demanded: break
    case .fact(let path), .window(_, let path, _):
      note(path)
      valued.insert(path)
    case .known(let path):
      note(path)
      mayBeUnknown.insert(path)
    case .age(let path, _, let span):
      note(path)
      ages[path] = min(ages[path] ?? span, span)
    case .compare(_, let left, let right): compared(left, right)
    case .latch(_, let value, let threshold, let release):
      compared(value, threshold)
      compared(value, release)
    case .oneOf(let operand, let values):
      read(operand)
      if case .fact(let path) = operand.kind {
        for case .number(let number) in values { limits[path, default: []].insert(number) }
      }
    case .not, .negate, .heldFor, .inLast, .and, .or, .implies, .arithmetic:
      for child in expression.children { read(child) }
    }
  }

  private mutating func compared(_ left: CheckedExpression, _ right: CheckedExpression) {
    read(left)
    read(right)
    for (side, other) in [(left, right), (right, left)] {
      guard case .fact(let path) = side.kind, case .constant(.number(let limit)) = other.kind else {
        continue
      }
      limits[path, default: []].insert(limit)
    }
  }
}
