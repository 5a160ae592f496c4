/// A domain of values in which conditions are evaluated, such as truth values, formulas or rates.
///
/// The domain defines the value of a leaf and the operations `not`, `and` and `or`. The walk over the
/// condition is `value(of:at:)` for all domains; `a implies b` is evaluated as `not a or b`.
package protocol ConditionDomain {
  associatedtype Value
  /// The data that stays constant during a walk, such as the policy or a moment; `Void` for no data.
  associatedtype Context = Void

  /// Returns the value of a part that is not `not`, `and`, `or` or `implies`.
  mutating func leaf(_ part: CheckedExpression, at context: Context) -> Value
  func negated(_ value: Value) -> Value
  /// Returns the conjunction of two or more values.
  func all(_ values: [Value]) -> Value
  /// Returns the disjunction of two or more values.
  func any(_ values: [Value]) -> Value
  /// Returns a more exact value of a part, if the domain knows more about the part than the values of its
  /// operands show. By default, returns `value`.
  func refined(_ value: Value, of part: CheckedExpression) -> Value
}

extension ConditionDomain {
  /// Returns `value` unchanged.
  package func refined(_ value: Value, of part: CheckedExpression) -> Value { value }

  /// Returns the value of a condition.
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
