import StintModel

/// A test of one value. Only `known` and `unknown` have a result for an unknown value.
enum ValueTest: Hashable, Sendable {
  case compare(Comparison, Double)
  case oneOf([Double])
  case noneOf([Double])
  case known
  case unknown

  /// The test with the opposite result for each known value.
  var negated: ValueTest {
    switch self {
    case .compare(let comparison, let limit): .compare(comparison.negated, limit)
    case .oneOf(let values): .noneOf(values)
    case .noneOf(let values): .oneOf(values)
    case .known: .unknown
    case .unknown: .known
    }
  }

  /// The thresholds at which the result changes. The result is constant from each threshold up to but not
  /// including the next.
  var cuts: [Double] {
    switch self {
    case .compare(.less, let limit), .compare(.greaterOrEqual, let limit): [limit]
    case .compare(.lessOrEqual, let limit), .compare(.greater, let limit): [limit.nextUp]
    case .compare(_, let limit): [limit, limit.nextUp]
    case .oneOf(let values), .noneOf(let values): values.flatMap { [$0, $0.nextUp] }
    case .known, .unknown: []
    }
  }
}
