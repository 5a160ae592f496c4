import StintGovernor
import StintLanguage
import StintMachine
import StintModel
import StintUnits

/// Creates the headline and the lines of a `WhyReport`.
struct WhyWriter {
  let status: DeviceStatus
  let governor: Governor
  let policies: [CheckedPolicy]

  private var now: Instant { governor.now }

  var headline: String {
    guard let state = status.state else {
      return "\(status.manifest.device) only publishes facts; it has no power state"
    }
    let word = state.isOn ? "on" : "off"
    let since = LocalMoment(status.energyIntervalStart, governor.timeZone)
    let name = state.name == word ? word : "\(word), \(state.name)"
    let power = Quantity(status.power.watts, .power)
    let missing = status.isAvailable ? "" : ", not available"
    return "\(name), \(power), since \(since) (\((now - status.energyIntervalStart).readable))\(missing)"
  }

  // MARK: Demands

  var demands: [WhyReport.Line] {
    if status.demands.isEmpty { return [line("demanded by", "no client", lingering)] }
    return status.demands.flatMap { demandEntry in
      [
        line("demanded by", "\(demandEntry.demand.client) \(demandEntry.demand.id)", wants(demandEntry)),
        line("granted", "\(demandEntry.demand.client) \(demandEntry.demand.id)", grant(demandEntry)),
      ]
    }
  }

  /// The policies' defaults for the settings that clients leave open; empty without defaults.
  var defaults: [WhyReport.Line] {
    let words = governor.program?.defaults.first { $0.device == status.manifest.device }?.words ?? []
    return words.isEmpty ? [] : [line("default", "policies", words.joined(separator: ", "))]
  }

  private func parts(of wants: DemandSettings) -> [String] {
    var parts: [String] = []
    if let accuracy = wants.accuracy { parts.append("accuracy \(Quantity(accuracy, .length))") }
    if let period = wants.period { parts.append("every \(period)") }
    if let activity = wants.activity { parts.append(activity) }
    if !wants.attributes.isEmpty { parts.append(wants.attributes.text) }
    if wants.background == true { parts.append("background") }
    return parts
  }

  private var lingering: String {
    guard let end = status.lingerUntil else { return "there is no demand on it" }
    return "it turns off at \(LocalMoment(end, governor.timeZone)), unless a client requests it"
  }

  private func wants(_ demandEntry: DeviceStatus.DemandEntry) -> String {
    let wants = demandEntry.demand.wants
    var parts: [String] = []
    if let rule = demandEntry.reader { parts.append("read by \(rule)") }
    if demandEntry.demand.target != status.manifest.device {
      parts.append("requested from \(demandEntry.demand.target)")
    }
    parts += self.parts(of: wants)
    if let transfer = wants.transfer {
      parts.append("\(Quantity(Double(transfer.bytes), .data)) to transfer")
      if let deadline = transfer.deadline {
        parts.append("by \(LocalMoment(demandEntry.raised + deadline, governor.timeZone))")
      }
    }
    parts.append("since \(LocalMoment(demandEntry.raised, governor.timeZone))")
    return parts.joined(separator: ", ")
  }

  private func grant(_ demandEntry: DeviceStatus.DemandEntry) -> String {
    let grant = demandEntry.grant
    var parts = [grant.status.rawValue]
    if let provider = grant.provider { parts.append("by \(provider)") }
    if let accuracy = grant.accuracy, grant.status == .served {
      parts.append("accuracy \(Quantity(accuracy, .length))")
    }
    if let period = grant.period, grant.status == .served { parts.append("every \(period)") }
    let rules =
      grant.rules.isEmpty ? "as requested" : "by \(grant.rules.map(\.description).joined(separator: ", "))"
    return parts.joined(separator: ", ") + "; " + rules
  }

  // MARK: Setting

  var setting: [WhyReport.Line] {
    guard status.manifest.kind != .source, status.manifest.kind != .radio else { return [] }
    return [line("setting", status.manifest.device.path, status.setting.description)] + lastPiggyback
      + lingeringPower
  }

  /// The last delivery that did not wake the processor, and the reason why the processor was awake.
  private var lastPiggyback: [WhyReport.Line] {
    guard let lastPiggyback = status.lastPiggyback else { return [] }
    let others = (lastPiggyback.with?.links ?? []).map { "\($0.client) \($0.demand)" }
    let company = others.isEmpty ? "others" : others.joined(separator: ", ")
    return [
      line(
        "piggybacked", status.manifest.device.path,
        "delivered at \(LocalMoment(lastPiggyback.at, governor.timeZone)), "
          + "when the processor was awake for \(company)"
      )
    ]
  }

  /// The line for a device that is switched off and still draws power. The cause is that its driver or daemon
  /// releases the device late. A manifest can specify this delay as the figure `NAME_for` of the state NAME.
  private var lingeringPower: [WhyReport.Line] {
    guard let state = status.state, !state.isOn, status.power > .zero, !status.setting.isOn else {
      return []
    }
    let reason = "its driver or daemon keeps it on, and no policy can shorten that"
    guard let span = status.manifest.figures["\(state.name)_for"]?.timeSpan else {
      return [line("kept on", state.name, reason)]
    }
    return [line("kept on", state.name, "for \(span) after it was turned off: \(reason)")]
  }

  // MARK: Rules

  /// The lines for all rules that affect the device: in force, overridden, or not in force.
  var rules: [WhyReport.Line] {
    var ids: [RuleID] = []
    for directiveEntry in status.directives where !ids.contains(directiveEntry.directive.rule) {
      ids.append(directiveEntry.directive.rule)
    }
    return ids.flatMap { id in
      status.directives.filter { $0.directive.rule == id }.map { rule($0) }
    }
  }

  private func rule(_ directiveEntry: DeviceStatus.DirectiveEntry) -> WhyReport.Line {
    let subject = directiveEntry.directive.rule.description
    var action = Self.text(of: directiveEntry.directive.action)
    if let demand = directiveEntry.demand { action += " for \(demand.client) \(demand.id)" }
    if !directiveEntry.exceptions.isEmpty {
      let names = directiveEntry.exceptions.map { "\($0.client) \($0.id)" }.joined(separator: ", ")
      action += ", but not for \(names), where another rule overrides it"
    }
    if directiveEntry.isOverridden {
      return line("overridden", subject, "\(action); another rule overrides it")
    }
    if directiveEntry.isInForce {
      let progress = holdProgress(of: directiveEntry.directive)
      let relation = Self.starts(directiveEntry.directive.action) ? "started by" : "limited by"
      return line(
        relation, subject,
        [action, progress, ending(of: directiveEntry)].compactMap { $0 }.joined(separator: "; "))
    }
    let why = explanation(of: directiveEntry.directive.rule, asking: directiveEntry.demand?.id)
    let relation =
      switch directiveEntry.directive.action {
      case .stop, .pause: "would stop"
      case let action where Self.starts(action): "would start"
      default: "would limit"
      }
    return line(
      relation, subject,
      [action, why.map { "not in force: \($0)" } ?? "not in force", wait(for: directiveEntry.directive)]
        .compactMap(\.self).joined(separator: "; "))
  }

  /// Returns how long transfers wait for the first value that the rule of a directive reads. Nil when no
  /// transfer waits. The directive is not in force.
  private func wait(for directive: Directive) -> String? {
    let holds = status.demands.flatMap(\.grant.holds).filter { $0.rule == directive.rule }
    guard case .time(let span)? = holds.first?.bounds.first else { return nil }
    return "transfers wait up to \(span) for the first value"
  }

  /// Returns whether an action starts a device or a service on it.
  private static func starts(_ action: Directive.Action) -> Bool {
    switch action {
    case .start, .locate, .serve, .resume: true
    default: false
    }
  }

  private func holdProgress(of directive: Directive) -> String? {
    guard case .batch = directive.action,
      let demandEntry = status.demands.first(where: { demandEntry in
        demandEntry.grant.holds.contains { $0.rule == directive.rule } && demandEntry.holdStart != nil
      }), let start = demandEntry.holdStart
    else { return nil }
    let distance = demandEntry.holdDistance.map { ", \(Quantity($0.rounded(), .length))" } ?? ""
    return "held \((now - start).readable)\(distance)"
  }

  /// Returns the time or the condition that ends an active directive. Returns nil when neither is known.
  private func ending(of directiveEntry: DeviceStatus.DirectiveEntry) -> String? {
    if let end = governor.end(of: directiveEntry.directive) {
      return "ends at \(LocalMoment(end, governor.timeZone))"
    }
    let id = directiveEntry.directive.rule
    guard let policy = policies.first(where: { $0.name == id.policy }),
      let rule = policy.rules.first(where: { $0.id == id }), case .whilst(let condition) = rule.trigger
    else { return nil }
    let explainer = ConditionExplainer(Situation(governor, policy, id, asking: directiveEntry.demand?.id))
    let change = explainer.ending(of: condition)
    guard !change.isEmpty else { return nil }
    let when = explainer.explain(condition).changesAt
    return "ends when \(change)"
      + (when.map { ", at \(LocalMoment($0, governor.timeZone)) if nothing changes" } ?? "")
  }

  private func explanation(of id: RuleID, asking demand: DemandID?) -> String? {
    guard let policy = policies.first(where: { $0.name == id.policy }),
      let rule = policy.rules.first(where: { $0.id == id })
    else { return nil }
    if rule.isInert { return "a device that the rule needs is missing" }
    let condition: CheckedExpression
    switch rule.trigger {
    case .always: return nil
    case .whilst(let expression), .when(let expression, _): condition = expression
    case .every(let period, _, let expression):
      guard let expression else { return "it acts only once every \(period)" }
      condition = expression
    }
    let explanation = ConditionExplainer(Situation(governor, policy, id, asking: demand)).explain(condition)
    let when =
      explanation.changesAt.map { ", at \(LocalMoment($0, governor.timeZone)) if nothing changes" } ?? ""
    let isMentioned = explanation.changesAt.map {
      explanation.sentence.contains(LocalMoment($0, governor.timeZone).description)
    }
    return explanation.sentence + (isMentioned == true ? "" : when)
  }

  // MARK: Energy

  var account: [WhyReport.Line] {
    let spent = governor.ledger(at: now).byDevice[status.manifest.device] ?? .zero
    return [
      line("spent", status.manifest.device.path, "\(Quantity(spent.joules, .energy)) since the start")
    ]
  }

  func line(_ relation: String, _ subject: String, _ text: String) -> WhyReport.Line {
    WhyReport.Line(relation: relation, subject: subject, text: text)
  }

  private static func text(of action: Directive.Action) -> String {
    switch action {
    case .start(let client, _): "start\(client.map { " for \($0)" } ?? "")"
    case .stop: "stop"
    case .locate(let zone): "watch \(Directive.Action.shortName(ofZone: zone))"
    case .serve(let word): word.isWatched ? "watch \(word.rawValue)" : "start \(word.rawValue)"
    case .stopService(let word): "stop \(word.rawValue)"
    case .resume(let start): "start\(start.words)"
    case .pause: "pause"
    case .limitAccuracy(let metres): "downgrade to \(Quantity(metres, .length))"
    case .slow(let period): "downgrade to one each \(period)"
    case .limitAttributes(let values): "downgrade to { \(values.text) }"
    case .batch(let bounds): "batch until \(bounds.map(\.description).joined(separator: " or "))"
    case .postpone(let deadline): "defer\(deadline.map { ", deadline \($0)" } ?? "")"
    }
  }
}
