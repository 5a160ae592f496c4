public import StintModel
public import StintUnits

/// Which facts can still change what a machine decides, and how far each may move before it does.
///
/// A part of a condition that is decided by another, as by one false operand of an `and`, needs no fact of
/// its own. What decides must be a matter of published facts and of time; what the governor works out while
/// it settles decides nothing here. What time builds up needs its facts always: `for`, `in last`, latches,
/// windows and ages, also where another part decides now.
///
/// A host that skips a fact while it is not needed, and reads it before the machine settles once it is, gets
/// the same decisions as a host that reads all facts, as long as no fact that both read grows too old.
public struct SensingNeeds: Sendable {
  /// A part of a rule that needs nothing now, and who decides in its stead.
  public struct Rest: Hashable, Sendable {
    /// The place of the rule in the image.
    public var rule: Int
    /// The facts, by number in the vocabulary, that would have to change first; none where only time decides.
    public var guards: [Int]
  }

  let image: Image
  /// Facts from this number on are worked out by the governor.
  let firstComputed: Int
  /// By rule that is looked at: its condition, and the `until` of each directive.
  let rules: [(rule: Int, isLevel: Bool, condition: NeedTerm?, untils: [NeedTerm])]

  /// Reads an image; facts from `firstComputed` on are worked out by the governor while it settles.
  public init(image program: VerifiedImage, firstComputed: Int = .max) {
    let image = program.image
    self.image = image
    self.firstComputed = firstComputed
    rules = image.rules.enumerated().compactMap { number, rule in
      guard !rule.isInert, !rule.isPerDemand else { return nil }
      var isLevel = false
      if case .level = rule.trigger { isLevel = true }
      return (
        number, isLevel, NeedTerm(rule.code, of: image),
        rule.directives.compactMap { NeedTerm(image.directives[$0].until, of: image) }
      )
    }
  }

  /// What is needed of each fact of the image, in its order, just before the machine settles at an instant with these
  /// facts.
  public func needs(of machine: Machine, facts: FactTable, at instant: Instant) -> [FactNeed] {
    survey(machine, facts, instant).needs
  }

  /// Where the fact of this number in the vocabulary is read and not needed.
  public func rests(of fact: Int, _ machine: Machine, facts: FactTable, at instant: Instant) -> [Rest] {
    guard let place = image.facts.firstIndex(where: { $0.number == fact }) else { return [] }
    return survey(machine, facts, instant).rests[place]
  }

  /// All that `needs` and `rests` say at once: of each fact of the image, what is needed, and the facts, by
  /// number in the vocabulary and sorted, that decide in its stead; nil where it rests nowhere.
  public func outlook(
    of machine: Machine, facts: FactTable, at instant: Instant
  ) -> [(need: FactNeed, guards: [Int]?)] {
    let survey = survey(machine, facts, instant)
    return survey.needs.indices.map { place in
      let rests = survey.rests[place]
      return (survey.needs[place], rests.isEmpty ? nil : Set(rests.flatMap(\.guards)).sorted())
    }
  }

  private func survey(_ machine: Machine, _ facts: FactTable, _ instant: Instant) -> NeedSurvey {
    var survey = NeedSurvey(
      moment: NeedMoment(
        image: image, firstComputed: firstComputed, machine: machine, facts: facts, now: instant))
    for entry in rules {
      survey.rule = entry.rule
      if let condition = entry.condition { survey.need(condition) }
      // What ends a directive counts only while it can be in force.
      let truth = entry.condition.map { survey.moment.value(of: $0) } ?? .some(1)
      let decides = entry.isLevel && truth != nil && truth != 1
      for until in entry.untils {
        if decides, let condition = entry.condition {
          survey.rest(until, because: condition)
        } else {
          survey.need(until)
        }
      }
    }
    return survey
  }
}
