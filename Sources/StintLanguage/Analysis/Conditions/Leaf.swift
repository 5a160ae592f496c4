import StintModel
import StintUnits

/// The smallest part of a condition: a value that is not computed from other parts.
enum Leaf: Hashable {
  case fact(String)
  /// The age of a fact in nanoseconds. It grows with time.
  case age(String)
  case window(WindowFunction, String, TimeSpan)
  case demanded(DeviceID)
  /// True while local time is inside a schedule, given by the policy's name and the schedule's index in the
  /// policy.
  case schedule(policy: String, Int)
  /// The remembered state of a latch (a comparison with a `release`). It matters while the value of the latch
  /// is between the threshold and the release limit.
  case memory(CheckedExpression)
  /// The truth value of a condition that is not analysed further, such as a comparison of two varying sides.
  case outcome(CheckedExpression)
}

/// A number that depends on at most one leaf: `scale · leaf + offset`, clamped to two bounds.
struct Affine {
  var leaf: Leaf?
  var scale: Double
  var offset: Double
  var low = -Double.infinity
  var high = Double.infinity

  /// Returns the value of the leaf at which the number crosses a limit; nil when it never crosses the limit.
  func crossing(_ limit: Double) -> Double? {
    guard leaf != nil, scale != 0, limit >= low, limit <= high else { return nil }
    let place = (limit - offset) / scale
    return place.isFinite ? place : nil
  }

  /// Returns the value of the number for a value of the leaf.
  func value(at leafValue: Double) -> Double {
    // Most numbers are the leaf itself; skipping the arithmetic keeps them exact.
    let value = scale == 1 && offset == 0 ? leafValue : scale * leafValue + offset
    return value.isNaN ? value : min(max(value, low), high)
  }

  /// Returns this number with the bounds of `other`. `change` transforms the bounds; the lower bound comes
  /// first.
  fileprivate func within(_ other: Affine, _ change: (Double) -> Double) -> Affine {
    let ends = [change(other.low), change(other.high)]
    guard !ends.contains(where: \.isNaN) else { return self }
    var result = self
    (result.low, result.high) = (min(ends[0], ends[1]), max(ends[0], ends[1]))
    return result
  }
}

extension CheckedExpression {
  /// The expression as an affine function of at most one leaf; nil for any other expression.
  var affine: Affine? {
    switch kind {
    case .constant(.number(let number)): return Affine(leaf: nil, scale: 0, offset: number)
    case .fact(let path): return Affine(leaf: .fact(path), scale: 1, offset: 0)
    case .window(let function, let path, let span):
      return Affine(leaf: .window(function, path, span), scale: 1, offset: 0)
    case .negate(let operand):
      return operand.affine.map { number in
        Affine(leaf: number.leaf, scale: -number.scale, offset: -number.offset).within(number) { -$0 }
      }
    case .arithmetic(let operation, let left, let right):
      guard let left = left.affine, let right = right.affine else { return nil }
      return Affine.joined(left, operation, right)
    default: return nil
    }
  }
}

extension Affine {
  fileprivate static func joined(_ left: Affine, _ operation: Arithmetic, _ right: Affine) -> Affine? {
    if left.leaf != nil && right.leaf != nil { return nil }
    let varying = left.leaf == nil ? right : left
    let constant = (left.leaf == nil ? left : right).offset
    switch operation {
    case .add, .subtract:
      let sign: Double = operation == .add ? 1 : -1
      return Affine(
        leaf: varying.leaf, scale: left.leaf != nil ? left.scale : sign * right.scale,
        offset: left.offset + sign * right.offset
      ).within(varying) { left.leaf != nil ? $0 + sign * constant : constant + sign * $0 }
    case .multiply:
      return Affine(leaf: varying.leaf, scale: varying.scale * constant, offset: varying.offset * constant)
        .within(varying) { $0 * constant }
    case .divide:
      guard right.leaf == nil, right.offset != 0 else { return nil }
      return Affine(
        leaf: left.leaf, scale: left.scale / right.offset, offset: left.offset / right.offset
      ).within(left) { $0 / right.offset }
    case .larger, .smaller:
      guard varying.leaf != nil else {
        return Affine(leaf: nil, scale: 0, offset: operation.apply(left.offset, right.offset))
      }
      return varying.within(varying) { operation == .larger ? max($0, constant) : min($0, constant) }
    }
  }
}
