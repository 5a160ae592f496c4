import StintModel
import StintUnits

extension PolicyChecker {
  /// Checks an expression that must be a condition; nil when an error was reported.
  mutating func condition(_ syntax: SyntaxExpression) -> CheckedExpression? {
    guard let checked = expression(syntax) else { return nil }
    guard checked.type == .boolean || checked.isAnything else {
      reportNotACondition(checked, syntax.span)
      return nil
    }
    return checked.isAnything ? .unknown(.boolean, checked.span) : checked
  }

  private mutating func reportNotACondition(_ checked: CheckedExpression, _ span: SourceSpan) {
    let text = source.text(of: span)
    let isWord = if case .symbol = checked.type { true } else { false }
    report(
      .notACondition, "expected a condition, and “\(text)” is \(checked.type.phrase)", span,
      label: "neither true nor false",
      hint: "compare it with something, as in: \(text) \(isWord ? "is" : "<") \(checked.type.example)")
  }

  mutating func expression(_ syntax: SyntaxExpression) -> CheckedExpression? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= PolicyLimits.maxNesting else {
      report(
        .tooDeep,
        "with its lets expanded, this expression nests deeper than \(PolicyLimits.maxNesting) levels",
        syntax.span,
        hint: "declare a let before its use, and use fewer lets in one expression")
      return nil
    }
    let checked = checkedIgnoringDepth(syntax)
    // The size check of the outermost expression includes its parts.
    return depth == 1 ? checked.flatMap { measured($0, syntax.span) } : checked
  }

  private mutating func checkedIgnoringDepth(_ syntax: SyntaxExpression) -> CheckedExpression? {
    let span = syntax.span
    func make(_ kind: CheckedExpression.Kind, _ type: FactType = .boolean) -> CheckedExpression {
      CheckedExpression(kind: kind, type: type, span: span)
    }
    switch syntax.kind {
    case .missing: return nil
    case .parenthesised(let inner): return expression(inner)
    case .number(let literal): return make(.constant(.number(literal.value)), .quantity(.none))
    case .quantity(let literal):
      return value(of: literal).map { make(.constant(.number($0.value)), .quantity($0.dimension)) }
    case .string(let literal):
      report(
        .typeMismatch, "a string cannot be a condition", literal.span, hint: "write words without quotes")
      return nil
    case .path(let name): return path(name)
    case .call(let name, let arguments): return call(.init(name: name, arguments: arguments, span: span))
    case .not(let operand): return condition(operand).map { make(.not($0)) }
    case .and(let operands): return conditions(operands).map { make(.and($0)) }
    case .or(let operands): return conditions(operands).map { make(.or($0)) }
    case .implies(let left, let right):
      return conditions([left, right]).map { make(.implies($0[0], $0[1])) }
    case .negate(let operand): return negation(operand, span)
    case .arithmetic(let operation, let left, let right): return arithmetic(operation, left, right, span)
    case .compare(let comparison, let left, let right): return compare(comparison, left, right, span)
    case .worded(let name, let operands):
      return LanguageDefinition.wordedComparison(name)?.comparing?.check(&self, operands, span)
    case .isWord(let operand, let word): return words(operand, [word], span)
    case .inList(let operand, let list): return words(operand, list, span)
    case .inName(let operand, let name): return schedule(operand, name, span)
    case .heldFor(let operand, let duration, let tolerate):
      let checked = condition(operand)
      let gap = tolerate.map { positiveTime($0, what: "“tolerate”") }
      guard let span = positiveTime(duration, what: "“for”"), let checked, gap != .some(nil) else {
        return nil
      }
      if isWithinSizeLimit(checked) {
        adviseFreshness(checked, span, duration.span)
        if gap == nil { adviseMoment(checked, span, duration.span) }
      }
      return make(.heldFor(checked, span, tolerate: gap ?? nil))
    case .inLast(let operand, let duration):
      let checked = condition(operand)
      guard let span = positiveTime(duration, what: "“in last”"), let checked else { return nil }
      return make(.inLast(checked, span))
    }
  }

  /// Checks all operands, so that every mistake is reported; nil when one of them has an error.
  private mutating func conditions(_ operands: [SyntaxExpression]) -> [CheckedExpression]? {
    var checked: [CheckedExpression] = []
    for operand in operands { if let condition = condition(operand) { checked.append(condition) } }
    return checked.count == operands.count ? checked : nil
  }

  // MARK: Names

  private mutating func path(_ name: Name) -> CheckedExpression? {
    if name.text == "true" || name.text == "false" {
      return CheckedExpression(
        kind: .constant(.boolean(name.text == "true")), type: .boolean, span: name.span)
    }
    if definitions[name.text] != nil {
      used.insert(name.text)
      return value(ofLet: name.text)
    }
    if let parameter = parameters[name.text] {
      used.insert(name.text)
      return parameter.map {
        CheckedExpression(kind: .constant(.number($0.value)), type: .quantity($0.dimension), span: name.span)
      }
    }
    if let path = computedNames[name.text], let schema = vocabulary.schema(path) {
      used.insert(name.text)
      return CheckedExpression(kind: .fact(path), type: schema.type, span: name.span)
    }
    if isInTest, ruleSpans[name.text] != nil { return isInForce(name) }
    if name.text == "unexplained" { return unexplained(name.span) }
    if isClientFact(name) { return clientValue(name) }
    return fact(name)
  }

  /// Returns the checked value of a `let`. The value is computed once and used wherever the name occurs. Nil
  /// when the `let` does not exist, has an error, or depends on itself.
  mutating func value(ofLet name: String) -> CheckedExpression? {
    guard let definition = definitions[name] else { return nil }
    switch definition.state {
    case .checked(let value, let missing):
      missingDevices.formUnion(missing)
      return value
    case .inProgress:
      report(
        .circularLet, "“\(name)” depends on itself", definition.item.name.span, hint: "break the cycle")
      definitions[name]?.state = .checked(nil, missing: [])
      return nil
    case .unchecked:
      definitions[name]?.state = .inProgress
      let outer = missingDevices
      missingDevices = []
      let item = definition.item
      let value = expression(item.value).flatMap { measured($0, item.value.span) }
      definitions[name]?.state = .checked(value, missing: missingDevices)
      missingDevices.formUnion(outer)
      return value
    }
  }

  /// Checks a fact, given by its full path or by a device's alias and the rest of the path.
  private mutating func fact(_ name: Name) -> CheckedExpression? {
    guard !name.text.isEmpty else { return nil }
    guard let path = factPath(name) else { return nil }
    guard let schema = vocabulary.schema(path) else {
      // The device is missing, so all its facts are unknown.
      return .unknown(.anything, name.span)
    }
    return CheckedExpression(kind: .fact(path), type: schema.type, span: name.span)
  }

  /// Marks as used all aliases of the device that publishes the fact, because the policy depends on this
  /// device. Also reports a standard fact that no device publishes; each such fact is reported once.
  private mutating func notePublisher(of number: Int, _ name: Name) {
    guard number < vocabulary.firstComputed, let device = vocabulary.facts[number].device else { return }
    var isNamed = false
    for (alias, entry) in aliases where entry.device == device {
      used.insert(alias)
      isNamed = true
    }
    guard vocabulary.isAbsent(number), !isNamed, !absentFacts.contains(name.text),
      let standard = StandardFact.all.first(where: { $0.schema.path == name.text })
    else { return }
    absentFacts.insert(name.text)
    report(
      .missingOptionalDevice, "no device publishes “\(name.text)”, so it is unknown", name.span,
      severity: .note, hint: "\(standard.publisher) would publish it")
  }

  /// Returns the full path of a fact; nil, with a report, when no fact has this name.
  mutating func factPath(_ name: Name) -> String? {
    if isClientFact(name) { return clientPath(name) }
    nameKey(name)
    if let number = vocabulary.fact(name.text) {
      notePublisher(of: number, name)
      return name.text
    }
    // A fact of the manifest takes precedence over an observation of the governor.
    if let path = longPath(name) { return path }
    if let path = observedPath(name) { return path }
    // The name of a device alone, without the name of a fact, refers to the device's state.
    if let alias = aliases[name.text] {
      let path = alias.device.path + ".state"
      if alias.manifest == nil { missingDevices.insert(alias.device.path) }
      if alias.manifest == nil || vocabulary.fact(path) != nil {
        used.insert(name.text)
        return path
      }
    }
    let words = name.text.split(separator: ".", maxSplits: 1).map(String.init)
    if words.count == 2, let alias = aliases[words[0]] {
      used.insert(words[0])
      let path = "\(alias.device).\(words[1])"
      if vocabulary.fact(path) != nil { return path }
      guard alias.manifest != nil else {
        missingDevices.insert(alias.device.path)
        return path
      }
      guard hasRoom(for: .error), !reportBytesAsFact(name) else { return nil }
      reportUnpublished(name, of: words[0], alias.device, words[1])
      return nil
    }
    if let device = missingDevice(ofFact: name) {
      missingDevices.insert(device)
      return name.text
    }
    guard hasRoom(for: .error), !reportStateAsFact(name), !reportBytesAsFact(name) else { return nil }
    reportUnknown(
      .unknownFact, "unknown fact “\(name.text)”", name.span, name.text, among: namesOfValues,
      else: nameHint(words))
    return nil
  }

  /// Adds a fact of a family to the vocabulary, unless it is there already.
  private mutating func nameKey(_ name: Name) {
    guard !vocabulary.families.isEmpty, vocabulary.fact(name.text) == nil else { return }
    let words = name.text.split(separator: ".", maxSplits: 1).map(String.init)
    let long = words.count == 2 ? aliases[words[0]].map { "\($0.device).\(words[1])" } : nil
    for path in [name.text, long].compactMap({ $0 }) {
      guard let schema = vocabulary.keyedSchema(path) else { continue }
      // The vocabulary has the other parts of the schema, and images need not contain them.
      let named = FactSchema(path: schema.path, type: schema.type, meaning: schema.meaning)
      return compute(ComputedFact(schema: named, source: .keyed))
    }
  }

  /// Returns the full path of a published fact, given by a device's alias and the rest of the path. Nil when
  /// no device publishes such a fact.
  private mutating func longPath(_ name: Name) -> String? {
    let words = name.text.split(separator: ".", maxSplits: 1).map(String.init)
    guard words.count == 2, let alias = aliases[words[0]] else { return nil }
    let path = "\(alias.device).\(words[1])"
    guard let number = vocabulary.fact(path), number < vocabulary.firstComputed else { return nil }
    used.insert(words[0])
    return path
  }

  /// The names that may be used as a value: facts by full and short name, lets and parameters. Empty when the
  /// limit of `maySuggest` is reached.
  var namesOfValues: [String] {
    guard maySuggest(among: definitions.count + parameters.count) else { return [] }
    let shortened = aliases.keys.sorted().flatMap { alias in
      vocabulary.facts.compactMap { schema -> String? in
        guard let device = aliases[alias]?.device, schema.path.hasPrefix(device.path + ".") else {
          return nil
        }
        return alias + "." + schema.path.dropFirst(device.path.count + 1)
      }
    }
    return vocabulary.facts.map(\.path) + vocabulary.families.map(\.path) + definitions.keys.sorted()
      + parameters.keys.sorted() + shortened
  }

  /// Returns a hint for an unknown name without a similar known name. The hint is to declare the name or its
  /// device, or to use a known fact.
  private func nameHint(_ words: [String]) -> String {
    guard words.count == 2 else {
      return
        "declare it: let \(words.first ?? "name") = …; or write the full name of a fact, as in battery.level"
    }
    let paths = vocabulary.facts.map(\.path) + vocabulary.families.map(\.path)
    if let path = paths.first(where: { $0.hasSuffix("." + words[1]) }) {
      let device = path.dropLast(words[1].count + 1)
      return "declare it first: use \(device) as \(words[0])"
    }
    let siblings = paths.filter { $0.hasPrefix(words[0] + ".") }
    if !siblings.isEmpty { return "there are \(siblings.prefix(12).joined(separator: ", "))" }
    return "declare it first: use DEVICE as \(words[0])"
  }

  /// Warns about a `for` that is never true, because its condition is true only at an instant.
  private mutating func adviseMoment(_ operand: CheckedExpression, _ span: TimeSpan, _ place: SourceSpan) {
    guard let zone = momentaryZone(in: operand) else { return }
    report(
      .holdLongerThanFact,
      "“\(zone.call)” is true only for an instant, so this condition is never true for \(span)", place,
      severity: .warning, hint: "use \(zone.state) for \(span)")
  }

  /// Finds a call of `enter` or `exit` that makes the condition true only for an instant. Returns this call
  /// and a lasting condition that can replace it. Nil when the condition can stay true.
  private func momentaryZone(in part: CheckedExpression) -> (call: String, state: String)? {
    switch part.kind {
    case .and(let operands): return operands.lazy.compactMap { momentaryZone(in: $0) }.first
    case .or(let operands):
      let found = operands.map { momentaryZone(in: $0) }
      return found.contains { $0 == nil } ? nil : found.first ?? nil
    case .fact(let path):
      let fact = vocabulary.computed.first { $0.schema.path == path }
      guard case .zone(_, let question)? = fact?.source else { return nil }
      let name = path.dropFirst(question.path(ofZone: policy.name + "/").count - 1).dropLast()
      switch question {
      case .enter: return ("enter(\(name))", "inside(\(name))")
      case .exit: return ("exit(\(name))", "not inside(\(name))")
      case .inside, .heard: return nil
      }
    default: return nil
    }
  }

  /// Warns about a `for` that may never become true. One of its facts becomes unknown before the device
  /// publishes this fact again.
  private mutating func adviseFreshness(_ operand: CheckedExpression, _ span: TimeSpan, _ place: SourceSpan) {
    for path in operand.facts {
      guard let schema = vocabulary.schema(path), let fastest = schema.fastest,
        let maxAge = policy.defaults.first(where: { $0.device == schema.device })?.maxAge ?? schema.maxAge,
        fastest > maxAge, span > maxAge
      else { continue }
      report(
        .holdLongerThanFact,
        "“\(path)” is unknown after \(maxAge), so this condition may never be true for \(span)",
        place,
        severity: .warning, hint: "use a shorter span, or tolerate the gaps")
      return
    }
  }
}

extension FactType {
  /// The type of a missing device's facts, which every check accepts.
  static let anything = FactType.symbol([])
}

extension CheckedExpression {
  var isAnything: Bool { type == .anything }
}
