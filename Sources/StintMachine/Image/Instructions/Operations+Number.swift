public import StintModel

/// Numbers of operations in files: the place among all cases, which are only ever added at the end.
extension Comparison {
  /// Its number in a file.
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

  /// The comparison of a number; nil for none.
  public init?(number: Int) {
    guard Self.allCases.indices.contains(number) else { return nil }
    self = Self.allCases[number]
  }
}

extension Arithmetic {
  /// Its number in a file.
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

  /// The operation of a number; nil for none.
  public init?(number: Int) {
    guard Self.allCases.indices.contains(number) else { return nil }
    self = Self.allCases[number]
  }
}
