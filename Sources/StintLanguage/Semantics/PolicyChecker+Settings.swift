import StintModel
import StintUnits

extension PolicyChecker {
  /// Returns the device of an alias or a full name, with its manifest. The manifest is nil for an optional
  /// device that is missing.
  mutating func device(_ name: Name) -> (DeviceID, Manifest?)? {
    guard !name.text.isEmpty else { return nil }
    if let alias = aliases[name.text] {
      used.insert(name.text)
      if alias.manifest == nil { missingDevices.insert(alias.device.path) }
      return (alias.device, alias.manifest)
    }
    let device = DeviceID(name.text)
    if let manifest = vocabulary.manifest(device) { return (device, manifest) }
    if isMissingDevice(name) {
      missingDevices.insert(device.path)
      return (device, nil)
    }
    guard hasRoom(for: .error) else { return nil }
    reportUnknown(
      .unknownDevice, "no device is called “\(name.text)” here", name.span, name.text,
      among: maySuggest(among: aliases.count)
        ? aliases.keys.sorted() + vocabulary.manifests.map(\.device.path) : [],
      else: "declare it: use DEVICE as \(name.text)")
    return nil
  }

  /// Checks one setting and stores it in `wants`.
  mutating func set(
    _ entry: SettingEntry, of manifest: Manifest, in wants: inout DemandSettings, more: [String] = []
  ) {
    let name = entry.name.text
    let general = Self.generalAttributes(of: manifest)
    guard let schema = manifest.attribute(named: name) ?? general.first(where: { $0.name == name }) else {
      let own = (manifest.attributes + general).map(\.name).filter { $0 != "linger" && $0 != "max_age" }
      let names = Set(own + more).sorted()
      reportUnknown(
        .unknownSetting, "\(manifest.device) has no setting “\(name)”", entry.name.span, name, among: names,
        else: "it has \(names.joined(separator: ", "))")
      return
    }
    switch schema.type {
    case .symbol(let words):
      guard let word = word(entry.value, among: words, of: "“\(name)”") else { return }
      switch name {
      case "activity": wants.activity = word
      case "background": wants.background = word == "on"
      case "pause": wants.pausing = word != "off"
      case "mode": wants.latency = word == "pull" ? DemandSettings.newestOnlyLatency : .zero
      default: setOwn(.word(word), entry, schema, manifest, &wants)
      }
    case .quantity(let dimension):
      guard let quantity = quantity(entry.value, for: dimension, what: "“\(name)”"),
        checkIsSupported(quantity, by: schema, of: manifest, entry.value.span)
      else { return }
      switch name {
      case "accuracy": wants.accuracy = quantity.value
      case "rate": wants.period = period(of: quantity, entry.value.span, what: "“rate”")
      case "latency": wants.latency = wait(quantity, entry.value.span, what: "“latency”")
      default: setOwn(.quantity(quantity), entry, schema, manifest, &wants)
      }
    case .boolean:
      guard let word = word(entry.value, among: ["true", "false"], of: "“\(name)”") else { return }
      setOwn(.truth(word == "true"), entry, schema, manifest, &wants)
    }
  }

  /// Reports a setting that a block gives twice. Also reports a block with both `mode` and `latency`, because
  /// these settings set the same value.
  mutating func reportRepeated(_ entries: [SettingEntry]) {
    var seen: [String: SourceSpan] = [:]
    for entry in entries {
      if let first = seen[entry.name.text] {
        report(
          .duplicateName, "“\(entry.name.text)” is set twice", entry.name.span, label: "again here",
          others: [Diagnostic.Label(span: first, text: "first here")])
      }
      seen[entry.name.text] = seen[entry.name.text] ?? entry.name.span
    }
    if let mode = seen["mode"], let latency = seen["latency"] {
      report(
        .duplicateName, "“mode” and “latency” both set how late samples may come", mode,
        label: "set by mode here", others: [Diagnostic.Label(span: latency, text: "set by latency here")],
        hint: "keep latency when every sample is needed; keep mode pull when the newest samples suffice")
    }
  }

  /// Returns the settings that every demand on a sensor may have. They configure the demand, not the
  /// hardware.
  private static func generalAttributes(of manifest: Manifest) -> [AttributeSchema] {
    guard manifest.kind == .sensor else { return [] }
    // A sensor without a sample queue must deliver each sample immediately.
    let scopes: [SettingDefinition.Scope] = manifest.fifo > 0 ? [.sensor, .queue] : [.sensor]
    return scopes.flatMap { scope in
      LanguageDefinition.settings.filter { $0.scope == scope }.compactMap(\.general)
    }
  }

  /// Stores the value of an attribute that only the manifest defines.
  private mutating func setOwn(
    _ value: AttributeValue, _ entry: SettingEntry, _ schema: AttributeSchema, _ manifest: Manifest,
    _ wants: inout DemandSettings
  ) {
    guard schema.isOwn else {
      reportWithoutEffect(entry, manifest)
      return
    }
    guard let supported = schema.supported(value) else {
      var values = ""
      if case .listed(let priced)? = schema.cost {
        values = priced.map(\.value.description).joined(separator: ", ")
      }
      report(
        .beyondDevice, "\(manifest.device) does not support \(schema.name) \(value)", entry.value.span,
        hint: "its manifest gives \(values)")
      return
    }
    wants.attributes[schema.name] = supported
  }

  /// Checks the attributes of a downgrade; nil when a device lacks an attribute or does not support a value.
  mutating func ceilings(
    _ settings: [SettingEntry], of targets: [(DeviceID, Manifest?)]
  ) -> AttributeValues? {
    reportRepeated(settings)
    var values = AttributeValues()
    for manifest in targets.compactMap(\.1) {
      for entry in settings {
        guard let schema = manifest.attribute(named: entry.name.text), schema.isOwn else {
          let names = manifest.ownAttributes.map(\.name)
          reportUnknown(
            .unknownSetting, "\(manifest.device) has no attribute “\(entry.name.text)” to limit",
            entry.name.span, entry.name.text, among: names,
            else: names.isEmpty
              ? "limit its accuracy or its rate, as in 1 per 30 s" : "it has \(names.joined(separator: ", "))"
          )
          return nil
        }
        var wants = DemandSettings()
        set(entry, of: manifest, in: &wants)
        guard let value = wants.attributes[schema.name] else { return nil }
        values[schema.name] = value
      }
    }
    return values
  }

  private mutating func reportWithoutEffect(_ entry: SettingEntry, _ manifest: Manifest) {
    report(
      .unknownSetting, "“\(entry.name.text)” of \(manifest.device) cannot be set here", entry.name.span,
      hint: "it can be set in a default block only")
  }

  mutating func word(_ value: SyntaxValue, among words: [String], of what: String) -> String? {
    guard case .name(let name) = value, words.contains(name.text) else {
      let text = source.text(of: value.span)
      reportUnknown(
        .unknownWord, "\(what) cannot be “\(text)”", value.span, text, among: words,
        else: "it is one of \(words.joined(separator: ", "))")
      return nil
    }
    return name.text
  }

  /// Returns a quantity of a dimension, or the value of a parameter or of a constant `let`. Reports any other
  /// value and returns nil.
  mutating func quantity(_ value: SyntaxValue, for dimension: Dimension, what: String) -> Quantity? {
    switch value {
    case .quantity(let literal):
      if let name = literal.name { return self.quantity(.name(name), for: dimension, what: what) }
      guard let quantity = self.value(of: literal) else { return nil }
      guard quantity.dimension == dimension else {
        reportWrongUnit(literal.span, found: quantity, expected: dimension, what: what)
        return nil
      }
      return quantity
    case .number(let literal) where dimension == .none: return Quantity(literal.value, .none)
    case .number(let literal):
      reportWrongUnit(literal.span, found: Quantity(literal.value, .none), expected: dimension, what: what)
      return nil
    case .name(let name):
      guard !name.text.isEmpty else { return nil }
      guard let quantity = constant(name, else: "\(what) is \(dimension.phrase)") else { return nil }
      guard quantity.dimension == dimension else {
        reportWrongUnit(name.span, found: quantity, expected: dimension, what: what)
        return nil
      }
      return quantity
    case .string(let literal):
      report(.typeMismatch, "\(what) is \(dimension.phrase), not a string", literal.span, label: "a string")
      return nil
    }
  }

  /// Returns a span of time that a timer can wait for; nil, with a report, for any other span.
  mutating func positiveTime(_ literal: QuantityLiteral, what: String) -> TimeSpan? {
    guard let quantity = quantity(.quantity(literal), for: .time, what: what) else { return nil }
    return timed(quantity.timeSpan, literal.span, what: what)
  }

  /// Returns true when the device supports the value; reports an unsupported value.
  mutating func checkIsSupported(
    _ quantity: Quantity, by schema: AttributeSchema, of manifest: Manifest, _ span: SourceSpan
  ) -> Bool {
    guard let range = schema.range, !range.contains(quantity.value) else { return true }
    let low = Quantity(range.lowerBound, quantity.dimension)
    let high = Quantity(range.upperBound, quantity.dimension)
    report(
      .beyondDevice, "\(manifest.device) does not support \(quantity)", span,
      hint: "its manifest gives \(schema.name) from \(low) to \(high)")
    return false
  }
}
