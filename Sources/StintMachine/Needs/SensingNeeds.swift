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
  public struct MaskedPart: Hashable, Sendable {
    /// The place of the rule in the image.
    public var rule: Int
    /// The facts, by number in the vocabulary, that would have to change first; none where only time decides.
    public var guards: [Int]
  }

  let image: Image
  /// Facts from this number on are worked out by the governor.
  let firstComputed: Int
  /// By rule that is looked at: its condition, and the `until` of each directive.
  let rules: [ReadRule]
  /// By rule of the image: where it stands among those that are looked at; -1 for none.
  private let places: [Int]

  /// Reads an image; facts from `firstComputed` on are worked out by the governor while it settles.
  public init(image program: VerifiedImage, firstComputed: Int = .max) {
    let image = program.image
    self.image = image
    self.firstComputed = firstComputed
    let rules = image.rules.indices.compactMap { ReadRule($0, of: image) }
    self.rules = rules
    var places = Array(repeating: -1, count: image.rules.count)
    for (place, entry) in rules.enumerated() { places[entry.rule] = place }
    self.places = places
  }

  /// What is needed of each fact of the image, in its order, just before the machine settles at an instant
  /// with these facts.
  public func needs(of machine: RuleVM, facts: FactTable, at instant: Instant) -> [FactNeed] {
    survey(machine, facts, instant).needs
  }

  /// Where the fact of this number in the vocabulary is read and not needed.
  public func maskedParts(of fact: Int, _ machine: RuleVM, facts: FactTable, at instant: Instant)
    -> [MaskedPart]
  {
    guard let place = image.facts.firstIndex(where: { $0.number == fact }) else { return [] }
    return survey(machine, facts, instant).maskedParts[place]
  }

  /// All that `needs` and `maskedParts` say at once: of each fact of the image, what is needed, and the
  /// facts, by number in the vocabulary and sorted, that decide in its stead; nil where it rests nowhere.
  public func outlook(
    of machine: RuleVM, facts: FactTable, at instant: Instant
  ) -> [(need: FactNeed, guards: [Int]?)] {
    let survey = survey(machine, facts, instant)
    return survey.needs.indices.map { place in
      let maskedParts = survey.maskedParts[place]
      return (survey.needs[place], maskedParts.isEmpty ? nil : Set(maskedParts.flatMap(\.guards)).sorted())
    }
  }

  /// The facts that one rule must read now, by their indexes in the image, once the rule VM has propagated.
  ///
  /// - Parameters:
  ///   - assumptions: values that replace those of the facts and demands.
  ///   - prices: by fact of the image, the power of a reading in nanowatts; 0 where it costs nothing.
  public func readings(
    byRule rule: Int, of machine: RuleVM, _ table: FactTable, at instant: Instant,
    assuming assumptions: NeedAssumptions, prices: [Int64]
  ) -> Set<Int> {
    guard let entry = readRule(rule) else { return [] }
    let moment = NeedEvaluation(
      image: image, firstComputed: .max, machine: machine, facts: table, now: instant,
      assumptions: assumptions)
    var survey = ReadingSurvey(moment: moment, prices: prices)
    survey.add(entry)
    return survey.facts
  }

  /// The facts whose values a rule uses, by their indexes in the image, each with the shortest span of time
  /// that the rule counts over it; nil where it counts over none. Facts that the rule only observes are left
  /// out.
  public func reads(ofRule rule: Int) -> [Int: TimeSpan?] {
    guard let entry = readRule(rule) else { return [:] }
    var spans: [Int: TimeSpan?] = [:]
    for term in [entry.condition].compactMap(\.self) + entry.untils.map(\.term) {
      term.forEachRead(in: image) { fact, span in
        let known = spans[fact] ?? nil
        spans[fact] = .some([known, span].compactMap(\.self).min())
      }
    }
    return spans
  }

  /// The facts that a rule reads or observes, by their indexes in the image, each once and sorted.
  public func facts(readBy rule: Int) -> [Int] {
    guard let entry = readRule(rule) else { return [] }
    return Set((entry.condition?.facts ?? []) + entry.untils.flatMap(\.term.facts)).sorted()
  }

  private func readRule(_ rule: Int) -> ReadRule? {
    places.indices.contains(rule) && places[rule] >= 0 ? rules[places[rule]] : nil
  }

  private func survey(_ machine: RuleVM, _ facts: FactTable, _ instant: Instant) -> NeedSurvey {
    var survey = NeedSurvey(
      moment: NeedEvaluation(
        image: image, firstComputed: firstComputed, machine: machine, facts: facts, now: instant))
    for entry in rules { survey.need(entry) }
    return survey
  }
}

/// A rule that is looked at: its condition, and the `until` of each directive.
struct ReadRule: Sendable {
  let rule: Int
  let isLevel: Bool
  let condition: NeedTerm?
  /// The `until` of each directive that has one, with the directive's index in the image.
  let untils: [(directive: Int, term: NeedTerm)]

  /// Reads a rule of an image; nil for one that the image's machine does not evaluate.
  init?(_ number: Int, of image: Image) {
    let rule = image.rules[number]
    guard !rule.isInert, !rule.isPerDemand else { return nil }
    self.rule = number
    isLevel = if case .level = rule.trigger { true } else { false }
    condition = NeedTerm(rule.code, of: image)
    untils = rule.directives.compactMap { directive in
      NeedTerm(image.directives[directive].until, of: image).map { (directive, $0) }
    }
  }
}

extension NeedSurvey {
  /// Notes what a rule needs.
  fileprivate mutating func need(_ entry: ReadRule) {
    rule = entry.rule
    if let condition = entry.condition { need(condition) }
    // What ends a directive counts only while it can be in force.
    let truth = entry.condition.map { moment.value(of: $0) } ?? .some(1)
    let decides = entry.isLevel && truth != nil && truth != 1
    for (_, until) in entry.untils {
      if decides, let condition = entry.condition {
        noteMasked(until, because: condition)
      } else {
        need(until)
      }
    }
  }
}

extension ReadingSurvey {
  /// Adds what a rule must read. An `until` counts only while its directive is in force.
  fileprivate mutating func add(_ entry: ReadRule) {
    if let condition = entry.condition { add(condition) }
    for (directive, until) in entry.untils
    where entry.isLevel ? moment.canHold(entry.condition) : moment.machine.isInForce(directive: directive) {
      add(until)
    }
  }
}

extension NeedEvaluation {
  /// Whether a condition is not false, as far as is known.
  fileprivate func canHold(_ condition: NeedTerm?) -> Bool { condition.map { value(of: $0) != 0 } ?? true }
}

/// What is taken for granted of facts and demands where needs are worked out after the machine has settled.
public struct NeedAssumptions: Sendable {
  /// Values of facts by their numbers in the vocabulary, in base units.
  public var values: [Int: Double] = [:]
  /// Devices whose demands do not count.
  public var undemanded: Set<DeviceID> = []

  /// Assumes nothing.
  public init() {}
}
