import StintModel
import StintUnits

/// Checks names that are used as quantities: parameters, and lets with a constant value.
extension PolicyChecker {
  /// The deepest nesting of operations and lets in a constant.
  private static let deepestConstant = 64

  /// Registers parameters and lets before other names, because zones and budgets may use them.
  mutating func registerConstants() {
    for item in file.items {
      switch item {
      case .parameter(let item) where parameters[item.name.text] == nil:
        parameters[item.name.text] = .some(item.value.quantity)
      case .let(let item) where definitions[item.name.text] == nil:
        definitions[item.name.text] = Definition(item: item)
      default: continue
      }
    }
  }

  /// Returns the value of a parameter or of a constant `let`; reports any other name and returns nil.
  mutating func constant(_ name: Name, else hint: String) -> Quantity? {
    if let parameter = parameters[name.text] {
      used.insert(name.text)
      return parameter
    }
    guard let definition = definitions[name.text] else {
      reportUnknown(
        .unknownName, "no parameter is called “\(name.text)”", name.span, name.text,
        among: parameters.keys.sorted(), else: hint)
      return nil
    }
    used.insert(name.text)
    guard isConstant(definition.item.value) else {
      report(
        .notConstant, "“\(name.text)” is not a quantity that is known at load", name.span,
        others: [Diagnostic.Label(span: definition.item.name.span, text: "declared here")], hint: hint)
      return nil
    }
    guard let value = value(ofLet: name.text), let number = value.constantNumber,
      case .quantity(let dimension) = value.type
    else { return nil }
    return Quantity(number, dimension)
  }

  /// Returns the value of a quantity without a name in place of its number; nil for an invalid quantity,
  /// which is reported.
  mutating func value(of literal: QuantityLiteral) -> Quantity? {
    guard let rate = literal.namedRate else { return literal.quantity }
    let name = rate.time
    guard parameters[name.text] != nil || definitions[name.text] != nil else {
      let nearest = UnitSpelling.meant(by: name.text)
      report(
        .unknownUnit, "no unit is spelled “\(name.text.prefix(40))”", name.span,
        hint: nearest.map { "did you mean “\($0)”?" } ?? UnitSpelling.examples,
        fix: nearest.map { Diagnostic.Fix(span: name.span, replacement: $0) })
      return nil
    }
    guard let time = quantity(.name(name), for: .time, what: "the time of a rate") else { return nil }
    let value = rate.count / time.value
    guard time.value > 0, value <= PolicyLimits.maxNumber else {
      report(.outOfRange, "a rate needs a span of time above zero", literal.span)
      return nil
    }
    return Quantity(value, .rate)
  }

  /// Returns the value of a number, or of a constant `let` without a unit; reports any other name and returns
  /// nil.
  mutating func number(_ literal: NumberLiteral, what: String) -> Double? {
    guard let name = literal.name else { return literal.value }
    return quantity(.name(name), for: .none, what: what)?.value
  }

  /// Returns the operand of a function as a literal or a name of a quantity; nil for any other expression.
  func literal(_ syntax: SyntaxExpression) -> QuantityLiteral? {
    switch syntax.kind {
    case .quantity(let literal): literal
    case .path(let name) where parameters[name.text] != nil || definitions[name.text] != nil:
      QuantityLiteral(name)
    default: nil
    }
  }

  /// Returns true when an expression consists of numbers, parameters and constant lets.
  private func isConstant(_ syntax: SyntaxExpression, depth: Int = 0) -> Bool {
    guard depth < Self.deepestConstant else { return false }
    switch syntax.kind {
    case .number, .quantity: return true
    case .parenthesised(let operand), .negate(let operand): return isConstant(operand, depth: depth + 1)
    case .arithmetic(_, let left, let right):
      return isConstant(left, depth: depth + 1) && isConstant(right, depth: depth + 1)
    case .path(let name):
      if let definition = definitions[name.text] {
        return isConstant(definition.item.value, depth: depth + 1)
      }
      return parameters[name.text] != nil
    default: return false
    }
  }
}
