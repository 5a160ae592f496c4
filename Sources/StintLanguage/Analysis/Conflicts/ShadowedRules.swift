import StintModel
import StintUnits

/// Finds redundant rules. A rule A is redundant in the following case. Whenever A is in force, another rule B
/// is also in force and saves at least as much on each device of A.
struct ShadowedRules {
  private var ruleTable: RuleTable
  /// The limits that each `while` or `always` rule sets while it is active, with their devices. Directives
  /// with an `until` are left out. Empty for other rules.
  private let limits: [[(target: DeviceID, directive: Directive)]]
  /// For each rule: whether it is a `while` or `always` rule without `over` whose directives all limit
  /// demands and have no `until`.
  private let isPlain: [Bool]
  /// The zones that each `while` or `always` rule's condition reads. Nil when the condition reads anything
  /// except zones, and for any other rule.
  private let zones: [Set<Zone>?]
  /// For each zone: the indices of the rules that have an entry in `zones` and read the zone.
  private let readers: [Zone: [Int]]

  init(_ ruleTable: RuleTable) {
    self.ruleTable = ruleTable
    limits = ruleTable.rules.map { rule in
      var limits: [(target: DeviceID, directive: Directive)] = []
      guard rule.trigger.isLevel else { return limits }
      for directive in rule.directives where directive.directive.limits && directive.until == nil {
        limits += directive.directive.targets.map { ($0, directive.directive) }
      }
      return limits
    }
    isPlain = ruleTable.rules.map { rule in
      rule.trigger.isLevel && !rule.lacksDevice && rule.overrides.isEmpty && !rule.directives.isEmpty
        && rule.directives.allSatisfy { $0.directive.limits && $0.until == nil }
    }
    let zones = ruleTable.rules.map { Self.zones(of: $0, ruleTable.vocabulary) }
    var readers: [Zone: [Int]] = [:]
    for (number, own) in zones.enumerated() {
      for zone in own ?? [] { readers[zone, default: []].append(number) }
    }
    self.zones = zones
    self.readers = readers
  }

  /// Returns the zones that a `while` or `always` rule reads. Nil when its condition reads anything except
  /// zones, and for any other rule.
  ///
  /// A condition that reads only zones combines zone facts with `and`, `or` and `not`. So the condition is
  /// unknown when all of its zones are unknown.
  private static func zones(of rule: CheckedRule, _ vocabulary: Vocabulary) -> Set<Zone>? {
    guard rule.trigger.isLevel, let condition = rule.trigger.condition else { return nil }
    var zones: Set<Zone> = []
    var readsOnlyZones = true
    condition.visit { part in
      switch part.kind {
      case .and, .or, .not: return
      case .fact(let path):
        if let number = vocabulary.fact(path), number >= vocabulary.firstComputed,
          case .zone(let zone, _) = vocabulary.computed[number - vocabulary.firstComputed].source
        {
          zones.insert(zone)
        } else {
          readsOnlyZones = false
        }
      default: readsOnlyZones = false
      }
    }
    return readsOnlyZones ? zones : nil
  }

  /// For rule A with this index, returns the rules that must be examined as rule B.
  ///
  /// A rule that reads only zones is left out if A reads none of these zones. These zones may be unknown
  /// while A is active. If the policies have thousands of zones, there would otherwise be millions of pairs
  /// of rules to examine.
  private func candidates(_ number: Int, _ target: DeviceID) -> [Int] {
    let all = ruleTable.reaching(target)
    guard let own = zones[number] else { return all }
    var nearRules: Set<Int> = []
    for zone in own { nearRules.formUnion(readers[zone] ?? []) }
    return all.filter { zones[$0] == nil || nearRules.contains($0) }
  }

  mutating func findings() -> [Finding] {
    var found: [Finding] = []
    for number in ruleTable.rules.indices where isPlain[number] {
      if let finding = finding(number) { found.append(finding) }
    }
    return found
  }

  private mutating func finding(_ number: Int) -> Finding? {
    guard let target = limits[number].map(\.target).min() else { return nil }
    for other in candidates(number, target) where other != number {
      guard ruleTable.isLevel[other], !ruleTable.show(other, notWhenever: number), covers(other, number),
        alwaysLimits(other, number)
      else { continue }
      // Of two equivalent rules, only the second is reported.
      if other > number, isPlain[other], covers(number, other), alwaysLimits(number, other) { continue }
      let rule = ruleTable.rules[number]
      guard case .possible(let witness) = ruleTable.answer(number) else { continue }
      return message(rule, ruleTable.rules[other], witness)
    }
    return nil
  }

  /// Returns true when `first` limits all devices of `second` whenever `second` is in force.
  private mutating func alwaysLimits(_ first: Int, _ second: Int) -> Bool {
    for limit in limits[second] where !ruleTable.limits(first, on: limit.target, whenever: second) {
      return false
    }
    return true
  }

  /// Returns true when `first` saves at least as much as `second` on each device of `second`.
  private func covers(_ first: Int, _ second: Int) -> Bool {
    limits[second].allSatisfy { limit in
      limits[first].contains { $0.target == limit.target && $0.directive.saves(asMuchAs: limit.directive) }
    }
  }

  private func message(_ rule: CheckedRule, _ other: CheckedRule, _ witness: Witness) -> Finding {
    let isHere = ruleTable.file(of: other) == ruleTable.file(of: rule)
    let name = isHere ? other.id.rule : other.id.description
    var labels = [Diagnostic.Label(span: rule.span, text: "no effect")]
    if isHere { labels.append(Diagnostic.Label(span: other.span, text: "saves at least as much")) }
    let facts = witness.text(ruleTable.vocabulary)
    return Finding(
      Diagnostic(
        .shadowed, "“\(rule.id.rule)” has no effect: whenever it is active, “\(name)” saves at least as much",
        // The author of one policy may not know the other policy, so a finding about two policies is a note.
        severity: rule.id.policy == other.id.policy ? .warning : .note, file: ruleTable.file(of: rule),
        labels: labels,
        hint: (facts.isEmpty ? "both are always active" : "with \(facts) both are active")
          + "; remove “\(rule.id.rule)”, or narrow “\(name)”"),
      witness: witness)
  }
}

extension Directive {
  /// Returns true when this directive saves at least as much as `other` on the same device.
  func saves(asMuchAs other: Directive) -> Bool {
    guard exceptions.allSatisfy(other.exceptions.contains) else { return false }
    switch (action, other.action) {
    case (.start, _), (_, .start), (.locate, _), (_, .locate), (.serve, _), (_, .serve), (.resume, _),
      (_, .resume):
      return false
    case (.stopService(let word), .stopService(let other)): return word == other
    case (.stop, _): return true
    case (.pause, .pause): return true
    case (.limitAccuracy(let accuracy), .limitAccuracy(let finer)): return accuracy >= finer
    case (.slow(let period), .slow(let faster)): return period >= faster
    case (.limitAttributes(let values), .limitAttributes(let others)): return values == others
    case (.batch(let bounds), .batch(let others)):
      return bounds.allSatisfy { bound in others.contains { $0.isReached(before: bound) } }
    case (.postpone(let deadline), .postpone(let earlier)):
      return (deadline ?? .unlimited) >= (earlier ?? .unlimited)
    default: return false
    }
  }
}

extension HoldBound {
  /// Returns true when this bound ends a hold no later than `other`.
  fileprivate func isReached(before other: HoldBound) -> Bool {
    switch (self, other) {
    case (.time(let left), .time(let right)): left <= right
    case (.distance(let left), .distance(let right)): left <= right
    case (.items(let left), .items(let right)): left <= right
    case (.data(let left), .data(let right)): left <= right
    default: false
    }
  }
}
