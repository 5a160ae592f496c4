import StintModel
import StintUnits

extension PolicyChecker {
  mutating func checkTest(_ item: TestItem) {
    var test = CheckedTest(
      title: item.title.text, policy: policy.name, events: [], expectations: [], span: item.title.span)
    var latest = TimeSpan.zero
    attachments = []
    isInTest = true
    defer { isInTest = false }
    var missing: Set<String> = []
    for step in item.steps {
      missingDevices = []
      switch step.kind {
      case .given(let assignments):
        if !test.events.isEmpty, test.events.contains(where: { $0.at > .zero }) {
          report(
            .testOrder, "“given” must come before the first event", step.span,
            hint: "use “at … set” for values that change later")
        }
        append(.set(self.assignments(assignments)), at: .zero, step, to: &test)
      case .at(let literal, let event):
        guard let at = instant(literal) else { continue }
        if at < latest {
          report(
            .testOrder, "this happens before the step above it", literal.span,
            hint: "write the steps of a test in the order of time")
        }
        latest = max(latest, at)
        if let kind = kind(event) { append(kind, at: at, step, to: &test) }
      case .expect(let condition, let moment, let rule):
        expect(condition, moment, rule, after: latest, step, of: &test)
      }
      missing.formUnion(missingDevices)
    }
    test.missingDevices = missing.sorted()
    // An expectation about a missing device is left out, and its device was reported.
    if test.expectations.isEmpty, missing.isEmpty, !item.isBroken {
      report(.emptyTest, "this test expects nothing", item.title.span, hint: "as in: expect gps.on at 5 min")
    }
    policy.tests.append(test)
  }

  private func append(
    _ kind: CheckedTest.Kind, at instant: TimeSpan, _ step: TestStep, to test: inout CheckedTest
  ) {
    test.events.append(CheckedTest.Event(at: instant, kind: kind, span: step.span))
  }

  /// Returns a time since the beginning of the test; nil, with a report, when the time is negative or too
  /// long.
  private mutating func instant(_ literal: QuantityLiteral) -> TimeSpan? {
    guard let quantity = quantity(.quantity(literal), for: .time, what: "the time") else { return nil }
    guard quantity.value >= 0 else {
      report(.outOfRange, "a test begins at 0 s", literal.span)
      return nil
    }
    return wait(quantity, literal.span, what: "the time")
  }

  private mutating func expect(
    _ condition: SyntaxExpression, _ moment: TestStep.Moment?, _ rule: Name?, after latest: TimeSpan,
    _ step: TestStep, of test: inout CheckedTest
  ) {
    let checked = self.condition(condition)
    // An expectation that can be met without the missing device does not need it.
    if checked?.neverHolds == false { missingDevices = [] }
    let until = moment.map { instant($0.literal) } ?? latest
    let because = rule.map { overridden($0) }
    if let rule = because { noteInert(rule) }
    guard let checked, let until, !reportsClient(in: checked, "in a test") else { return }
    var from = until
    if case .by = moment { from = min(latest, until) }
    test.expectations.append(
      CheckedTest.Expectation(
        condition: checked, from: from, until: until, because: because, span: step.span))
  }

  private mutating func kind(_ event: TestStep.Event) -> CheckedTest.Kind? {
    switch event {
    case .set(let assignments): return .set(self.assignments(assignments))
    case .attach(let client, let device, let settings): return attachment(client, device, settings)
    case .detach(let client): return .detach(ClientID(client.text))
    case .reload: return .reload
    case .missing: return nil
    }
  }

  /// Checks the name of a rule in an expectation, as in `saver` or `not saver`. The name is true while the
  /// rule is in force.
  mutating func isInForce(_ name: Name) -> CheckedExpression {
    let rule = RuleID(policy: policy.name, rule: name.text)
    if noteInert(rule) {
      return CheckedExpression(kind: .constant(.boolean(false)), type: .boolean, span: name.span)
    }
    let path = "in force(\(rule))"
    compute(
      ComputedFact(
        schema: FactSchema(path: path, type: .boolean, meaning: "whether the rule is in force"),
        source: .rule(rule)))
    return CheckedExpression(kind: .fact(path), type: .boolean, span: name.span)
  }

  /// Returns true for a rule without an effect, and records the missing devices of the rule.
  @discardableResult
  private mutating func noteInert(_ id: RuleID) -> Bool {
    guard let rule = policy.rules.first(where: { $0.id == id }), rule.isInert else { return false }
    missingDevices.formUnion(rule.missingDevices)
    return true
  }

  // MARK: Clients

  /// Returns the demand of an attached client: on the named device, or on the first device that the policy
  /// uses. Nil when an error was reported or the device is missing.
  private mutating func attachment(
    _ client: StringLiteral, _ name: Name?, _ settings: [SettingEntry]
  ) -> CheckedTest.Kind? {
    var found = name.flatMap { device($0) }
    if name == nil {
      let first = file.items.lazy.compactMap { item -> UseItem? in
        if case .use(let use) = item { use } else { nil }
      }.first
      found = first.flatMap { device($0.alias) }
      if first == nil {
        report(
          .unknownDevice, "the test does not name a device for “\(client.text)”", client.span,
          hint: "as in: attach \"\(client.text)\" on location.gnss")
      }
    }
    guard let (device, manifest) = found else { return nil }
    // With a missing device, the client has a demand too. So expectations about its grant are no mistakes.
    attachments.append((ClientID(client.text), device))
    guard let manifest else { return nil }
    reportRepeated(settings)
    var wants = DemandSettings()
    if manifest.kind == .radio {
      wants.transfer = transfer(settings, of: manifest)
    } else {
      for entry in settings { set(entry, of: manifest, in: &wants) }
    }
    return .attach(ClientID(client.text), device, wants)
  }

  /// Checks `attach "mail" on cell with { up 20 kB  deadline 30 min }`. If `up` is missing, the transfer
  /// sends 1000 bytes.
  private mutating func transfer(_ settings: [SettingEntry], of manifest: Manifest) -> Transfer {
    var transfer = Transfer(bytesUp: 1000, bytesDown: 0)
    for entry in settings {
      switch entry.name.text {
      case "up", "down":
        guard let data = quantity(entry.value, for: .data, what: "“\(entry.name.text)”"), data.value >= 0,
          data.value < 1e15
        else { continue }
        if entry.name.text == "up" {
          transfer.bytesUp = Int64(data.value)
        } else {
          transfer.bytesDown = Int64(data.value)
        }
      case "deadline":
        transfer.deadline = quantity(entry.value, for: .time, what: "“deadline”").flatMap {
          timed($0.timeSpan, entry.value.span, what: "“deadline”")
        }
      default:
        reportUnknown(
          .unknownSetting, "a transfer has no setting “\(entry.name.text)”", entry.name.span,
          entry.name.text, among: ["up", "down", "deadline"], else: "it has up, down and deadline")
      }
    }
    return transfer
  }

  // MARK: Facts

  private mutating func assignments(_ assignments: [TestStep.Assignment]) -> [CheckedTest.Assignment] {
    assignments.compactMap { assignment in
      guard let path = factPath(assignment.path), let schema = vocabulary.schema(path) else { return nil }
      if let number = vocabulary.fact(path), number >= vocabulary.firstComputed || isSetByGovernor(path) {
        report(
          .notPublished, "“\(assignment.path.text)” is computed, and cannot be set",
          assignment.path.span, hint: "set the facts that it is computed from")
        return nil
      }
      guard let value = value(assignment, of: schema) else { return nil }
      if let rejectionReason = schema.rejectionReason(for: value) {
        report(.outOfRange, rejectionReason, assignment.value.span)
        return nil
      }
      return CheckedTest.Assignment(path: path, value: value)
    }
  }

  /// Returns true when the governor itself sets the fact.
  private func isSetByGovernor(_ path: String) -> Bool {
    vocabulary.manifests.contains { manifest in
      manifest.kind != .source
        && ["on", "state", "available"].contains { path == "\(manifest.device.path).\($0)" }
    }
  }

  private mutating func value(_ assignment: TestStep.Assignment, of schema: FactSchema) -> FactValue? {
    let what = "“\(assignment.path.text)”"
    if case .name(let name) = assignment.value, name.text == "unknown" { return .unknown }
    switch schema.type {
    case .quantity(let dimension):
      if dimension == .none, case .number(let literal) = assignment.value { return .number(literal.value) }
      return quantity(assignment.value, for: dimension, what: what).map { .number($0.value) }
    case .boolean, .symbol:
      let words = schema.type == .boolean ? ["false", "true"] : schema.type.words
      guard case .name(let name) = assignment.value, let index = words.firstIndex(of: name.text) else {
        let text = source.text(of: assignment.value.span)
        reportUnknown(
          .unknownWord, "\(what) is never “\(text)”", assignment.value.span, text, among: words,
          else: "it is one of \(words.joined(separator: ", "))")
        return nil
      }
      return schema.type == .boolean ? .boolean(index == 1) : .symbol(index)
    }
  }
}

extension FactType {
  /// The words of a symbol type, in order; empty for other types.
  var words: [String] {
    if case .symbol(let words) = self { words } else { [] }
  }
}
