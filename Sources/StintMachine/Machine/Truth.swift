public import StintModel

/// The result of a condition in three-valued logic.
public enum Truth: Hashable, Sendable {
  case no
  case unknown
  case yes

  /// Converts the numeric result of the VM: NaN is unknown, 0 is false, other values are true.
  init(_ number: Double) { self = number.isNaN ? .unknown : number == 0 ? .no : .yes }
}

/// A change that a VM reports.
public enum RuleVMChange: Hashable, Sendable {
  /// A directive came into force. `directive` is its index in the image.
  case began(directive: Int)
  /// A directive is no longer in force. `directive` is its index in the image.
  case ended(directive: Int)
  /// A rule became active (true) or inactive (false). A `while` or `always` rule is active while its
  /// condition is true; a `when` or `every` rule is active while one of its directives is in force. `rule` is
  /// its index in the image.
  case held(rule: Int, Bool)
  /// A rule performed a one-time action.
  case fired(act: Act, rule: Int)
}
