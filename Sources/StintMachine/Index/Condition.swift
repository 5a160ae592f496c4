import StintModel

/// A condition that consists only of tests of single sources, as a tree without negations.
///
/// The tree is true exactly when the code is true. Negations are moved into the tests. This is possible
/// because a negated comparison with an unknown value is not true either.
indirect enum Condition: Hashable, Sendable {
  case test(Literal)
  case and(Condition, Condition)
  case or(Condition, Condition)

  /// The largest number of terms of an indexed rule. A rule with more terms is evaluated by its code.
  static let maxTerms = 8

  /// The condition that is true exactly when this condition is false, and unknown when this condition is
  /// unknown.
  var negated: Condition {
    switch self {
    case .test(let literal): .test(Literal(source: literal.source, test: literal.test.negated))
    case .and(let left, let right): .or(left.negated, right.negated)
    case .or(let left, let right): .and(left.negated, right.negated)
    }
  }

  /// The disjunctive normal form: a list of terms. A term is a list of tests and is true when all its tests
  /// are true. Nil when there are more than `maxTerms` terms.
  var terms: [[Literal]]? {
    switch self {
    case .test(let literal): return [[literal]]
    case .or(let left, let right):
      guard let first = left.terms, let second = right.terms else { return nil }
      return first.count + second.count <= Self.maxTerms ? first + second : nil
    case .and(let left, let right):
      guard let first = left.terms, let second = right.terms else { return nil }
      guard first.count * second.count <= Self.maxTerms else { return nil }
      return first.flatMap { part in second.map { part + $0 } }
    }
  }
}
