public import StintMachine
public import StintModel
public import StintUnits

/// Provides the inputs of rules, and functions that return the state of rules.
extension Governor {
  /// Returns the inputs of a new rule VM.
  func ruleContext() -> RuleContext {
    RuleContext(
      facts: facts, demanded: devices.demanded, timeZone: timeZone,
      now: now)
  }

  /// Creates the rule VM of a demand if the demand's device is a target of a per-demand rule.
  mutating func attachRules(to id: DemandID) {
    guard let record = demands[id], rules.hasDemandRules(on: record.demand.target),
      let own = rules.perDemand.rules
    else { return }
    rules.attach(entry(of: record, own), ruleContext())
  }

  /// Returns the demands on the target devices of per-demand rules, sorted.
  func ruleEntries(_ own: PerDemandRules?) -> [DemandRuleVMs.Entry] {
    guard let own else { return [] }
    return demands.ids.compactMap { demands[$0] }.filter { own.targets.contains($0.demand.target) }
      .map { entry(of: $0, own) }
  }

  private func entry(of record: DemandRecord, _ own: PerDemandRules) -> DemandRuleVMs.Entry {
    DemandRuleVMs.Entry(
      id: record.demand.id, raised: record.raised,
      values: own.facts.map { (fact: $0.number, value: value(of: $0.fact, $0.number, for: record)) }
    )
  }

  private func value(of fact: ClientFact, _ number: Int, for record: DemandRecord) -> FactValue {
    fact.value(
      client: record.demand.client, wants: record.completed,
      words: vocabulary.facts[number].type)
  }

  // MARK: Questions

  /// The shared rule VM; nil until policies are loaded.
  public var machine: RuleVM? { rules.machine }

  /// The program in force; nil until policies are loaded.
  public var program: Program? { rules.program }

  /// Returns the value of a fact at an instant: unknown when the last value is older than its maximum age.
  /// The loaded policies may set this age for the facts that they read. For all other facts, the declaration
  /// of the fact sets it.
  public func value(of fact: Int, at instant: Instant) -> FactValue {
    let images = [program?.image.image, program?.perDemandImage?.image]
    let read = images.lazy.compactMap { $0?.facts.first { $0.number == fact } }.first
    let maxAge = read.map(\.maxAge) ?? vocabulary.facts[fact].maxAge
    return facts.value(fact, at: max(instant, now), maxAge: maxAge)
  }

  /// Returns whether a rule is active, given its index in the program's image. A per-demand rule counts as
  /// active when it is active for at least one demand.
  public func isActive(rule: Int) -> Bool { rules.isActive[rule] }

  /// Returns the result of a rule's condition at its last evaluation. This is one value, or for a per-demand
  /// rule one value per demand, sorted by demand.
  public func truths(of rule: Int) -> [Truth] { rules.truths(of: rule) }

  /// Returns the rule VM of a demand; nil when the demand's device is not a target of a per-demand rule.
  public func machine(asking demand: DemandID) -> RuleVM? {
    rules.perDemand.machine(of: demand)?.machine
  }

  /// Returns the value of a client fact for one demand, given the fact's index in the vocabulary. Nil when no
  /// per-demand rule reads the fact, or the demand does not exist.
  public func clientFact(_ number: Int, of demand: DemandID) -> FactValue? {
    guard let record = demands[demand],
      let entry = rules.perDemand.rules?.facts.first(where: { $0.number == number })
    else { return nil }
    return value(of: entry.fact, number, for: record)
  }

  /// The rules that are active or have a directive in force, in the order of the policies.
  public var rulesInForce: [RuleID] {
    guard let image = rules.image else { return [] }
    return image.rules.indices.filter { rule in
      rules.isActive[rule] || image.rules[rule].directives.contains { rules.inForce[$0] }
    }.map { image.rules[$0].id }
  }

  /// Returns the instant at which a directive in force expires. When several rules have this directive,
  /// returns the latest of these instants. Nil when the directive is not in force or does not expire.
  public func end(of directive: Directive) -> Instant? {
    guard let image = rules.image, let machine = rules.machine else { return nil }
    let places = image.directives.indices.filter {
      image.directives[$0].directive == directive && rules.inForce[$0]
    }
    return places.compactMap { machine.end(of: $0) }.max()
  }

  /// Returns the use of every rule up to `instant`, including rules that were never active.
  public func ruleUse(at instant: Instant) -> [RuleID: RuleUse] {
    rules.usage(at: max(instant, now))
  }

  /// Returns the evaluation of every requirement that is watched at run time, up to `instant`. A requirement
  /// that is proved without an assumption is not watched.
  public func requirementUse(at instant: Instant) -> [RuleID: RequirementUse] {
    rules.requirementUse(at: max(instant, now))
  }
}
