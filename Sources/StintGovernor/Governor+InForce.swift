import StintMachine
public import StintModel

extension Governor {
  /// The rules that hold now, or of which a directive is in force, in the order of the policies.
  public var rulesInForce: [RuleID] {
    guard let image = program?.image.image else { return [] }
    return image.rules.indices.filter { rule in
      isHeld[rule] || image.rules[rule].directives.contains { inForce[$0] }
    }.map { image.rules[$0].id }
  }
}
