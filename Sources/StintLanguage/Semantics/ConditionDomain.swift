/// A domain of values in which conditions are evaluated: truths, sets of truths, formulas, paces, instants.
///
/// The domain says what a part is that joins no conditions, and what `not`, `and` and `or` make of values. The walk
/// over the condition is `value(of:at:)` for all domains; `a implies b` is `not a or b` in each.
package protocol ConditionDomain {
  associatedtype Value
  /// What stays the same while a condition is walked, as its policy or a moment; `Void` for nothing.
  associatedtype Context = Void

  /// The value of a part that is neither `not` nor `and` nor `or` nor `implies`.
  mutating func leaf(_ part: CheckedExpression, at context: Context) -> Value
  func negated(_ value: Value) -> Value
  /// What `and` makes of two or more values.
  func all(_ values: [Value]) -> Value
  /// What `or` makes of two or more values.
  func any(_ values: [Value]) -> Value
  /// A closer value of a part, by what else is known of it.
  func refined(_ value: Value, of part: CheckedExpression) -> Value
}

extension ConditionDomain {
  /// Leaves the value as it is.
  package func refined(_ value: Value, of part: CheckedExpression) -> Value { value }

  /// The value of a condition.
  package mutating func value(of condition: CheckedExpression, at context: Context) -> Value {
    let value =
      switch condition.kind {
      case .not(let operand): negated(self.value(of: operand, at: context))
      case .and(let operands): all(values(of: operands, at: context))
      case .or(let operands): any(values(of: operands, at: context))
      case .implies(let left, let right):
        any([negated(self.value(of: left, at: context)), self.value(of: right, at: context)])
      default: leaf(condition, at: context)
      }
    return refined(value, of: condition)
  }

  private mutating func values(of conditions: [CheckedExpression], at context: Context) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(conditions.count)
    for condition in conditions { values.append(value(of: condition, at: context)) }
    return values
  }
}
