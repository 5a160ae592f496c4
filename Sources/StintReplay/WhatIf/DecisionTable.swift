import StintGovernor
import StintModel
import StintRuntime
import StintUnits

/// The decisions of a governor that are in force, and its one-time actions at the current instant.
struct DecisionTable {
  /// A decision with its cause. Comparisons use only `key`, which contains neither the cause nor the rules of
  /// a grant, because a candidate may rename rules.
  struct Decision {
    var side: DecisionDivergence.Side
    var key: String
  }

  /// The decisions in force, by subject.
  private(set) var active: [String: Decision] = [:]
  /// The one-time actions at the current instant, in order, by subject.
  private(set) var once: [String: [Decision]] = [:]
  /// The subjects about which a decision was made or ended at the current instant.
  private(set) var touched: Set<String> = []

  /// Applies the effects of a governor's step.
  mutating func apply(_ effects: [Effect], of governor: borrowing Governor) {
    for effect in effects { apply(effect, governor) }
  }

  /// Removes the one-time actions and subjects of the current instant.
  mutating func endInstant() {
    once.removeAll(keepingCapacity: true)
    touched.removeAll(keepingCapacity: true)
  }

  private mutating func apply(_ effect: Effect, _ governor: borrowing Governor) {
    switch effect {
    case .set(let device, let setting):
      let name = governor.vocabulary.manifests[device].device
      setActive("set \(name)", setting.description, governor.causeText(of: device))
    case .grant(let demand, let grant):
      let rules = grant.rules.map(\.description).joined(separator: " ")
      setActive(
        Self.subject(of: demand), grant.readable, rules.isEmpty ? nil : rules, key: grant.anonymous.readable)
    case .moved(let machine, let state): setActive("machine \(machine)", state, nil)
    case .began(let ruleService): setActive("service \(ruleService)", "runs", nil)
    case .ceased(let ruleService):
      active["service \(ruleService)"] = nil
      touched.insert("service \(ruleService)")
    case .ended(let demand):
      let subject = Self.subject(of: demand)
      active[subject] = nil
      touched.insert(subject)
    case .drain(let device, let reason):
      addOneTime("drain \(governor.vocabulary.manifests[device].device)", reason.description, nil)
    case .carry(let device, let ids, let reason):
      let names = ids.map(\.description).joined(separator: " ")
      addOneTime(
        "carry \(governor.vocabulary.manifests[device].device)", "\(names) \(reason)",
        governor.causeText(of: device))
    case .act(let rule, _):
      var governor = copy governor
      let line = governor.decisionText(of: effect) ?? ""
      addOneTime("act \(rule)", line.split(separator: " ", maxSplits: 3).last.map(String.init) ?? line, nil)
    case .wakeProcessor, .read, .refused, .faulted: return
    }
  }

  private mutating func setActive(_ subject: String, _ text: String, _ cause: String?, key: String? = nil) {
    active[subject] = Decision(side: .init(decision: text, cause: cause), key: key ?? text)
    touched.insert(subject)
  }

  private mutating func addOneTime(_ subject: String, _ text: String, _ cause: String?) {
    once[subject, default: []].append(Decision(side: .init(decision: text, cause: cause), key: text))
  }

  /// Returns the subject of decisions about a demand. The ids of demands that policies raise depend on the
  /// order in which they are raised, so these demands are identified by client and device.
  private static func subject(of demand: Demand) -> String {
    demand.id.number < 0
      ? "grant \(demand.client) \(demand.target)" : "grant \(demand.client) \(demand.id) \(demand.target)"
  }
}

extension Grant {
  /// The grant as in the decision log, without the rules.
  fileprivate var readable: String {
    var copy = self
    copy.rules = []
    return Governor.text(of: copy)
  }

  /// The grant without the names of the rules that hold its deliveries.
  fileprivate var anonymous: Grant {
    var copy = self
    copy.holds = holds.map { Hold(rule: .asAsked, bounds: $0.bounds) }
    return copy
  }
}
