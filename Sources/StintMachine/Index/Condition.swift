import StintModel

/// Code that asks nothing but tests of single sources, as a tree without negations: each stands in its tests.
///
/// It says when the code is true. Negation goes inwards only: what is unknown stays unknown under it.
indirect enum Condition: Hashable, Sendable {
  case test(Literal)
  case and(Condition, Condition)
  case or(Condition, Condition)

  /// More terms than this, and the rule is asked one by one.
  static let mostTerms = 8

  /// True where this one is false.
  var negated: Condition {
    switch self {
    case .test(let literal): .test(Literal(source: literal.source, test: literal.test.negated))
    case .and(let left, let right): .or(left.negated, right.negated)
    case .or(let left, let right): .and(left.negated, right.negated)
    }
  }

  /// The condition as alternatives, each of tests that must all hold; nil when they are too many.
  var terms: [[Literal]]? {
    switch self {
    case .test(let literal): return [[literal]]
    case .or(let left, let right):
      guard let first = left.terms, let second = right.terms else { return nil }
      return first.count + second.count <= Self.mostTerms ? first + second : nil
    case .and(let left, let right):
      guard let first = left.terms, let second = right.terms else { return nil }
      guard first.count * second.count <= Self.mostTerms else { return nil }
      return first.flatMap { part in second.map { part + $0 } }
    }
  }
}
