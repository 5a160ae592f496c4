public import StintModel
import StintUnits

extension Governor {
  /// Returns the decision-log line of an effect of the last step; nil for effects that are not logged.
  ///
  /// A line has the form `INSTANT_NS VERB DETAILS`, with equal bytes on every platform. Lines of settings and
  /// transfers end with their cause: `; because CLIENT #DEMAND [RULES] STATUS, …`. Without a cause, they end
  /// with `; because nobody`. The function changes nothing. It is `mutating` because a caller of a
  /// non-mutating function would copy the governor for each effect.
  public mutating func decisionText(of effect: Effect) -> String? {
    switch effect {
    case .set(let device, let setting):
      let record = devices[device]
      let cause = record.cause.map { Self.text(of: $0) } ?? "nobody"
      return "\(now.nanoseconds) set \(record.manifest.device.path) \(setting.description); because \(cause)"
    case .drain(let device, .piggybacked):
      let with = devices[device].lastPiggyback?.with.map { Self.text(of: $0) } ?? "nobody"
      return "\(now.nanoseconds) drain \(devices[device].manifest.device) piggybacked; with \(with)"
    case .drain(let device, let reason):
      return "\(now.nanoseconds) drain \(devices[device].manifest.device) \(reason)"
    case .carry(let device, let ids, let reason):
      let record = devices[device]
      let cause = record.cause.map { Self.text(of: $0) } ?? "nobody"
      let names = ids.map(\.description).joined(separator: " ")
      return
        "\(now.nanoseconds) carry \(record.manifest.device) \(names) \(reason); because \(cause)"
    case .grant(let demand, let grant):
      return
        "\(now.nanoseconds) grant \(demand.client) \(demand.id) \(demand.target) \(Self.text(of: grant))"
    case .act(let rule, let act): return "\(now.nanoseconds) act \(rule) \(Self.text(of: act))"
    case .ended(let demand):
      return "\(now.nanoseconds) ended \(demand.client) \(demand.id) \(demand.target)"
    case .moved(let machine, let state): return "\(now.nanoseconds) machine \(machine) \(state)"
    case .began(let ruleService): return "\(now.nanoseconds) begin \(ruleService)"
    case .ceased(let ruleService): return "\(now.nanoseconds) end \(ruleService)"
    case .wakeProcessor, .read, .refused, .faulted: return nil
    }
  }

  /// Returns an effect of the last step as a `RunEvent`. The function changes nothing. It is `mutating` for
  /// the same reason as `decisionText(of:)`.
  public mutating func event(of effect: Effect) -> RunEvent {
    switch effect {
    case .set(let device, let setting):
      .setting(
        devices[device].manifest.device, setting,
        cause: setting.isOn ? devices[device].cause : causeOfOff(device, setting))
    case .drain(let device, let reason): .delivery(devices[device].manifest.device, reason)
    case .carry(let device, let ids, let reason): .transfers(devices[device].manifest.device, ids, reason)
    case .grant(let demand, let grant): .grant(demand.client, demand.target, grant)
    case .ended(let demand): .release(demand.client, demand.target)
    case .act(let rule, let act): .act(rule, act)
    case .moved(let machine, let state): .machine(machine, state: state)
    case .began(let ruleService): .ruleService(ruleService, isRunning: true)
    case .ceased(let ruleService): .ruleService(ruleService, isRunning: false)
    case .faulted(let device, _): .fault(devices[device].manifest.device)
    case .wakeProcessor, .read, .refused: .message
    }
  }

  /// Returns the cause of switching a device off: the demands on the device that it does not serve; nil
  /// without such demands. The stored cause of the device still contains the demands that it served before.
  private mutating func causeOfOff(_ device: Int, _ setting: Setting) -> Cause? {
    let links = devices[device].requested.map { link(of: demands[$0]) }
    return links.isEmpty
      ? nil : Cause(device: devices[device].manifest.device, links: links, setting: setting)
  }

  /// Returns the reason for switching a device off, for people. `cause` is that of the `RunEvent`.
  package static func reasonForOff(_ cause: Cause?) -> String {
    guard let cause else { return "no demand needs it" }
    return cause.links.map { link in
      let one = Cause(device: cause.device, links: [link], setting: cause.setting)
      return text(of: one) + (link.grant.provider.map { " by \($0.path)" } ?? "")
    }.joined(separator: ", ")
  }

  static func text(of cause: Cause) -> String {
    var text = ""
    for link in cause.links {
      if !text.isEmpty { text += ", " }
      text += "\(link.client.name) #\(link.demand.number) ["
      if link.rules.isEmpty { text += "as asked" } else { add(link.rules, to: &text) }
      text += "] "
      text += link.grant.status.rawValue
    }
    return text
  }

  private static func add(_ rules: [RuleID], to text: inout String) {
    for (place, rule) in rules.enumerated() {
      if place > 0 { text += " " }
      if !rule.policy.isEmpty {
        text += rule.policy
        text += "/"
      }
      text += rule.rule
    }
  }

  /// Returns the cause of a device's setting in the form of the decision log. Nil while the device is off,
  /// except for a radio, which keeps its last cause.
  public func causeText(of device: Int) -> String? {
    devices[device].cause.map { Self.text(of: $0) }
  }

  /// Returns a grant in the form of the decision log.
  public static func text(of grant: Grant) -> String {
    var text = grant.status.rawValue
    if let provider = grant.provider { text += ", by \(provider.path)" }
    if let accuracy = grant.accuracy { text += ", accuracy \(Quantity(accuracy, .length))" }
    if let period = grant.period { text += ", every \(period)" }
    if !grant.attributes.isEmpty { text += ", \(grant.attributes.text)" }
    for hold in grant.holds {
      let bounds = hold.bounds.map(\.description).joined(separator: " or ")
      text += ", held until \(bounds) by \(hold.rule)"
    }
    if !grant.rules.isEmpty {
      text += ", ["
      add(grant.rules, to: &text)
      text += "]"
    }
    return text
  }

  private static func text(of act: Act) -> String {
    switch act {
    case .fix(let target, let accuracy, let timeout):
      "fix \(target) to \(Quantity(accuracy, .length)) timeout \(timeout)"
    case .flush(let targets): "flush \(targets.map(\.path).joined(separator: " "))"
    case .emit(let name): "emit \(name)"
    case .tell(let client, let text): "tell \(client) \(text)"
    case .launch(let client): "launch \(client)"
    case .violation(let text): "violation \(text)"
    }
  }
}
