public import StintModel
public import StintUnits

/// Determines which facts can still change the decisions of a rule VM. For each fact, it also determines the
/// range of values without effect.
///
/// When one operand determines the value of a condition alone (such as one false operand of an `and`), the
/// other operands are masked: their facts are not needed. Only published facts and time can mask operands;
/// facts that the governor computes cannot. Temporal operators (`for`, `in last`, windows, ages and
/// comparisons with `release`) collect values over time. They always need their facts, even while another
/// operand determines the result. `ReadingSurvey` reads sensors for temporal operators less often.
///
/// A host may skip the readings of a fact that is not needed. But it must read the fact before the next
/// evaluation that needs the fact. Then it makes the same decisions as a host that reads all facts, unless a
/// fact that both hosts read exceeds its maximum age.
public struct SensingNeeds: Sendable {
  /// A part of a rule whose facts are not needed now, because another operand determines the result.
  public struct MaskedPart: Hashable, Sendable {
    /// The index of the rule in the image.
    public var rule: Int
    /// The facts of the operand that determines the result, by their indexes in the vocabulary. One of them
    /// must change before the part has an effect. Empty when that operand depends only on time.
    public var guards: [Int]
  }

  let image: Image
  /// The index in the vocabulary of the first fact that the governor computes. The governor also computes all
  /// facts after this one.
  let firstComputed: Int
  /// The surveyed rules: their conditions, and the `until` of each directive.
  let rules: [ReadRule]
  /// For each rule of the image: its index in `rules`; -1 when it is not surveyed.
  private let places: [Int]

  /// Reads an image. The governor computes the facts from `firstComputed` on.
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

  /// Returns the need for each fact of the image, in the order of the image. Call this function before the
  /// rule VM evaluates these facts.
  public func needs(of machine: RuleVM, facts: FactTable, at instant: Instant) -> [FactNeed] {
    survey(machine, facts, instant).needs
  }

  /// Returns the need for each fact as `needs(of:facts:at:)` does, but only for the rules with these indexes
  /// in the image.
  public func needs(
    ofRules numbers: Set<Int>, _ machine: RuleVM, facts: FactTable, at instant: Instant
  ) -> [FactNeed] {
    survey(machine, facts, instant) { numbers.contains($0) }.needs
  }

  /// Returns the masked parts that read the fact with this index in the vocabulary.
  public func maskedParts(of fact: Int, _ machine: RuleVM, facts: FactTable, at instant: Instant)
    -> [MaskedPart]
  {
    guard let place = image.facts.firstIndex(where: { $0.number == fact }) else { return [] }
    return survey(machine, facts, instant).maskedParts[place]
  }

  /// Returns the results of `needs` and `maskedParts` together, for each fact of the image.
  ///
  /// `guards` contains the sorted vocabulary indexes of the facts that determine the results instead of this
  /// fact. It is nil when no masked part reads the fact.
  public func outlook(
    of machine: RuleVM, facts: FactTable, at instant: Instant
  ) -> [(need: FactNeed, guards: [Int]?)] {
    let survey = survey(machine, facts, instant)
    return survey.needs.indices.map { place in
      let maskedParts = survey.maskedParts[place]
      return (survey.needs[place], maskedParts.isEmpty ? nil : Set(maskedParts.flatMap(\.guards)).sorted())
    }
  }

  /// Returns the facts that one rule must read now, by their indexes in the image. Call this function after
  /// the rule VM has propagated its inputs.
  ///
  /// - Parameters:
  ///   - rule: the index of the rule in the image.
  ///   - machine: the rule VM that runs the image.
  ///   - table: the values of the facts.
  ///   - instant: the present instant.
  ///   - assumptions: assumed values, in place of the actual values of facts and demands.
  ///   - prices: for each fact of the image, the power that is needed to keep the fact known, in nanowatts;
  ///     0 for a fact that costs nothing.
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

  /// Returns the facts whose values one rule uses but does not need now, by their indexes in the image. Each
  /// value of the dictionary contains the sorted vocabulary indexes of the facts that determine the result
  /// instead. The parameters are those of `readings`.
  public func maskedReadings(
    byRule rule: Int, of machine: RuleVM, _ table: FactTable, at instant: Instant,
    assuming assumptions: NeedAssumptions, prices: [Int64]
  ) -> [Int: [Int]] {
    guard let entry = readRule(rule) else { return [:] }
    let moment = NeedEvaluation(
      image: image, firstComputed: .max, machine: machine, facts: table, now: instant,
      assumptions: assumptions)
    var survey = ReadingSurvey(moment: moment, prices: prices, recordsMasked: true)
    survey.add(entry)
    return survey.masked.filter { !survey.facts.contains($0.key) }
      .mapValues { guards in guards.map { image.facts[$0].number }.sorted() }
  }

  /// Returns the facts whose values a rule uses, by their indexes in the image, each with a time span. The
  /// span is the shortest of the `for`, `in last` and window operators that contain the fact; nil when no
  /// such operator contains it. Facts that the rule only observes are omitted.
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

  /// Returns the facts that a rule reads or observes, by their indexes in the image, sorted and without
  /// duplicates.
  public func facts(readBy rule: Int) -> [Int] {
    guard let entry = readRule(rule) else { return [] }
    return Set((entry.condition?.facts ?? []) + entry.untils.flatMap(\.term.facts)).sorted()
  }

  /// Returns the facts that a rule tests with `known` or `age`, or whose values it counts, by their indexes
  /// in the image.
  public func facts(observedBy rule: Int) -> Set<Int> {
    guard let entry = readRule(rule) else { return [] }
    return ([entry.condition].compactMap(\.self) + entry.untils.map(\.term))
      .reduce(into: []) { $0.formUnion($1.observedFacts) }
  }

  /// Returns false only when the condition of a rule is known to be false. `rule` is its index in the image.
  public func canHold(_ rule: Int, _ machine: RuleVM, _ table: FactTable, at instant: Instant) -> Bool {
    guard let entry = readRule(rule) else { return false }
    let moment = NeedEvaluation(
      image: image, firstComputed: .max, machine: machine, facts: table, now: instant)
    return moment.canHold(entry.condition)
  }

  /// Returns whether a fact, by its index in the image, has a value that is not too old.
  public func isKnown(_ fact: Int, _ table: FactTable, at instant: Instant) -> Bool {
    table.value(image.facts[fact].number, at: instant, maxAge: image.facts[fact].maxAge) != .unknown
  }

  /// Returns the devices that a rule tests with `demanded`.
  public func devices(testedBy rule: Int) -> Set<DeviceID> {
    guard let entry = readRule(rule) else { return [] }
    let terms = [entry.condition].compactMap(\.self) + entry.untils.map(\.term)
    return Set(terms.flatMap(\.demandedDevices).map { image.devices[$0] })
  }

  private func readRule(_ rule: Int) -> ReadRule? {
    places.indices.contains(rule) && places[rule] >= 0 ? rules[places[rule]] : nil
  }

  private func survey(
    _ machine: RuleVM, _ facts: FactTable, _ instant: Instant, where isIncluded: (Int) -> Bool = { _ in true }
  ) -> NeedSurvey {
    var survey = NeedSurvey(
      moment: NeedEvaluation(
        image: image, firstComputed: firstComputed, machine: machine, facts: facts, now: instant))
    for entry in rules where isIncluded(entry.rule) { survey.need(entry) }
    return survey
  }
}

/// A surveyed rule: its condition, and the `until` of each directive.
struct ReadRule: Sendable {
  let rule: Int
  let isLevel: Bool
  let condition: NeedTerm?
  /// The `until` of each directive that has one, with the directive's index in the image.
  let untils: [(directive: Int, term: NeedTerm)]

  /// Reads a rule of an image; nil for a rule that the rule VM of the image does not evaluate.
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
  fileprivate mutating func need(_ entry: ReadRule) {
    rule = entry.rule
    if let condition = entry.condition { need(condition) }
    // The `until` of a directive matters only while the directive can be in force.
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
  /// Adds the facts that a rule must read. An `until` matters only while its directive can be in force.
  fileprivate mutating func add(_ entry: ReadRule) {
    if let condition = entry.condition { add(condition: condition) }
    for (directive, until) in entry.untils {
      if entry.isLevel ? moment.canHold(entry.condition) : moment.machine.isInForce(directive: directive) {
        add(until)
      } else if let condition = entry.condition {
        close(until, because: condition)
      }
    }
  }
}

extension NeedEvaluation {
  /// Returns false only when the condition is known to be false.
  fileprivate func canHold(_ condition: NeedTerm?) -> Bool { condition.map { value(of: $0) != 0 } ?? true }
}

/// Assumed values of facts and demands, for needs that are determined after the rule VM has propagated its
/// inputs.
public struct NeedAssumptions: Sendable {
  /// Values of facts by their indexes in the vocabulary, in base units.
  public var values: [Int: Double] = [:]
  /// Devices that are assumed to have no demands.
  public var undemanded: Set<DeviceID> = []
  /// Devices that are assumed to have a demand.
  public var demanded: Set<DeviceID> = []
  /// Facts that `known` and `age` are assumed to find unknown, by their indexes in the vocabulary. `count`
  /// and `rate` are assumed to find no values. The other parts of a condition use the actual values of these
  /// facts.
  public var unread: Set<Int> = []
  /// Facts of which `known` and `age` are assumed to find a new value, by their indexes in the vocabulary.
  /// The other parts of a condition use the actual values of these facts.
  public var read: Set<Int> = []
  /// Facts that the considered reading changes by itself, by their indexes in the vocabulary. `in last`
  /// ignores the past of a condition that tests one of them.
  public var changedByReading: Set<Int> = []
  /// The device on which the considered reading is a demand, if the rule tests it with `demanded`.
  public var demandedByReading: DeviceID?

  /// Creates an empty set of assumptions.
  public init() {}
}
