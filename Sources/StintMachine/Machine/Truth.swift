public import StintModel

/// What a condition can be.
public enum Truth: Hashable, Sendable {
  case no
  case unknown
  case yes

  /// Reads the machine's number: NaN is unknown, 0 is no.
  init(_ number: Double) { self = number.isNaN ? .unknown : number == 0 ? .no : .yes }
}

/// What changed in a machine.
public enum RuleVMChange: Hashable, Sendable {
  /// A directive (by its index in the image) came into force.
  case began(directive: Int)
  /// A directive is no longer in force.
  case ended(directive: Int)
  /// A rule (by its index) holds now, or does not: its condition is true, or one of its edge directives is in
  /// force.
  case held(rule: Int, Bool)
  /// A rule acted once.
  case fired(act: Act, rule: Int)
}
