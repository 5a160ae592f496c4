public import StintMachine
public import StintModel
public import StintUnits

/// How the governor gives rules what they read, and what it answers about them.
extension Governor {
  /// What a new rule VM reads.
  func ruleContext() -> RuleContext {
    RuleContext(
      facts: facts, demanded: devices.demanded, timeZone: timeZone,
      now: now)
  }

  /// Gives a demand a rule VM where per-demand rules reach it.
  mutating func attachRules(to id: DemandID) {
    guard let record = demands[id], rules.hasDemandRules(on: record.demand.target),
      let own = rules.perDemand.rules
    else { return }
    rules.attach(entry(of: record, own), ruleContext())
  }

  /// The demands that per-demand rules reach, sorted.
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

  /// Whether a rule of the program's image holds, for any demand if it is evaluated per demand.
  public func isHeld(rule: Int) -> Bool { rules.isHeld[rule] }

  /// The truth of a rule's condition when last evaluated: once for each demand, in their order, for a per-demand rule;
  /// once in all for other rules.
  public func truths(of rule: Int) -> [Truth] { rules.truths(of: rule) }

  /// The rule VM of a demand; nil when no per-demand rule reaches it.
  public func machine(asking demand: DemandID) -> RuleVM? {
    rules.perDemand.machine(of: demand)?.machine
  }

  /// A fact of the client of a demand that per-demand rules read, by its index in the vocabulary; nil for other facts.
  public func clientFact(_ number: Int, of demand: DemandID) -> FactValue? {
    guard let record = demands[demand],
      let entry = rules.perDemand.rules?.facts.first(where: { $0.number == number })
    else { return nil }
    return value(of: entry.fact, number, for: record)
  }

  /// The rules that hold now, or of which a directive is in force, in the order of the policies.
  public var rulesInForce: [RuleID] {
    guard let image = rules.image else { return [] }
    return image.rules.indices.filter { rule in
      rules.isHeld[rule] || image.rules[rule].directives.contains { rules.inForce[$0] }
    }.map { image.rules[$0].id }
  }

  /// When a directive that is in force ends by itself; nil when it does not.
  public func end(of directive: Directive) -> Instant? {
    guard let image = rules.image, let machine = rules.machine else { return nil }
    let places = image.directives.indices.filter {
      image.directives[$0].directive == directive && rules.inForce[$0]
    }
    return places.compactMap { machine.end(of: $0) }.max()
  }

  /// How much every rule has been at work up to `instant`, those that never were included.
  public func ruleUse(at instant: Instant) -> [RuleID: RuleUse] {
    rules.usage(at: max(instant, now))
  }
}
