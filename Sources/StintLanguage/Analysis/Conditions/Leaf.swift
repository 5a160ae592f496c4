import StintModel
import StintUnits

/// The smallest part of a condition: what has a value that is not worked out from other parts.
enum Leaf: Hashable {
  case fact(String)
  /// The age of a fact in nanoseconds; grows by itself.
  case age(String)
  case window(WindowFunction, String, TimeSpan)
  case demanded(DeviceID)
  /// Whether local time lies in the schedule of this number of the policy of this name.
  case schedule(policy: String, Int)
  /// What a latch remembers between its two limits.
  case memory(CheckedExpression)
  /// A comparison of more than one part; only its outcome is looked at.
  case outcome(CheckedExpression)
}

/// A number that is worked out from at most one leaf: `scale · leaf + offset`.
struct Affine {
  var leaf: Leaf?
  var scale: Double
  var offset: Double

  /// Where it crosses a limit, as a value of the leaf; nil where it never does.
  func crossing(_ limit: Double) -> Double? {
    guard leaf != nil, scale != 0 else { return nil }
    let place = (limit - offset) / scale
    return place.isFinite ? place : nil
  }

  /// Its value where the leaf has this one.
  func value(at leafValue: Double) -> Double {
    // Most numbers are the leaf itself; those stay exact.
    scale == 1 && offset == 0 ? leafValue : scale * leafValue + offset
  }
}

extension CheckedExpression {
  /// The number as one leaf, scaled and moved; nil where it takes more than that.
  var affine: Affine? {
    switch kind {
    case .constant(.number(let number)): return Affine(leaf: nil, scale: 0, offset: number)
    case .fact(let path): return Affine(leaf: .fact(path), scale: 1, offset: 0)
    case .window(let function, let path, let span):
      return Affine(leaf: .window(function, path, span), scale: 1, offset: 0)
    case .negate(let operand):
      return operand.affine.map { Affine(leaf: $0.leaf, scale: -$0.scale, offset: -$0.offset) }
    case .arithmetic(let operation, let left, let right):
      guard let left = left.affine, let right = right.affine else { return nil }
      return Affine.joined(left, operation, right)
    default: return nil
    }
  }
}

extension Affine {
  fileprivate static func joined(_ left: Affine, _ operation: Arithmetic, _ right: Affine) -> Affine? {
    switch operation {
    case .add, .subtract:
      let sign: Double = operation == .add ? 1 : -1
      if left.leaf != nil && right.leaf != nil { return nil }
      return Affine(
        leaf: left.leaf ?? right.leaf, scale: left.leaf != nil ? left.scale : sign * right.scale,
        offset: left.offset + sign * right.offset)
    case .multiply:
      let (varying, factor) = left.leaf == nil ? (right, left) : (left, right)
      guard factor.leaf == nil else { return nil }
      return Affine(
        leaf: varying.leaf, scale: varying.scale * factor.offset, offset: varying.offset * factor.offset)
    case .divide:
      guard right.leaf == nil, right.offset != 0 else { return nil }
      return Affine(
        leaf: left.leaf, scale: left.scale / right.offset, offset: left.offset / right.offset)
    }
  }
}
