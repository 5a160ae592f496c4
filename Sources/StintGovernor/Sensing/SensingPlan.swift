import StintMachine
import StintModel
import StintUnits

/// The sensing plan has devices work for the rules that read their facts, while no other demand has them work.
///
/// One demand for each device stands in the name of the first rule, in the order of the policies, that needs a fact of
/// it. A place is looked for instead: by one fix, and the next when the answer is about to be forgotten.
struct SensingPlan: Sendable {
  /// How long one look for a place may take.
  static let patience = TimeSpan.seconds(90)
  /// How long after a look that found nothing comes the next: doubled each time, up to the last.
  static let pauses = TimeSpan.minutes(5)...TimeSpan.hours(1)

  /// What the governor does for the plan.
  enum Change {
    /// Raise a demand for a source of `rules.sources`, in the name of a reader's rule.
    case begin(source: Int, SensedRules.Reader)
    /// End a demand.
    case end(DemandID)
    /// Name another rule of the same policy as the one that reads.
    case rename(DemandID, SensedRules.Reader)
    /// Raise a demand for one fix.
    case look(SensedRules.Reader)
  }

  /// A demand for a source.
  private struct Standing {
    var demand: DemandID
    /// The device, and the index of the rule in the image; -1 after a reload.
    var device: Int
    var rule: Int
    var policy: String
  }

  private(set) var rules = SensedRules()
  private var standing: [Standing] = []
  /// The demand of the look that is under way.
  private var look: DemandID?
  /// When the last look began that has found nothing yet, and how many in a row ended so.
  private var soughtSince: Instant?
  private var failures = 0
  /// When the next look may begin at the earliest, by what former ones found.
  private var nextLook = Instant.epoch
  /// Whether needs may have changed since the last plan.
  private(set) var mustPlan = false
  /// When the next look begins; the distant future for never.
  private(set) var nextTimer = Instant.distantFuture

  /// Whether no rule reads what a device must work for.
  var isEmpty: Bool { rules.isEmpty && standing.isEmpty && look == nil }

  /// Whether a demand is the plan's own.
  func isOwn(_ demand: DemandID) -> Bool {
    look == demand || standing.contains { $0.demand == demand }
  }

  // MARK: What happened

  /// A fact changed.
  @inline(__always) mutating func note(_ fact: Int) { if rules.watches(fact) { mustPlan = true } }

  /// Something else happened by which a need may change.
  mutating func invalidate() { if !isEmpty { mustPlan = true } }

  /// A demand is over: one of the plan, or of a client or rule.
  mutating func ended(_ demand: DemandID, at now: Instant) {
    guard !isEmpty else { return }
    mustPlan = true
    standing.removeAll { $0.demand == demand }
    guard look == demand else { return }
    look = nil
    failures += 1
    nextLook = now + min(Self.pauses.upperBound, Self.pauses.lowerBound * Int64(1 << min(failures - 1, 8)))
  }

  // MARK: Planning

  /// Works out what must change so that every rule can read what it needs.
  mutating func plan(_ moment: SensingMoment) -> [Change] {
    mustPlan = false
    var changes: [Change] = []
    for entry in standing where !rules.sources.contains(where: { $0.device == entry.device }) {
      changes.append(.end(entry.demand))
    }
    for (place, source) in rules.sources.enumerated() {
      plan(source, place, moment, &changes)
    }
    planLook(moment, &changes)
    return changes
  }

  private func plan(
    _ source: SensedRules.Source, _ place: Int, _ moment: SensingMoment, _ changes: inout [Change]
  ) {
    let entry = standing.first { $0.device == source.device }
    // What another demand has it say need not be asked for.
    if moment.servesOthers[source.device] {
      if let entry { changes.append(.end(entry.demand)) }
      return
    }
    if let entry, let reader = source.readers.first(where: { $0.rule == entry.rule }),
      moment.needs(reader, rules)
    {
      return
    }
    let reader = source.readers.first { moment.needs($0, rules) }
    if let entry {
      if let reader, rules.name(of: reader).policy == entry.policy {
        changes.append(.rename(entry.demand, reader))
        return
      }
      changes.append(.end(entry.demand))
    }
    if let reader { changes.append(.begin(source: place, reader)) }
  }

  private mutating func planLook(_ moment: SensingMoment, _ changes: inout [Change]) {
    nextTimer = .distantFuture
    guard let places = rules.places else {
      if let look { changes.append(.end(look)) }
      return
    }
    if let soughtSince, let fix = moment.lastFix, fix >= soughtSince {
      self.soughtSince = nil
      failures = 0
      nextLook = .epoch
    }
    guard !moment.findsOthers, look == nil,
      let reader = places.readers.first(where: { moment.needs($0, rules) })
    else { return }
    let due = max(nextLook, moment.lastFix.map { $0 + ZoneRecord.memory - Self.patience } ?? .epoch)
    if due <= moment.now { changes.append(.look(reader)) } else { nextTimer = due }
  }

  /// The governor raised a demand for a source.
  mutating func began(_ source: Int, _ reader: SensedRules.Reader, _ demand: DemandID) {
    standing.append(
      Standing(
        demand: demand, device: rules.sources[source].device, rule: reader.rule,
        policy: rules.name(of: reader).policy))
  }

  /// The governor named another rule as the one that reads.
  mutating func renamed(_ demand: DemandID, _ reader: SensedRules.Reader) {
    for place in standing.indices where standing[place].demand == demand {
      standing[place].rule = reader.rule
    }
  }

  /// The governor raised a demand for one fix.
  mutating func looks(_ demand: DemandID, at now: Instant) {
    look = demand
    soughtSince = now
  }

  // MARK: Reload

  /// Goes over to other rules; demands stand until they are planned.
  mutating func migrate(to rules: SensedRules) {
    self.rules = rules
    for place in standing.indices { standing[place].rule = -1 }
    mustPlan = !isEmpty
  }
}

/// What needs are worked out from at a moment.
struct SensingMoment {
  let machine: Machine?
  let facts: FactTable
  let now: Instant
  /// By device: whether it serves a demand that is not the plan's own, and whether one asks for it.
  let servesOthers: [Bool]
  let isAskedByOthers: [Bool]
  /// Whether a device that says where the phone is serves a demand that is not the plan's own.
  let findsOthers: Bool
  /// When a position came last.
  let lastFix: Instant?
  let assumptions: NeedAssumptions

  /// Whether a rule needs what it reads of its source: it can decide something now, and nothing else decides for it.
  func needs(_ reader: SensedRules.Reader, _ rules: SensedRules) -> Bool {
    guard reader.isUnconditional || reader.targets.contains(where: { isAskedByOthers[$0] }) else {
      return false
    }
    guard !reader.isPerDemand, let machine, let needs = rules.needs else { return reader.isPerDemand }
    var assumptions = assumptions
    assumptions.costly = Set(reader.facts)
    return needs.needs(
      reader.facts, byRule: reader.rule, of: machine, facts, at: now, assuming: assumptions)
  }
}
