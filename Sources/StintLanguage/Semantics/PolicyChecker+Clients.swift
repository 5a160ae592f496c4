import StintModel

/// Checks `client.*`: facts of the client, which are known only in rules that are evaluated once per demand.
extension PolicyChecker {
  /// Returns true when the name is a fact of the requesting client. Returns false when an alias is called
  /// `client`, or a published fact has this name.
  func isClientFact(_ name: Name) -> Bool {
    guard name.text.hasPrefix("client."), aliases["client"] == nil else { return false }
    return vocabulary.fact(name.text).map { $0 >= vocabulary.firstComputed } ?? true
  }

  /// Checks a client fact where a value is expected, such as `client.accuracy`.
  mutating func clientValue(_ name: Name) -> CheckedExpression? {
    guard name.text == "client.background" else {
      guard let path = clientPath(name), let schema = vocabulary.schema(path) else { return nil }
      return CheckedExpression(kind: .fact(path), type: schema.type, span: name.span)
    }
    let mayRun = compute(.mayBackground, name.span)
    var isInBackground = CheckedExpression(kind: .constant(.unknown), type: .boolean, span: name.span)
    if let schema = vocabulary.schema("app.state"), let background = schema.value(from: "background") {
      let state = CheckedExpression(kind: .fact(schema.path), type: schema.type, span: name.span)
      isInBackground.kind = .oneOf(state, [background])
    }
    return CheckedExpression(kind: .and([mayRun, isInBackground]), type: .boolean, span: name.span)
  }

  /// Returns the path of the client fact with this name. Nil, with a report, when the name does not refer to
  /// exactly one fact.
  mutating func clientPath(_ name: Name) -> String? {
    switch name.text {
    case "client.name":
      report(
        .typeMismatch, "“client.name” is a string: compare it with strings only", name.span,
        hint: "as in: client.name == \"trail-app\", or: client.name in [\"trail-app\", \"coach\"]")
    case "client.background":
      report(
        .badArguments, "“client.background” is computed from two facts", name.span,
        hint: "read one of them: client.may_background or app.state")
    default:
      if let fact = ClientFact(path: name.text) {
        _ = compute(fact, name.span)
        return name.text
      }
      let rest = ClientFact.names.joined(separator: ", ")
      reportUnknown(
        .unknownFact, "there is no client fact “\(name.text)”", name.span, name.text,
        among: ClientFact.names, else: "the client facts are \(rest)")
    }
    return nil
  }

  private mutating func compute(_ fact: ClientFact, _ span: SourceSpan) -> CheckedExpression {
    let computed = fact.computed(manifests: vocabulary.manifests)
    compute(computed)
    return CheckedExpression(kind: .fact(fact.path), type: computed.schema.type, span: span)
  }

  // MARK: Names

  /// Checks `client.name == "trail-app"`, with the name on either side; nil when neither side is the client's
  /// name.
  mutating func named(
    _ comparison: Comparison, _ left: SyntaxExpression, _ right: SyntaxExpression, _ span: SourceSpan
  ) -> (checked: CheckedExpression?, isName: Bool)? {
    let other: SyntaxExpression
    if isClientName(left) { other = right } else if isClientName(right) { other = left } else { return nil }
    guard comparison == .equal || comparison == .notEqual else {
      report(.typeMismatch, "names of clients have no order", span, hint: "use == or !=, or in")
      return (nil, true)
    }
    guard case .string(let literal) = other.kind else {
      reportBareName(other.span)
      return (nil, true)
    }
    let match = compute(.isNamed(literal.text), span)
    let isNot = comparison == .notEqual
    return (isNot ? CheckedExpression(kind: .not(match), type: .boolean, span: span) : match, true)
  }

  /// Checks `client.name in ["trail-app", "coach"]`; nil when the operand is not the client's name.
  mutating func named(
    _ operand: SyntaxExpression, among names: [Name], _ span: SourceSpan
  ) -> (checked: CheckedExpression?, isName: Bool)? {
    guard isClientName(operand) else { return nil }
    for name in names where !name.isText {
      if !name.text.isEmpty { reportBareName(name.span) }
      return (nil, true)
    }
    let matches = names.map { compute(.isNamed($0.text), span) }
    guard matches.count > 1 else { return (matches.first, true) }
    return (CheckedExpression(kind: .or(matches), type: .boolean, span: span), true)
  }

  func isClientName(_ operand: SyntaxExpression) -> Bool {
    guard case .path(let name) = operand.kind else { return false }
    return name.text == "client.name" && isClientFact(name)
  }

  private mutating func reportBareName(_ span: SourceSpan) {
    let text = source.text(of: span)
    report(
      .typeMismatch, "the name of a client is a string", span,
      hint: "write it in quotes, as in: \"trail-app\"",
      fix: Diagnostic.Fix(span: span, replacement: "\"\(text)\""))
  }

  // MARK: Scope of client facts

  /// Returns the first part of the expression that reads a client fact; nil when no part does.
  func clientPart(of expression: CheckedExpression) -> CheckedExpression? {
    // Most policies read no client facts.
    guard !clientPaths.isEmpty else { return nil }
    var found: CheckedExpression?
    expression.visit { part in
      if found == nil, let path = part.path, clientPaths.contains(path) { found = part }
    }
    return found
  }

  /// Reports an expression that reads a client fact at a place where no client is known. Returns false,
  /// without a report, when the expression reads no client fact.
  mutating func reportsClient(in expression: CheckedExpression, _ place: String) -> Bool {
    guard let part = clientPart(of: expression) else { return false }
    // A part inside a `let` is shown at the use of the `let`.
    let isInside = part.span.start >= expression.span.start && part.span.end <= expression.span.end
    let span = isInside ? part.span : expression.span
    var fix: Diagnostic.Fix?
    if source.text(of: span) == "client.background", vocabulary.schema("app.state") != nil {
      fix = Diagnostic.Fix(span: span, replacement: "app.state is background")
    }
    report(
      .clientUnknown, "client facts are not known \(place)", span,
      others: isInside ? [] : [Diagnostic.Label(span: part.span, text: "reads a client fact")],
      hint: fix == nil
        ? "read the fact in the condition of a rule that stops, pauses, downgrades, batches or defers"
        : "the state of the app is known everywhere: app.state is background", fix: fix)
    return true
  }

  /// Marks a rule that reads client facts as per-demand, and reports statements that such a rule cannot have.
  mutating func markPerDemand(_ rule: inout CheckedRule, _ statements: [SyntaxStatement]) {
    let conditions = [rule.trigger.condition].compactMap { $0 } + rule.directives.compactMap(\.until)
    guard conditions.contains(where: { clientPart(of: $0) != nil }) else { return }
    // An inert rule is never evaluated.
    rule.isPerDemand = !rule.isInert
    for statement in statements where !statement.saves {
      report(
        .clientRuleDoesMore,
        "a rule that reads client facts cannot use “\(statement.verb.text)”",
        statement.verb.span, label: "cannot act on one demand alone",
        others: [Diagnostic.Label(span: rule.span, text: "reads a client fact")],
        hint: "write it in a rule that does not read client.*")
    }
  }
}

extension SyntaxStatement {
  fileprivate var saves: Bool {
    switch kind {
    case .stop, .pause, .downgrade, .batch, .defer: true
    case .start, .watch, .fix, .flush, .emit, .tell, .launch: false
    }
  }
}
