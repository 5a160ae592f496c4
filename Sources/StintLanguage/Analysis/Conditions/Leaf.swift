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

/// A number that is worked out from at most one leaf: `scale · leaf + offset`, within two bounds.
struct Affine {
  var leaf: Leaf?
  var scale: Double
  var offset: Double
  var low = -Double.infinity
  var high = Double.infinity

  /// Where it crosses a limit, as a value of the leaf; nil where it never does.
  func crossing(_ limit: Double) -> Double? {
    guard leaf != nil, scale != 0, limit >= low, limit <= high else { return nil }
    let place = (limit - offset) / scale
    return place.isFinite ? place : nil
  }

  /// Its value where the leaf has this one.
  func value(at leafValue: Double) -> Double {
    // Most numbers are the leaf itself; those stay exact.
    let value = scale == 1 && offset == 0 ? leafValue : scale * leafValue + offset
    return value.isNaN ? value : min(max(value, low), high)
  }

  /// The number between what `change` makes of both bounds of another, whichever comes first.
  fileprivate func within(_ other: Affine, _ change: (Double) -> Double) -> Affine {
    let ends = [change(other.low), change(other.high)]
    guard !ends.contains(where: \.isNaN) else { return self }
    var result = self
    (result.low, result.high) = (min(ends[0], ends[1]), max(ends[0], ends[1]))
    return result
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
