import StintModel
import StintUnits

extension PolicyChecker {
  /// Checks a directive. Returns one directive for all target devices that exist, or one for each named
  /// service. `until` is the condition that ends the directives early; only `defer` has such a condition.
  /// Returns nil when an error was reported, and for a statement that acts once.
  mutating func directive(
    _ statement: SyntaxStatement, of rule: RuleID
  ) -> ([Directive], until: CheckedExpression?)? {
    func make(_ action: Directive.Action, _ targets: [(DeviceID, Manifest?)]) -> Directive? {
      let present = targets.filter { $0.1 != nil }.map(\.0).sorted()
      return present.isEmpty ? nil : Directive(rule: rule, action: action, targets: present)
    }
    switch statement.kind {
    case .start(let target, let client, let settings):
      if let words = services(target) {
        return serve(words, for: client, settings, statement.span, of: rule).map { ($0, nil) }
      }
      guard let targets = devices(target, for: .start, statement) else { return nil }
      reportRepeated(settings)
      if targets.contains(where: { $0.1?.kind == .radio }) {
        guard let start = transfers(targets, for: client, settings, statement.span) else { return nil }
        return (make(.resume(start), targets).map { [$0] } ?? [], nil)
      }
      var wants = DemandSettings()
      for (_, manifest) in targets {
        guard let manifest else { continue }
        for entry in settings { set(entry, of: manifest, in: &wants) }
      }
      let action = Directive.Action.start(client: client.map { ClientID($0.text) }, wants: wants)
      return (make(action, targets + inputs(of: targets)).map { [$0] } ?? [], nil)
    case .stop(let target, let exceptions):
      if let words = services(target) { return (bar(words, exceptions, of: rule), nil) }
      guard let targets = devices(target, for: .stop, statement) else { return nil }
      var directive = make(.stop, targets)
      directive?.exceptions = exceptions.map { ClientID($0.text) }.sorted()
      return (directive.map { [$0] } ?? [], nil)
    case .pause(let target):
      return devices(target, for: .pause, statement).map { (make(.pause, $0).map { [$0] } ?? [], nil) }
    case .downgrade(let target, .settings(let settings)):
      guard let targets = devices(target, for: .downgrade, statement),
        let values = ceilings(settings, of: targets)
      else { return nil }
      return (make(.limitAttributes(values), targets).map { [$0] } ?? [], nil)
    case .downgrade(let target, .value(let value)):
      guard let targets = devices(target, for: .downgrade, statement),
        let action = downgrade(value, targets)
      else { return nil }
      return (make(action, targets).map { [$0] } ?? [], nil)
    case .batch(let target, let bounds):
      guard let targets = devices(target, for: .batch, statement) else { return nil }
      let checked = bounds.compactMap { bound($0, targets) }
      guard checked.count == bounds.count else { return nil }
      return (make(.batch(checked), targets).map { [$0] } ?? [], nil)
    case .defer(let target, let until, let deadline):
      let targets = devices(target, for: .defer, statement)
      let condition = until.flatMap { self.condition($0) }
      let limit = deadline.flatMap { positiveTime($0, what: "the deadline") }
      guard let targets else { return nil }
      return (make(.postpone(deadline: limit), targets).map { [$0] } ?? [], condition)
    case .watch(let zone, let target):
      guard let (action, targets) = watch(zone, target, statement) else { return nil }
      return (make(action, targets).map { [$0] } ?? [], nil)
    case .fix, .flush, .emit, .tell, .launch: return nil
    }
  }

  /// Returns the devices from whose samples these devices compute their own samples. A start of these devices
  /// also starts their inputs.
  private func inputs(of targets: [(DeviceID, Manifest?)]) -> [(DeviceID, Manifest?)] {
    var found: [(DeviceID, Manifest?)] = []
    for input in targets.flatMap({ $0.1?.inputs ?? [] }) {
      guard let manifest = vocabulary.manifest(input) else { continue }
      guard !(targets + found).contains(where: { $0.0 == input }) else { continue }
      found.append((input, manifest))
    }
    return found
  }

  /// Returns the devices of a target that support the verb, and missing devices with a nil manifest. Nil when
  /// none of the named devices remains. Reports each named device that does not support the verb, with the
  /// verbs of its manifest.
  mutating func devices(
    _ target: SyntaxTarget, for verb: Verb, _ statement: SyntaxStatement
  ) -> [(DeviceID, Manifest?)]? {
    if target.names.count == 1, target.names[0].text == "all", aliases["all"] == nil {
      return vocabulary.manifests.filter { $0.verbs.contains(verb) }.map { ($0.device, $0) }
    }
    var found: [(DeviceID, Manifest?)] = []
    for name in target.names {
      guard let (device, manifest) = device(name) else { continue }
      if let manifest, !manifest.verbs.contains(verb) {
        let verbs = manifest.verbs.map(\.rawValue).joined(separator: ", ")
        report(
          .verbNotSupported, "\(device) cannot “\(verb.rawValue)”", statement.verb.span,
          others: [Diagnostic.Label(span: name.span, text: manifest.title)],
          hint: verbs.isEmpty ? "its manifest has no verbs" : "the verbs of its manifest are \(verbs)")
        continue
      }
      if !found.contains(where: { $0.0 == device }) { found.append((device, manifest)) }
    }
    return found.isEmpty ? nil : found
  }

  /// Checks the value of a downgrade: an accuracy or a rate, depending on its dimension.
  private mutating func downgrade(
    _ value: SyntaxValue, _ targets: [(DeviceID, Manifest?)]
  ) -> Directive.Action? {
    let found: Quantity?
    switch value {
    case .quantity(let literal): found = self.value(of: literal)
    case .number(let literal): found = Quantity(literal.value, .none)
    case .name(let name):
      guard !name.text.isEmpty else { return nil }
      found = constant(name, else: "a device is downgraded to an accuracy or a rate")
    case .string(let literal):
      report(.typeMismatch, "a device is downgraded to an accuracy or a rate, not to a string", literal.span)
      return nil
    }
    guard let quantity = found else { return nil }
    let isAccuracy = quantity.dimension == .length
    guard isAccuracy || quantity.dimension == .rate else {
      let takesRate = targets.first?.1?.attribute(named: "accuracy") == nil
      reportWrongUnit(
        value.span, found: quantity, expected: takesRate || quantity.dimension == .time ? .rate : .length,
        what: "a downgrade")
      return nil
    }
    for (device, manifest) in targets {
      guard let manifest else { continue }
      guard let schema = manifest.attribute(named: isAccuracy ? "accuracy" : "rate") else {
        report(
          .unknownSetting, "\(device) has no \(isAccuracy ? "accuracy" : "rate")", value.span,
          hint: isAccuracy ? "give a rate, as in 1 per 30 s" : "give an accuracy, as in 100 m")
        return nil
      }
      guard checkIsSupported(quantity, by: schema, of: manifest, value.span) else { return nil }
    }
    if isAccuracy { return .limitAccuracy(accuracy: quantity.value) }
    return period(of: quantity, value.span, what: "a rate").map { .slow(period: $0) }
  }

  /// Checks one bound of a batch: a time, a distance, a count or an amount of data.
  private mutating func bound(_ value: SyntaxValue, _ targets: [(DeviceID, Manifest?)]) -> HoldBound? {
    let found: Quantity?
    switch value {
    case .quantity(let literal): found = self.value(of: literal)
    case .name(let name):
      guard !name.text.isEmpty else { return nil }
      found = constant(name, else: "a bound is a time, a distance, a count of items or an amount of data")
    case .number(let literal):
      report(
        .missingUnit, "a bound needs a unit", literal.span,
        hint: "write s or min, m or km, items, kB or MB after the number")
      return nil
    case .string(let literal):
      report(.typeMismatch, "a bound is a quantity, not a string", literal.span)
      return nil
    }
    guard let quantity = found else { return nil }
    guard quantity.value > 0 else {
      report(.outOfRange, "a bound must be above 0", value.span)
      return nil
    }
    return bound(quantity, value.span, targets)
  }

  private mutating func bound(
    _ quantity: Quantity, _ span: SourceSpan, _ targets: [(DeviceID, Manifest?)]
  ) -> HoldBound? {
    let manifests = targets.compactMap(\.1)
    switch quantity.dimension {
    case .time: return timed(quantity.timeSpan, span, what: "a bound").map(HoldBound.time)
    case .items: return .items(max(1, Int(quantity.value.rounded())))
    case .length:
      guard
        let unmeasured = manifests.first(where: { vocabulary.fact($0.device.path + ".distance") == nil })
      else {
        return .distance(quantity.value)
      }
      report(
        .boundNotSupported, "\(unmeasured.device) does not measure distance", span,
        hint: "its manifest has no fact “distance”; give a time or a count of items")
    case .data:
      guard let sensor = manifests.first(where: { $0.kind != .radio }) else {
        return .data(Int64(quantity.value.rounded()))
      }
      report(
        .boundNotSupported, "\(sensor.device) counts samples, not bytes", span,
        hint: "give a time or a count of items")
    default: reportWrongUnit(span, found: quantity, expected: .time, what: "a bound")
    }
    return nil
  }
}
