import StintMachine
public import StintModel
public import StintUnits

extension Governor {
  /// The rules that hold now, or of which a directive is in force, in the order of the policies.
  public var rulesInForce: [RuleID] {
    guard let image = program?.image.image else { return [] }
    return image.rules.indices.filter { rule in
      isHeld[rule] || image.rules[rule].directives.contains { inForce[$0] }
    }.map { image.rules[$0].id }
  }
}

extension Governor {
  /// When a directive that is in force ends by itself; nil when it does not.
  public func end(of directive: Directive) -> Instant? {
    guard let image = program?.image.image, let machine else { return nil }
    let places = image.directives.indices.filter {
      image.directives[$0].directive == directive && inForce[$0]
    }
    return places.compactMap { machine.end(of: $0) }.max()
  }
}
