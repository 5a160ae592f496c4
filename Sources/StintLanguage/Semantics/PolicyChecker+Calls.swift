import StintModel
import StintUnits

extension PolicyChecker {
  private static let functions = LanguageDefinition.functions.map(\.name)

  mutating func call(_ call: FunctionDefinition.Call) -> CheckedExpression? {
    let name = call.name
    if let function = LanguageDefinition.function(name.text) { return function.check(&self, call) }
    if reportFactAsFunction(call) { return nil }
    reportUnknown(
      .unknownFunction,
      "no function is called “\(name.text)”", name.span, name.text, among: Self.functions,
      else: "the functions are \(Self.functions.joined(separator: ", "))")
    return nil
  }

  mutating func known(_ name: Name, _ arguments: [SyntaxExpression], _ span: SourceSpan) -> CheckedExpression?
  {
    if reportDeviceAsFact(name, arguments) { return nil }
    guard let path = factArgument(name, arguments, count: 1) else { return nil }
    guard vocabulary.fact(path) != nil else {
      return CheckedExpression(kind: .constant(.boolean(false)), type: .boolean, span: span)
    }
    return CheckedExpression(kind: .known(path), type: .boolean, span: span)
  }

  /// Reports an age that is not one side of a comparison. Always returns nil.
  mutating func reportStandaloneAge(_ span: SourceSpan) -> CheckedExpression? {
    report(
      .badArguments, "an age can only be compared with a span of time", span,
      hint: "as in: age(gps.accuracy) > 10 min")
    return nil
  }

  /// Checks `available(gps)`, `can_defer(gps)` and `demanded(gps)`.
  mutating func device(
    _ name: Name, _ arguments: [SyntaxExpression], _ span: SourceSpan
  ) -> CheckedExpression? {
    guard arguments.count == 1, case .path(let argument) = arguments[0].kind else {
      report(.badArguments, "“\(name.text)” takes one device", span, hint: "as in: \(name.text)(gps)")
      return nil
    }
    // A test for the presence of a device does not make the rule need the device.
    let outer = missingDevices
    guard let (device, manifest) = device(argument) else { return nil }
    missingDevices = outer
    guard manifest != nil, name.text == "demanded" || vocabulary.fact(device.path + ".available") != nil
    else {
      return CheckedExpression(kind: .constant(.boolean(false)), type: .boolean, span: span)
    }
    if name.text == "demanded" {
      return CheckedExpression(kind: .demanded(device), type: .boolean, span: span)
    }
    // Only a device with a sample queue can buffer samples.
    if name.text == "can_defer", manifest?.fifo == 0 || manifest?.verbs.contains(.batch) != true {
      return CheckedExpression(kind: .constant(.boolean(false)), type: .boolean, span: span)
    }
    return CheckedExpression(kind: .fact(device.path + ".available"), type: .boolean, span: span)
  }

  mutating func window(
    _ function: WindowFunction, _ name: Name, _ arguments: [SyntaxExpression], _ span: SourceSpan
  ) -> CheckedExpression? {
    guard arguments.count == 2 else {
      report(
        .badArguments, "“\(name.text)” takes a fact and a span of time", span,
        hint: "as in: \(name.text)(gps.accuracy, 90 s)")
      return nil
    }
    let path = factArgument(name, arguments, count: 2)
    guard let literal = literal(arguments[1]) else {
      report(.notConstant, "the second argument is a span of time, as in 90 s", arguments[1].span)
      return nil
    }
    guard let window = positiveTime(literal, what: "the window"), let path else { return nil }
    guard let schema = vocabulary.schema(path) else {
      return CheckedExpression(kind: .constant(.unknown), type: .anything, span: span)
    }
    let type: FactType
    switch (function, schema.type) {
    case (.count, _): type = .quantity(.none)
    case (.rate, _): type = .quantity(.rate)
    case (_, .quantity): type = schema.type
    default:
      report(
        .badArguments, "“\(name.text)” needs numbers, and “\(path)” is \(schema.type.name)",
        arguments[0].span,
        hint: "count and rate work on any fact")
      return nil
    }
    let most = Int64(PolicyLimits.maxWindowValues - 2)
    if let fastest = schema.fastest, fastest > .zero, window.nanoseconds / fastest.nanoseconds > most {
      report(
        .outOfRange, "a window of \(window) could hold more than \(PolicyLimits.maxWindowValues) values",
        literal.span,
        hint: "“\(path)” may be published once per \(fastest)")
      return nil
    }
    return CheckedExpression(kind: .window(function, fact: path, window), type: type, span: span)
  }

  private mutating func factArgument(_ name: Name, _ arguments: [SyntaxExpression], count: Int) -> String? {
    guard arguments.count == count, let first = arguments.first, case .path(let fact) = first.kind else {
      report(
        .badArguments, "“\(name.text)” takes a fact", arguments.first?.span ?? name.span,
        hint: "as in: \(name.text)(battery.level\(count == 2 ? ", 90 s" : ""))")
      return nil
    }
    return factPath(fact)
  }

  /// Checks `age(x) > 10 min`, with the age on either side; nil when neither side is an age.
  mutating func age(
    _ comparison: Comparison, _ left: SyntaxExpression, _ right: SyntaxExpression, _ span: SourceSpan
  ) -> (checked: CheckedExpression?, isAge: Bool)? {
    if case .call(let name, let arguments) = left.kind, name.text == "age" {
      return (age(name, arguments, comparison, right, span), true)
    }
    if case .call(let name, let arguments) = right.kind, name.text == "age" {
      return (age(name, arguments, comparison.mirrored, left, span), true)
    }
    return nil
  }

  private mutating func age(
    _ name: Name, _ arguments: [SyntaxExpression], _ comparison: Comparison, _ limit: SyntaxExpression,
    _ span: SourceSpan
  ) -> CheckedExpression? {
    let path: String?
    if let (device, manifest) = onlyDevice(in: arguments),
      let fact = manifest.facts.first(where: { manifest.isSensed($0) })
    {
      // The age of a device is the age of its last sample. The first fact that the device measures has the
      // same age.
      used.insert(device.text)
      path = fact.path
    } else if reportDeviceAsFact(name, arguments) {
      return nil
    } else {
      path = factArgument(name, arguments, count: 1)
    }
    guard comparison != .equal, comparison != .notEqual else {
      report(.badArguments, "an age cannot be compared for equality", span, hint: "use <, <=, > or >=")
      return nil
    }
    guard let checked = expression(limit) else { return nil }
    if case .quantity(let dimension) = checked.type, dimension != .time,
      let number = checked.constantNumber
    {
      reportWrongUnit(limit.span, found: Quantity(number, dimension), expected: .time, what: "an age")
      return nil
    }
    guard checked.type == .quantity(.time), let seconds = checked.constantNumber, seconds >= 0 else {
      report(
        .notConstant, "an age is compared with a span of time that is known at load", limit.span,
        hint: "as in: age(\(arguments.first.map { source.text(of: $0.span) } ?? "x")) > 10 min")
      return nil
    }
    guard let path, let age = wait(Quantity(seconds, .time), limit.span, what: "an age") else { return nil }
    guard vocabulary.fact(path) != nil else {
      return CheckedExpression(kind: .constant(.unknown), type: .boolean, span: span)
    }
    return CheckedExpression(kind: .age(path, comparison, age), type: .boolean, span: span)
  }
}
