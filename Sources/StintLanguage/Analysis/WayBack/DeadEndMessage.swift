import StintModel

/// Builds the message of a dead end.
///
/// The message contains the rule that stays in force, the sensor that is off, and a way to correct the
/// policy.
struct DeadEndMessage {
  private let vocabulary: Vocabulary

  init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  /// Returns the dead end of a single rule that stays in force permanently.
  func single(
    _ off: SwitchOffRule, _ directive: CheckedDirective, stuck devices: [DeviceID],
    _ readings: [Witness.Reading]
  ) -> DeadEnd {
    let target = devices[0]
    let verb = directive.verb
    let condition = off.rule.trigger.condition
    let offDeviceFacts = offDeviceFacts(in: [off], readings)
    let title: String
    var labels = [Diagnostic.Label(span: directive.span, text: "off from here on")]
    if condition == nil {
      title = "nothing ever switches \(target) on again after this \(verb)"
    } else if offDeviceFacts.isEmpty {
      title =
        "nothing ever ends this \(verb): the condition of “\(off.rule.id.rule)” stays true"
        + (condition?.readsDemand(on: target) == true ? " while a client demands \(target)" : "")
    } else {
      title =
        "nothing ever ends this \(verb): only \(source(of: offDeviceFacts[0], else: target)) can change \(offDeviceFacts[0]), "
        + "and this device is off then"
    }
    for path in offDeviceFacts {
      guard let span = condition?.firstSpan(reading: path) else { continue }
      labels.append(
        Diagnostic.Label(span: span, text: "unchanged while \(source(of: path, else: target)) is off"))
    }
    if let condition, offDeviceFacts.isEmpty {
      labels.append(Diagnostic.Label(span: condition.span, text: "never ends"))
    }
    return DeadEnd(
      rules: [off.rule.id], devices: devices, readings: readings,
      diagnostic: Diagnostic(
        .noWayBack, title, file: off.policy.file, labels: labels,
        hint: hint(off, directive, offDeviceFacts)))
  }

  /// Returns the dead end of a cycle of rules.
  ///
  /// Each rule keeps a device off, and another rule of the cycle can end only by facts of that device.
  func circle(_ offs: [SwitchOffRule], _ readings: [Witness.Reading]) -> DeadEnd {
    let names = offs.map { "“\($0.rule.id.rule)”" }.joined(separator: " and ")
    let devices = offs.reduce(into: Set<DeviceID>()) { $0.formUnion($1.targets) }.sorted()
    let first = offs[0]
    var labels = [Diagnostic.Label(span: first.directives[0].span, text: "off from here on")]
    for off in offs where off.policy.file == first.policy.file {
      for path in offDeviceFacts(in: [off], readings) {
        guard let span = off.rule.trigger.condition?.firstSpan(reading: path) else { continue }
        labels.append(
          Diagnostic.Label(span: span, text: "unchanged while \(source(of: path, else: devices[0])) is off"))
      }
    }
    let list = devices.map(\.path).joined(separator: " and ")
    return DeadEnd(
      rules: offs.map(\.rule.id), devices: devices, readings: readings,
      diagnostic: Diagnostic(
        .noWayBack,
        "nothing ever ends \(names): together they keep \(list) off, and nothing else could end them",
        file: first.policy.file, labels: labels,
        hint: "begin one of the rules with “when” and give a duration, as in: "
          + example(first, first.directives[0])))
  }

  /// Returns the dead end of several rules: at every moment, at least one of them keeps the device off.
  func alternating(_ offs: [SwitchOffRule], on device: DeviceID, _ readings: [Witness.Reading]) -> DeadEnd {
    let names = offs.map { "“\($0.rule.id.rule)”" }.joined(separator: " and ")
    let file = offs[0].policy.file
    let first = offs[0].directives.first { $0.directive.targets.contains(device) } ?? offs[0].directives[0]
    let labels = offs.filter { $0.policy.file == file }.enumerated().map { number, off in
      let stop = off.directives.first { $0.directive.targets.contains(device) }
      return Diagnostic.Label(
        span: stop?.span ?? off.rule.span,
        text: number == 0 ? "off while this rule is active" : "and while this rule is active")
    }
    return DeadEnd(
      rules: offs.map(\.rule.id), devices: [device], readings: readings,
      diagnostic: Diagnostic(
        .noWayBack, "at every moment, one of \(names) keeps \(device) off", file: file, labels: labels,
        hint:
          "leave a time in which none of these rules is active, or begin one of them with “when” and give a "
          + "duration, as in: " + example(offs[0], first, device)))
  }

  /// Returns the dead end of a defer whose `until` can never become true.
  func unreachableUntil(
    _ directive: CheckedDirective, _ until: CheckedExpression, _ rule: CheckedRule, _ policy: CheckedPolicy
  ) -> DeadEnd {
    let targets = directive.directive.targets
    let list = targets.map(\.path).joined(separator: " and ")
    return DeadEnd(
      rules: [rule.id], devices: targets, readings: [],
      diagnostic: Diagnostic(
        .noWayBack,
        "nothing ever makes this “until” true while \(list) \(targets.count == 1 ? "waits" : "wait")",
        file: policy.file,
        labels: [
          Diagnostic.Label(span: until.span, text: "never true"),
          Diagnostic.Label(span: directive.span, text: "only the deadline ends this"),
        ],
        hint: "wait for a fact of another device, as in: until net.kind is wifi"))
  }

  /// Returns the facts that cannot change because a device is off, in source order.
  private func offDeviceFacts(in offs: [SwitchOffRule], _ readings: [Witness.Reading]) -> [String] {
    let read = offs.flatMap { $0.rule.trigger.condition?.facts ?? [] }
    let stuck = Set(readings.map(\.path))
    // A reading is missing when a fact can have one value only.
    let devices = offs.reduce(into: Set<DeviceID>()) { $0.formUnion($1.targets) }
    let offFacts = OffDeviceFacts(vocabulary: vocabulary, devices: devices)
    let wanted = readings.isEmpty ? read.filter(offFacts.isLimited) : read.filter(stuck.contains)
    return wanted.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private func source(of path: String, else device: DeviceID) -> DeviceID {
    vocabulary.device(ofFact: path) ?? device
  }

  /// Returns a directive with a duration, with the policy's name of the device: `stop gps for 5 min`.
  private func example(_ off: SwitchOffRule, _ directive: CheckedDirective, _ device: DeviceID? = nil)
    -> String
  {
    let device = device ?? directive.directive.targets[0]
    return "\(directive.verb) \(off.policy.name(of: device)) for 5 min"
  }

  private func hint(_ off: SwitchOffRule, _ directive: CheckedDirective, _ offDeviceFacts: [String]) -> String
  {
    guard off.rule.trigger.condition != nil else {
      let name = off.policy.name(of: directive.directive.targets[0])
      return
        "give a condition, as in: while battery.level below 15 % release 20 % { \(directive.verb) \(name) }"
    }
    let bounded = "begin the rule with “when” and give a duration, as in: " + example(off, directive)
    guard !offDeviceFacts.isEmpty else { return bounded }
    return bounded + "; or add a condition on another device, as in: and not screen.on"
  }
}

extension CheckedDirective {
  /// The verb of a directive that switches devices off.
  fileprivate var verb: String { directive.action == .pause ? "pause" : "stop" }
}

extension CheckedExpression {
  /// Returns true when the condition tests demands on the device.
  fileprivate func readsDemand(on device: DeviceID) -> Bool {
    var found = false
    visit { if $0.kind == .demanded(device) { found = true } }
    return found
  }
}
