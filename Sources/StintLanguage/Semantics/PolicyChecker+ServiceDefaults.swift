import StintModel
import StintUnits

/// Checks the settings of `default` blocks that apply to services of clients, not to the device itself.
extension PolicyChecker {
  /// Returns the service settings that the default block of a device may have.
  func serviceWords(of manifest: Manifest) -> [String] {
    if manifest.kind == .radio { return LanguageDefinition.settingNames(.transfers) }
    let publishesPosition = ["latitude", "longitude"].allSatisfy {
      vocabulary.fact("\(manifest.device.path).\($0)") != nil
    }
    guard publishesPosition else { return [] }
    let words = LanguageDefinition.settingNames(.positions)
    return manifest.figures["hot_fix"] == nil ? words : words.filter { $0 != "heartbeat" }
  }

  /// Applies one setting. The caller has checked that the setting is one of `serviceWords(of:)`, or is
  /// `nested` of the service `orientation`.
  mutating func setService(_ entry: SettingEntry, in defaults: inout ServiceDefaults) {
    let what = "“\(entry.name.text)”"
    switch entry.name.text {
    case "filter":
      guard let metres = quantity(entry.value, for: .length, what: what) else { return }
      guard metres.value > 0 else {
        report(.outOfRange, "\(what) must be above 0", entry.value.span)
        return
      }
      defaults.filter = metres.value
    case "heartbeat": defaults.heartbeat = heartbeat(entry, what)
    case "session":
      guard case .string(let literal) = entry.value else {
        report(
          .typeMismatch, "\(what) is a string, the identifier of a session", entry.value.span,
          hint: "as in: session \"com.example.sync\"")
        return
      }
      defaults.session = literal.text
    case "fuzz": defaults.fuzz = truth(entry)
    case "discretionary": defaults.discretionary = truth(entry, changingTo: true)
    case "cellular": defaults.cellular = truth(entry, changingTo: false)
    case "out_of_process": defaults.outOfProcess = truth(entry, changingTo: false)
    default: defaults.nested = truth(entry)
    }
  }

  /// Checks `start net for "mail" with { session "sync"  discretionary off }`; nil when an error was
  /// reported.
  mutating func transfers(
    _ targets: [(DeviceID, Manifest?)], for client: StringLiteral?, _ settings: [SettingEntry],
    _ span: SourceSpan
  ) -> TransferStart? {
    if let other = targets.first(where: { $0.1.map { $0.kind != .radio } ?? false }) {
      report(
        .badArguments, "transfers begin on a radio, and \(other.0) is not a radio", span,
        hint: "start \(other.0) in a directive of its own")
      return nil
    }
    var start = TransferStart(client: client.map { ClientID($0.text) })
    var isSound = true
    for entry in settings {
      switch (entry.name.text, entry.value) {
      case ("session", .string(let literal)): start.session = literal.text
      case ("session", _):
        report(
          .typeMismatch, "“session” is a string, the identifier of a session", entry.value.span,
          hint: "as in: session \"com.example.sync\"")
        isSound = false
      case ("discretionary", _):
        guard word(entry.value, among: ["off"], of: "“discretionary” of a start") != nil else {
          isSound = false
          continue
        }
        start.isAtOnce = true
      default:
        reportUnknown(
          .unknownSetting, "a start of transfers has no setting “\(entry.name.text)”", entry.name.span,
          entry.name.text, among: ["discretionary", "session"], else: "it has discretionary and session")
        isSound = false
      }
    }
    return isSound ? start : nil
  }

  private mutating func truth(_ entry: SettingEntry) -> Bool? {
    word(entry.value, among: ["on", "off"], of: "“\(entry.name.text)”").map { $0 == "on" }
  }

  /// Returns the value of a setting of sessions. A default changes such a setting in one direction only,
  /// because it may reduce the energy that an app spends, but never increase it.
  private mutating func truth(_ entry: SettingEntry, changingTo effective: Bool) -> Bool? {
    let truth = truth(entry)
    if truth == !effective {
      let name = entry.name.text
      report(
        .noEffect, "a default cannot turn “\(name)” \(effective ? "off" : "on")", entry.name.span,
        severity: .warning, label: "no effect",
        hint: "a session decides this itself; omit “\(name)”, or write: \(name) \(effective ? "on" : "off")")
    }
    return truth
  }

  /// Warns about a block that names a session and has no setting for this session.
  mutating func warnAboutBareSession(_ item: DefaultItem, _ defaults: ServiceDefaults) {
    guard defaults.session != nil,
      [defaults.discretionary, defaults.cellular, defaults.outOfProcess].allSatisfy({ $0 == nil }),
      let entry = item.settings.first(where: { $0.name.text == "session" })
    else { return }
    report(
      .noEffect, "the block has no setting for the session", entry.name.span, severity: .warning,
      label: "no effect", hint: "add a setting, as in: discretionary on")
  }

  private mutating func heartbeat(_ entry: SettingEntry, _ what: String) -> TimeSpan? {
    if case .name(let name) = entry.value, name.text == "off" { return .zero }
    guard let quantity = quantity(entry.value, for: .time, what: what) else { return nil }
    guard let span = quantity.timeSpan, span >= .minutes(1) else {
      report(
        .outOfRange, "a heartbeat of \(quantity) is too fast", entry.value.span,
        hint: "use 1 min or more, or: heartbeat off")
      return nil
    }
    return timed(span, entry.value.span, what: what)
  }

  /// Checks `default orientation { nested on }`. Returns false when the target is not a service.
  mutating func checkServiceDefault(_ item: DefaultItem) -> Bool {
    guard let word = service(item.target) else { return false }
    guard word == .orientation else {
      report(
        .badArguments,
        "settings of \(word.rawValue) belong to the device on which \(word.rawValue) are watched",
        item.target.span, hint: "as in: default wifi { heartbeat 15 min }")
      return true
    }
    reportRepeated(item.settings)
    var checked = CheckedDefaults(device: DeviceID(word.rawValue), wants: DemandSettings())
    for entry in item.settings {
      guard entry.name.text == "nested" else {
        reportUnknown(
          .unknownSetting, "orientation has no setting “\(entry.name.text)”", entry.name.span,
          entry.name.text, among: ["nested"], else: "it has nested")
        continue
      }
      setService(entry, in: &checked.services)
    }
    policy.defaults.append(checked)
    return true
  }
}
