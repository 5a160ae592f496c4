public import StintMachine
public import StintModel
public import StintUnits

/// What the loaded policies need of facts, so that no sensor is read in vain.
extension Governor {
  /// Where a fact is read and decides nothing, because something else does.
  public struct MaskedRead: Hashable, Sendable {
    public var rule: RuleID
    /// What would have to change first, by number; none where only time decides.
    public var guards: [Int]
  }

  /// What of a published fact, by its number, can still change a decision while nothing else does.
  ///
  /// Says `everything` where it takes more than a look to tell: of facts that say where the phone is while a policy has
  /// zones, and of what rules read that each demand is asked.
  public func need(of fact: Int) -> FactNeed {
    guard let program = rules.program, let machine = rules.machine, fact < vocabulary.firstComputed
    else {
      return .nothing
    }
    if derived.decides(fact) { return .everything }
    if program.clientImage?.image.facts.contains(where: { $0.number == fact }) == true {
      return .everything
    }
    guard let place = program.image.image.facts.firstIndex(where: { $0.number == fact }) else {
      return .nothing
    }
    return sensing(program).needs(of: machine, facts: facts, at: now)[place]
  }

  /// Where rules read a published fact, by its number, without needing it now.
  public func maskedReads(of fact: Int) -> [MaskedRead] {
    guard let program = rules.program, let machine = rules.machine, fact < vocabulary.firstComputed
    else {
      return []
    }
    let all = program.image.image.rules
    return sensing(program).maskedParts(of: fact, machine, facts: facts, at: now).map {
      MaskedRead(rule: all[$0.rule].id, guards: $0.guards)
    }
  }

  private func sensing(_ program: Program) -> SensingNeeds {
    SensingNeeds(image: program.image, firstComputed: vocabulary.firstComputed)
  }

  /// When the source of a fact is read next although nothing else happens; nil for never, and for facts not read.
  public func nextReading(of fact: Int) -> Instant? { sources.nextReading(of: fact) }

  /// What the rules in force need of published facts now.
  func outlook() -> FactForecast {
    var outlook = FactForecast(count: vocabulary.firstComputed)
    guard let program = rules.program, let machine = rules.machine, let needs = sources.needs else {
      return outlook
    }
    let image = program.image.image
    for (entry, look) in zip(image.facts, needs.outlook(of: machine, facts: facts, at: now))
    where entry.number < vocabulary.firstComputed {
      outlook.needs[entry.number] = look.need
      outlook.maxAges[entry.number] = entry.maxAge
      if look.guards != nil { outlook.resting.insert(entry.number) }
    }
    // Per-demand rules and zones read each value as it comes.
    for entry in program.clientImage?.image.facts ?? []
    where entry.number < vocabulary.firstComputed {
      outlook.needs[entry.number] = .everything
    }
    for fact in 0..<vocabulary.firstComputed where derived.decides(fact) {
      outlook.needs[fact] = .everything
    }
    return outlook
  }
}
