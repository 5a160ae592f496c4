/// A comparison of two values. Words and Booleans can only be compared for equality.
public enum Comparison: String, Hashable, Sendable, CaseIterable {
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case equal = "=="
  case notEqual = "!="

  /// Returns whether the comparison holds between two known values.
  @inlinable
  @inline(__always)
  public func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .equal: left == right
    case .notEqual: left != right
    }
  }

  /// The comparison that holds between known values exactly when this comparison does not.
  public var negated: Comparison {
    switch self {
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    case .equal: .notEqual
    case .notEqual: .equal
    }
  }

  /// The equivalent comparison with exchanged operands.
  public var mirrored: Comparison {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .equal, .notEqual: self
    }
  }
}

/// The side of the threshold on which a comparison with a `release` becomes true.
public enum LatchSide: String, Hashable, Sendable, CaseIterable {
  case below, above
}

/// An operation on two numbers. A division by zero or an infinite result is unknown.
///
/// Minimum and maximum have no operator in the language: `clamp` is compiled to them.
public enum Arithmetic: String, Hashable, Sendable, CaseIterable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case larger = "max"
  case smaller = "min"

  /// Returns the result; NaN, which means unknown, when an operand is NaN or the result is not finite.
  @inlinable
  public func apply(_ left: Double, _ right: Double) -> Double {
    if left.isNaN || right.isNaN { return .nan }
    let result =
      switch self {
      case .add: left + right
      case .subtract: left - right
      case .multiply: left * right
      case .divide: left / right
      case .larger: left < right ? right : left
      case .smaller: right < left ? right : left
      }
    return result.isFinite ? result : .nan
  }
}

/// A statistic over a bounded window of a fact's values.
///
/// The window at `now` contains the values published after `now − span` up to `now`. `count` is a number
/// without a unit, never unknown, and 0 for an empty window. `rate` is `count` per second of span. `avg`,
/// `min`, `max` and `spread` (max − min) need one value. `trend` needs three values: it is the least-squares
/// slope times the span, in the fact's unit (metres gained over the window).
public enum WindowFunction: String, Hashable, Sendable, CaseIterable {
  case trend, spread, avg, min, max, rate, count

  /// True for a function of the number of values. Its result depends on the sampling rate, so a rule with it
  /// observes the values that other demands provide, as `known` and `age` do. It causes no reading.
  public var countsValues: Bool { self == .count || self == .rate }
}
