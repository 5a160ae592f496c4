import StintModel
import StintUnits

/// Checks the services of rules: `watch visits on wifi`, `start orientation`, `stop moves`.
extension PolicyChecker {
  /// The coarsest accuracy, in metres, with which visits can be recognised: about one street block.
  private static let coarsestForVisits = 200.0

  /// Returns the service with this name; nil when none exists, or when a declaration or a device has the
  /// name.
  func service(_ name: Name) -> ServiceWord? {
    guard declared[name.text] == nil, vocabulary.manifest(DeviceID(name.text)) == nil else { return nil }
    return ServiceWord(rawValue: name.text)
  }

  /// Returns the services that a target names; nil when at least one name is not a service.
  ///
  /// When a target names both services and devices, `devices(_:for:_:)` reports the services.
  func services(_ target: SyntaxTarget) -> [ServiceWord]? {
    let words = target.names.compactMap { service($0) }
    return words.isEmpty || words.count < target.names.count ? nil : words
  }

  /// Checks `stop visits`. The directive stops all demands of visits on sensors, for every rule, and for
  /// every client except those after `except`.
  mutating func bar(
    _ words: [ServiceWord], _ exceptions: [StringLiteral], of rule: RuleID
  ) -> [Directive] {
    let sensors = vocabulary.manifests.filter { $0.kind == .sensor }.map(\.device)
    guard !sensors.isEmpty else { return [] }
    return words.map { word in
      var directive = Directive(rule: rule, action: .stopService(word), targets: sensors)
      directive.exceptions = exceptions.map { ClientID($0.text) }.sorted()
      return directive
    }
  }

  /// Checks `start orientation`: the service runs for the policy while the rule is active.
  mutating func serve(
    _ words: [ServiceWord], for client: StringLiteral?, _ settings: [SettingEntry], _ span: SourceSpan,
    of rule: RuleID
  ) -> [Directive]? {
    if let word = words.first(where: \.isWatched) {
      report(
        .badArguments, "“\(word.rawValue)” needs a device that publishes its position", span,
        hint: "write: watch \(word.rawValue) on wifi, with: use location.wifi as wifi")
      return nil
    }
    if let span = client?.span ?? settings.first?.name.span {
      report(
        .badArguments, "a service that a rule starts has no client and no settings", span,
        hint: "write: start \(words.map(\.rawValue).joined(separator: ", "))")
      return nil
    }
    let accelerometer: DeviceID = "motion.accelerometer"
    guard vocabulary.manifest(accelerometer) != nil else {
      missingDevices.insert(accelerometer.path)
      report(
        .missingOptionalDevice, "orientation is left out, because \(accelerometer) is missing", span,
        severity: .note)
      return []
    }
    return words.map { Directive(rule: rule, action: .serve($0), targets: [accelerometer]) }
  }

  /// Checks `watch visits on wifi`: the service runs on that device while the rule is active.
  mutating func watch(
    _ word: ServiceWord, _ name: Name, _ target: SyntaxTarget, _ statement: SyntaxStatement
  ) -> (Directive.Action, [(DeviceID, Manifest?)])? {
    guard word.isWatched else {
      report(
        .badArguments, "orientation is started, not watched on a device", name.span,
        hint: "write: start orientation")
      return nil
    }
    guard let targets = devices(target, for: .watch, statement) else { return nil }
    for (device, manifest) in targets {
      guard let manifest else { continue }
      let missingFact = ["latitude", "longitude", "accuracy"].first {
        vocabulary.fact("\(device.path).\($0)") == nil
      }
      if let missingFact {
        report(
          .boundNotSupported, "\(device) does not publish its \(missingFact)", statement.span,
          label: "this is \(manifest.title)")
        return nil
      }
      guard let rejectionReason = rejectionReason(for: word, on: manifest) else { continue }
      report(.boundNotSupported, rejectionReason.text, statement.span, hint: rejectionReason.hint)
      return nil
    }
    return (.serve(word), targets)
  }

  private func rejectionReason(for word: ServiceWord, on manifest: Manifest) -> (text: String, hint: String)?
  {
    switch word {
    case .visits:
      guard let finest = manifest.attribute(named: "accuracy")?.range?.lowerBound,
        finest > Self.coarsestForVisits
      else { return nil }
      return (
        "\(manifest.device) is too coarse for visits: its finest accuracy is \(Quantity(finest, .length))",
        "watch visits on a device with an accuracy of \(Quantity(Self.coarsestForVisits, .length)) or finer"
      )
    case .moves:
      guard manifest.figures["hot_fix"] != nil else { return nil }
      return (
        "\(manifest.device) is a satellite receiver, which moves cannot use",
        "watch moves on a device for Wi-Fi or cells"
      )
    case .orientation: return nil
    }
  }

  // MARK: Facts

  /// Returns the governor's observation with this name; nil when there is no such observation.
  func observation(_ name: Name) -> Observation? {
    if let signal = ServiceSignal(rawValue: name.text) { return .signal(signal) }
    guard let dot = name.text.lastIndex(of: ".") else { return nil }
    let owner = String(name.text[..<dot])
    let rest = name.text[name.text.index(after: dot)...]
    if rest == "watching", let word = service(Name(text: owner, span: name.span)) { return .watching(word) }
    let device = aliases[owner]?.device ?? DeviceID(owner)
    guard let manifest = vocabulary.manifest(device), manifest.kind != .source else { return nil }
    switch rest {
    case "failed": return .failed(device)
    case "powered": return .powered(device)
    case "batch_done": return manifest.kind == .sensor ? .batchDone(device) : nil
    default: return nil
    }
  }

  /// Returns the path of the governor's observation with this name, and adds the observation to the computed
  /// facts. Nil when there is no such observation.
  mutating func observedPath(_ name: Name) -> String? {
    guard let observation = observation(name) else { return nil }
    if let dot = name.text.lastIndex(of: ".") {
      let owner = String(name.text[..<dot])
      if observation.device != nil, aliases[owner] != nil { used.insert(owner) }
    }
    compute(observation.computed)
    return observation.path
  }

  /// Returns the expression that reads an observation, and adds the observation to the computed facts.
  mutating func observe(_ observation: Observation, _ span: SourceSpan) -> CheckedExpression {
    compute(observation.computed)
    return CheckedExpression(kind: .fact(observation.path), type: observation.type, span: span)
  }

  /// Returns the unknown value of a missing device.
  func nothing(_ span: SourceSpan) -> CheckedExpression {
    CheckedExpression(kind: .constant(.unknown), type: .anything, span: span)
  }
}
