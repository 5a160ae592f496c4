import StintModel

/// A condition that must be true or unknown before a rule reads a fact. Guards with equal texts are equal.
package struct ReadingGuard: Equatable {
  package var text: String
  package var condition: CheckedExpression

  package static func == (left: ReadingGuard, right: ReadingGuard) -> Bool { left.text == right.text }

  /// Returns the conjunction of the conditions; nil for an empty array.
  package static func all(_ guards: [ReadingGuard]) -> CheckedExpression? {
    guard let first = guards.first?.condition else { return nil }
    return CheckedExpression(kind: .and(guards.map(\.condition)), type: .boolean, span: first.span)
  }

  /// Returns one guard that joins several conjunctions with `or`. Each conjunction has at least one guard.
  package static func any(_ alternatives: [[ReadingGuard]]) -> ReadingGuard {
    let conditions = alternatives.compactMap { all($0) }
    let texts = alternatives.map { $0.map(\.text).joined(separator: " and ") }
    return ReadingGuard(
      text: "(\(texts.joined(separator: " or ")))",
      condition: CheckedExpression(kind: .or(conditions), type: .boolean, span: conditions[0].span))
  }
}
