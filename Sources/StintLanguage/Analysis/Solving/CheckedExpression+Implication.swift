import StintModel
import StintUnits

extension CheckedExpression {
  /// Returns true when this condition is true whenever `other` is true.
  ///
  /// This function recognises only two cases. Either the conditions are equal, or they compare the same value
  /// and the limit of `other` is at least as strict.
  func isTrue(whenever other: CheckedExpression) -> Bool {
    if self == other { return true }
    guard case .compare(let operation, let value, let limit) = kind,
      case .compare(operation, value, let otherLimit) = other.kind,
      let limit = limit.constantNumber, let otherLimit = otherLimit.constantNumber
    else { return false }
    return switch operation {
    case .less, .lessOrEqual: otherLimit <= limit
    case .greater, .greaterOrEqual: otherLimit >= limit
    case .equal, .notEqual: otherLimit == limit
    }
  }

  /// Returns true when this latch (a comparison with a `release`) is true whenever the latch `other` is true.
  /// The result applies when both latches were false at first.
  func isClosed(whenever other: CheckedExpression) -> Bool {
    guard case .latch(let side, let value, let threshold, let release) = kind,
      case .latch(side, value: value, let otherThreshold, let otherRelease) = other.kind,
      let threshold = threshold.constantNumber, let release = release.constantNumber,
      let otherThreshold = otherThreshold.constantNumber, let otherRelease = otherRelease.constantNumber
    else { return false }
    return side == .below
      ? otherThreshold <= threshold && otherRelease <= release
      : otherThreshold >= threshold && otherRelease >= release
  }

  /// Returns true when the structure of both conditions shows that this condition is true whenever `other` is
  /// true.
  func isImplied(by other: CheckedExpression) -> Bool {
    if self == other { return true }
    switch (kind, other.kind) {
    case (.heldFor(let operand, let span, tolerate: nil), .heldFor(let longer, let longerSpan, tolerate: nil)):
      return longerSpan >= span && operand.isTrue(whenever: longer)
    case (.inLast(let operand, let span), .inLast(let shorter, let shorterSpan)):
      return shorterSpan <= span && operand.isTrue(whenever: shorter)
    case (.latch, .latch): return isClosed(whenever: other)
    case (.oneOf(let operand, let values), .oneOf(let same, let fewer)):
      return operand == same && fewer.allSatisfy(values.contains)
    case (_, .heldFor(let operand, _, tolerate: nil)): return isTrue(whenever: operand)
    case (.inLast(let operand, _), _): return operand.isTrue(whenever: other)
    default: return isTrue(whenever: other)
    }
  }
}
