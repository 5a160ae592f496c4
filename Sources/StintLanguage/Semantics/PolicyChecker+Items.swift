import StintModel
import StintUnits

extension PolicyChecker {
  static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  mutating func declareNames() {
    registerConstants()
    for item in file.items {
      switch item {
      case .use(let item): declare(use: item)
      case .let(let item): declare(item.name)
      case .parameter(let item): declare(parameter: item)
      case .schedule(let item): declare(schedule: item)
      case .rule(let item): declareRule(item.name)
      case .budget(let item): declare(budget: item)
      case .zone(let item): declare(zone: item)
      case .machine(let item): declare(machine: item)
      case .default, .require, .test: continue
      }
    }
  }

  @discardableResult
  mutating func declare(_ name: Name) -> Bool {
    guard !name.text.isEmpty else { return false }
    if let first = declared[name.text] {
      report(
        .duplicateName, "“\(name.text)” is declared twice", name.span, label: "again here",
        others: [Diagnostic.Label(span: first, text: "first here")])
      return false
    }
    declared[name.text] = name.span
    return true
  }

  mutating func declareRule(_ name: Name) {
    guard !name.text.isEmpty else { return }
    if let first = ruleSpans[name.text] {
      report(
        .duplicateName, "two rules are called “\(name.text)”", name.span, label: "again here",
        others: [Diagnostic.Label(span: first, text: "first here")])
    } else {
      ruleSpans[name.text] = name.span
    }
  }

  private mutating func declare(use item: UseItem) {
    guard !item.path.text.isEmpty else { return }
    guard declare(item.alias) else { return }
    reportCondition(of: item)
    let candidates = item.candidates(in: vocabulary)
    let isClear = UseItem.areExchangeable(candidates)
    let (device, manifest) = (item.device(in: vocabulary), isClear ? candidates.first : nil)
    aliases[item.alias.text] = Alias(device: device, span: item.path.span, manifest: manifest)
    if policy.deviceNames[device] == nil { policy.deviceNames[device] = item.alias.text }
    guard isClear else { return reportAmbiguous(item, candidates) }
    guard manifest == nil else { return }
    let names = vocabulary.manifests.map(\.device.path)
    let missing = "no device \(item.isPattern ? "matches" : "is called") “\(item.path.text)”"
    if item.isRequired {
      reportUnknown(
        .unknownDevice, "\(missing), and the policy requires it", item.path.span,
        item.path.text, among: item.isPattern ? [] : names,
        else: "the devices are \(names.joined(separator: ", "))")
    } else {
      let nearest = item.isPattern ? nil : Suggestion.nearest(to: item.path.text, in: names)
      report(
        .missingOptionalDevice,
        "\(missing): its directives are left out, and its facts are unknown",
        item.path.span, severity: .note, hint: nearest.map { "did you mean “\($0)”?" },
        fix: nearest.map { Diagnostic.Fix(span: item.path.span, replacement: $0) })
    }
  }

  /// Reports a `where` with another property than the vendor, the only property that can select a device.
  private mutating func reportCondition(of item: UseItem) {
    guard let condition = item.condition, let any = vocabulary.manifests.first, item.accepts(any) == nil
    else {
      return
    }
    report(
      .notConstant, "a device is chosen by its vendor only", condition.span,
      hint: "write: where vendor == \"sim\"")
  }

  /// Reports a pattern that matches devices of different kinds.
  private mutating func reportAmbiguous(_ item: UseItem, _ candidates: [Manifest]) {
    let names = candidates.map(\.device.path)
    report(
      .unknownDevice, "“\(item.path.text)” matches different devices: \(names.joined(separator: ", "))",
      item.path.span, hint: "write the name of one device")
  }

  private mutating func declare(parameter item: ParameterItem) {
    guard declare(item.name) else { return }
    guard let value = item.value.quantity, let low = item.low.quantity, let high = item.high.quantity else {
      return
    }
    for (bound, literal) in [(low, item.low), (high, item.high)] where bound.dimension != value.dimension {
      reportWrongUnit(
        literal.span, found: bound, expected: value.dimension, what: "the range of “\(item.name.text)”")
      return
    }
    if low.value > high.value {
      report(
        .outOfRange, "this range is empty: \(low) is more than \(high)", item.low.span,
        hint: "write the lower bound first")
    } else if !(low.value...high.value).contains(value.value) {
      report(
        .outOfRange, "\(value) lies outside \(low) .. \(high)", item.value.span, label: "the value",
        others: [
          Diagnostic.Label(
            span: SourceSpan(start: item.low.span.start, end: item.high.span.end), text: "its range")
        ])
    }
  }

  private mutating func declare(schedule item: ScheduleItem) {
    guard declare(item.name) else { return }
    var windows: [CheckedSchedule.Window] = []
    for window in item.windows {
      guard let from = window.from.time, let to = window.to.time else { continue }
      let days = window.days.flatMap { self.days($0) }
      windows.append(CheckedSchedule.Window(days: Array(Set(days)).sorted(), from: from, to: to))
    }
    schedules[item.name.text] = policy.schedules.count
    policy.schedules.append(CheckedSchedule(name: item.name.text, windows: windows))
  }

  private mutating func days(_ name: Name) -> [Int] {
    if name.text == "weekdays" { return [0, 1, 2, 3, 4] }
    if name.text == "weekends" { return [5, 6] }
    if let day = Self.weekdays.firstIndex(of: name.text) { return [day] }
    reportUnknown(
      .unknownWord, "“\(name.text)” is not a day", name.span, name.text,
      among: Self.weekdays + ["weekdays", "weekends"], else: "days are mon to sun, weekdays and weekends")
    return []
  }

  mutating func checkDefault(_ item: DefaultItem) {
    if checkServiceDefault(item) { return }
    guard let (device, manifest) = device(item.target) else { return }
    guard let manifest else { return }
    let ofServices = serviceWords(of: manifest)
    var checked = CheckedDefaults(device: device, wants: DemandSettings())
    if let first = defaultSpans[device] {
      report(
        .duplicateName, "\(device) has two defaults", item.target.span, label: "again here",
        others: [Diagnostic.Label(span: first, text: "first here")], hint: "write them into one block")
    }
    defaultSpans[device] = defaultSpans[device] ?? item.target.span
    reportRepeated(item.settings)
    var takesPlatformDefaults = false
    for entry in item.settings {
      switch entry.name.text {
      case "linger": checked.linger = time(entry)
      case "max_age": checked.maxAge = time(entry, mayBeNothing: false)
      case "platform_defaults": takesPlatformDefaults = isOn(entry)
      case let name where ofServices.contains(name): setService(entry, in: &checked.services)
      default:
        let more = ["linger", "max_age", "platform_defaults"] + ofServices
        set(entry, of: manifest, in: &checked.wants, more: more)
      }
    }
    // When the block sets `platform_defaults` to `on` and does not set `accuracy`, the default is the finest
    // accuracy of the device, as on phone platforms.
    if takesPlatformDefaults, checked.wants.accuracy == nil {
      checked.wants.accuracy = manifest.attribute(named: "accuracy")?.range?.lowerBound
    }
    adviseAccuracy(item, checked.wants)
    warnAboutBareSession(item, checked.services)
    policy.defaults.append(checked)
  }

  private mutating func isOn(_ entry: SettingEntry) -> Bool {
    word(entry.value, among: ["on", "off"], of: "“\(entry.name.text)”") == "on"
  }

  private mutating func time(_ entry: SettingEntry, mayBeNothing: Bool = true) -> TimeSpan? {
    let what = "“\(entry.name.text)”"
    guard let quantity = quantity(entry.value, for: .time, what: what) else { return nil }
    if mayBeNothing { return wait(quantity, entry.value.span, what: what) }
    return timed(quantity.timeSpan, entry.value.span, what: what)
  }

  /// Warns about an accuracy of 10 m or finer. Reports only a note when the block gives an activity other
  /// than `other`.
  private mutating func adviseAccuracy(_ item: DefaultItem, _ wants: DemandSettings) {
    guard let accuracy = wants.accuracy, accuracy <= 10,
      let entry = item.settings.first(where: { $0.name.text == "accuracy" })
    else { return }
    let span = SourceSpan(start: entry.name.span.start, end: entry.value.span.end)
    let text = "accuracy \(Quantity(accuracy, .length)) is in the most expensive class"
    if let activity = wants.activity, activity != "other" {
      report(.dearAccuracy, "\(text); allowed because activity is \(activity)", span, severity: .note)
    } else {
      report(
        .dearAccuracy, text, span, severity: .warning,
        hint: "give the activity that needs it, as in: activity fitness; or ask for 100 m")
    }
  }
}
