public import StintModel

/// In files, the code of an operation is the position of its case in the enum. So new cases are added only at
/// the end.
extension Comparison {
  /// The code of the comparison in a file.
  @inlinable
  public var number: Int {
    switch self {
    case .less: 0
    case .lessOrEqual: 1
    case .greater: 2
    case .greaterOrEqual: 3
    case .equal: 4
    case .notEqual: 5
    }
  }

  /// Creates the comparison with a code; nil for an unknown code.
  public init?(number: Int) {
    guard Self.allCases.indices.contains(number) else { return nil }
    self = Self.allCases[number]
  }
}

extension Arithmetic {
  /// The code of the operation in a file.
  @inlinable
  public var number: Int {
    switch self {
    case .add: 0
    case .subtract: 1
    case .multiply: 2
    case .divide: 3
    case .larger: 4
    case .smaller: 5
    }
  }

  /// Creates the operation with a code; nil for an unknown code.
  public init?(number: Int) {
    guard Self.allCases.indices.contains(number) else { return nil }
    self = Self.allCases[number]
  }
}
