public import StintMachine
public import StintModel
public import StintUnits

/// The needs of the loaded policies for facts, so that sensors are read only when a decision depends on them.
extension Governor {
  /// A rule that reads a fact and does not need the fact at present. Another operand determines the result of
  /// the rule.
  public struct MaskedRead: Hashable, Sendable {
    /// The rule that reads the fact.
    public var rule: RuleID
    /// The facts of the operand that determines the result, by their indexes in the vocabulary. Empty when
    /// that operand depends only on time.
    public var guards: [Int]
  }

  /// Returns the values of a published fact that can still change a decision while all other facts stay
  /// constant. `fact` is an index into the vocabulary.
  ///
  /// The result is `everything` for facts that are not analysed: facts that are used for zones or estimates,
  /// and facts that are read by per-demand rules. The result is `nothing` for a fact that the policies in
  /// force do not use.
  public func need(of fact: Int) -> FactNeed {
    guard let program = rules.program, let machine = rules.machine, fact < vocabulary.firstComputed
    else {
      return .nothing
    }
    if derived.decides(fact) { return .everything }
    if program.perDemandImage?.image.facts.contains(where: { $0.number == fact }) == true {
      return .everything
    }
    guard let place = program.image.image.facts.firstIndex(where: { $0.number == fact }) else {
      return .nothing
    }
    return sensing(program).needs(of: machine, facts: facts, at: now)[place]
  }

  /// Returns the rules that read a published fact, given by its index, and do not need it at present.
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

  /// Returns the instant of the next planned reading of a fact's source; an input can cause an earlier
  /// reading. Nil when no reading is planned, and for facts that are not read on request.
  public func nextReading(of fact: Int) -> Instant? { sources.nextReading(of: fact) }

  /// Returns, for each published fact, the need that the rules in force have at present.
  func factNeeds() -> FactNeeds {
    var factNeeds = FactNeeds(count: vocabulary.firstComputed)
    guard let program = rules.program, let machine = rules.machine, let needs = sources.needs else {
      return factNeeds
    }
    let image = program.image.image
    for (entry, found) in zip(image.facts, needs.outlook(of: machine, facts: facts, at: now))
    where entry.number < vocabulary.firstComputed {
      factNeeds.needs[entry.number] = found.need
      factNeeds.maxAges[entry.number] = entry.maxAge
      if found.guards != nil { factNeeds.masked.insert(entry.number) }
    }
    // Per-demand rules, zones and estimates need every value.
    for entry in program.perDemandImage?.image.facts ?? []
    where entry.number < vocabulary.firstComputed {
      factNeeds.needs[entry.number] = .everything
    }
    for fact in 0..<vocabulary.firstComputed where derived.decides(fact) {
      factNeeds.needs[fact] = .everything
    }
    return factNeeds
  }
}
