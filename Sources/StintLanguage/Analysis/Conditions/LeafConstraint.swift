import StintModel
import StintUnits

/// A condition on one leaf. The constraint contains the truth value as a function of the leaf's value, and
/// the limit at which this truth value may change.
struct LeafConstraint {
  var leaf: Leaf
  /// The value of the leaf at which a comparison changes; nil when there is no such value.
  var limit: Double?
  var truth: (Double) -> TruthSet
}

/// A latch (a comparison with a `release`) on one leaf.
struct LatchConstraint {
  var leaf: Leaf
  /// The values of the leaf at which the latch closes (becomes true) and opens (becomes false). Nil for a
  /// value that is never reached.
  var limits: [Double?]
  /// Whether a value is beyond the threshold, so that the latch closes.
  var isSetting: (Double) -> TruthSet
  /// Whether a value is beyond the release limit, so that the latch opens.
  var isOver: (Double) -> TruthSet
}

extension CheckedExpression {
  /// The condition as a constraint on its only leaf.
  ///
  /// Nil for a connective, a condition that depends on the past, a schedule, or a condition with more than
  /// one leaf.
  var leafConstraint: LeafConstraint? {
    switch kind {
    case .fact(let path): return LeafConstraint(leaf: .fact(path), truth: ConditionSpace.truth(of:))
    case .known(let path): return LeafConstraint(leaf: .fact(path)) { $0.isNaN ? .no : .yes }
    case .demanded(let device):
      return LeafConstraint(leaf: .demanded(device), truth: ConditionSpace.truth(of:))
    case .age(let path, let operation, let span):
      let limit = Double(span.nanoseconds)
      return LeafConstraint(leaf: .age(path), limit: limit) { ConditionSpace.truth($0, operation, limit) }
    case .oneOf(let operand, let values):
      guard case .fact(let path) = operand.kind else { return nil }
      let wanted = values.map(\.number)
      return LeafConstraint(leaf: .fact(path)) { $0.isNaN ? .unknown : wanted.contains($0) ? .yes : .no }
    case .compare(let operation, let left, let right):
      guard let (number, limit) = ConditionSpace.sides(left, right), let leaf = number.leaf else {
        return nil
      }
      let isSwapped = left.affine?.leaf == nil && !left.isFact
      let comparison = isSwapped ? operation.mirrored : operation
      return LeafConstraint(leaf: leaf, limit: number.crossing(limit)) {
        ConditionSpace.truth(number.value(at: $0), comparison, limit)
      }
    default: return nil
    }
  }

  /// The constraint of a latch with constant limits on its only leaf; nil for any other condition.
  var latchConstraint: LatchConstraint? {
    guard case .latch(let side, let value, let threshold, let release) = kind, let number = value.affine,
      let leaf = number.leaf, let threshold = threshold.constantNumber, let release = release.constantNumber
    else { return nil }
    let closing: Comparison = side == .below ? .less : .greater
    return LatchConstraint(
      leaf: leaf, limits: [number.crossing(threshold), number.crossing(release)],
      isSetting: { ConditionSpace.truth(number.value(at: $0), closing, threshold) },
      isOver: { ConditionSpace.truth(number.value(at: $0), closing.mirrored, release) })
  }
}
