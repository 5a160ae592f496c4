import StintModel
import StintUnits

/// Checks functions on measured quantities, such as wake-ups, energy, unexplained time and distance.
extension PolicyChecker {
  /// Adds a computed fact, unless it exists already.
  mutating func compute(_ fact: ComputedFact) {
    guard computedPaths.insert(fact.schema.path).inserted else { return }
    policy.computed.append(fact)
    if fact.isOfClient { clientPaths.insert(fact.schema.path) }
    vocabulary.add(fact)
  }

  /// Checks `wakeups(gps)`, `wakeups()`, `starts(gps)`, `energy(gps)` and `energy(visits)`.
  mutating func usage(
    _ name: Name, _ arguments: [SyntaxExpression], _ span: SourceSpan
  ) -> CheckedExpression? {
    if name.text == "wakeups", arguments.isEmpty { return observe(.hostWakeups, span) }
    guard arguments.count == 1, case .path(let argument) = arguments[0].kind else {
      report(.badArguments, "wrong arguments for “\(name.text)”", span, hint: "as in: \(name.text)(gps)")
      return nil
    }
    if name.text == "energy", let word = service(argument) { return observe(.energy(word), span) }
    guard let (device, manifest) = device(argument) else { return nil }
    guard manifest != nil else {
      return CheckedExpression(kind: .constant(.unknown), type: .anything, span: span)
    }
    if name.text == "starts" { return observe(.starts(device), span) }
    let path = "\(name.text)(\(device.path))"
    if name.text == "wakeups" {
      let schema = FactSchema(
        path: path, type: .quantity(.rate), range: 0...1e9,
        meaning: "how often the device turned on in the last hour")
      compute(ComputedFact(schema: schema, source: .wakeups(device)))
    } else {
      let schema = FactSchema(
        path: path, type: .quantity(.energy), range: 0...1e12,
        meaning: "the energy of the device since local midnight")
      compute(ComputedFact(schema: schema, source: .energy(device)))
    }
    return CheckedExpression(
      kind: .fact(path), type: .quantity(name.text == "wakeups" ? .rate : .energy), span: span)
  }

  mutating func unexplained(_ span: SourceSpan) -> CheckedExpression {
    let schema = FactSchema(
      path: "unexplained", type: .quantity(.time), range: 0...1e12,
      meaning: "how long devices have been on without a complete cause")
    compute(ComputedFact(schema: schema, source: .unexplained))
    return CheckedExpression(kind: .fact("unexplained"), type: .quantity(.time), span: span)
  }

  /// Checks `travelled(gps, 10 min)`: the distance that the device's odometer counted in the span.
  mutating func travelled(
    _ name: Name, _ arguments: [SyntaxExpression], _ span: SourceSpan
  ) -> CheckedExpression? {
    guard arguments.count == 2, case .path(let argument) = arguments[0].kind else {
      report(
        .badArguments, "“travelled” takes a device and a span of time", span,
        hint: "as in: travelled(gps, 10 min)")
      return nil
    }
    guard let (device, manifest) = device(argument) else { return nil }
    guard let manifest else {
      return CheckedExpression(kind: .constant(.unknown), type: .anything, span: span)
    }
    let path = device.path + ".distance"
    guard vocabulary.fact(path) != nil else {
      report(
        .boundNotSupported, "\(device) does not measure distance", argument.span,
        label: "this is \(manifest.title)")
      return nil
    }
    let fact = SyntaxExpression(
      kind: .path(Name(text: path, span: argument.span)), span: arguments[0].span)
    return window(.spread, name, [fact, arguments[1]], span)
  }
}
