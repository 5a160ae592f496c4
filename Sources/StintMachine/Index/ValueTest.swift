import StintModel

/// What is asked of one number; an unknown number answers only whether it is known.
enum ValueTest: Hashable, Sendable {
  case compare(Comparison, Double)
  case oneOf([Double])
  case noneOf([Double])
  case known
  case unknown

  /// The test that holds for each known number where this one does not.
  var negated: ValueTest {
    switch self {
    case .compare(let comparison, let limit): .compare(comparison.negated, limit)
    case .oneOf(let values): .noneOf(values)
    case .noneOf(let values): .oneOf(values)
    case .known: .unknown
    case .unknown: .known
    }
  }

  /// The numbers at which the answer changes: it is the same from each to just below the next.
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
