package import StintModel
package import StintUnits

/// Finds the facts that the rules of a policy read, and the conditions under which the governor reads them.
package struct ReadingGuards {
  /// A fact that a rule reads, with the guards of the reading. `span` is the shortest span of the windows and
  /// temporal operators that contain the fact; nil when none of these contains the fact. `isForPlace` is true
  /// for the activity that the reading of a zone needs.
  package typealias Read = (path: String, guards: [ReadingGuard], span: TimeSpan?, isForPlace: Bool)

  private let policy: CheckedPolicy
  private let vocabulary: Vocabulary
  private let text: ConditionText
  private let movers: Set<RuleID>
  /// The devices that publish positions.
  private let providers: [DeviceID]

  /// - Parameter vocabulary: contains the computed facts of all policies.
  package init(_ policy: CheckedPolicy, _ vocabulary: Vocabulary) {
    self.policy = policy
    self.vocabulary = vocabulary
    text = ConditionText(policy.schedules)
    movers = Set(policy.moves.map(\.rule))
    providers = vocabulary.manifests.filter { $0.publishesPositions(vocabulary) }.map(\.device)
  }

  /// Returns the readings of a rule in the order of its conditions. A reading of a zone also reads the
  /// activity, if a device publishes it. Zones that the rule only observes are left out.
  package func reads(of rule: CheckedRule) -> [Read] {
    var reads: [Read] = []
    let observesZones = placeReading(of: rule) == nil
    for condition in rule.readConditions {
      collect(condition, [], nil) { path, guards, span in
        if observesZones && isPlace(path) { return }
        // The governor reads for a rule with `client.*` whenever a demand exists on the rule's targets.
        guard rule.isPerDemand || canMatter(path, behind: guards) else { return }
        reads.append((path, guards, span, false))
      }
    }
    let places =
      reads.filter { isPlace($0.path) }.map(\.guards) + rule.watches.map { _ in watchGuards(of: rule) }
    if let activity = vocabulary.schema("motion.activity") {
      reads += places.map { (activity.path, $0, nil, true) }
    }
    return reads
  }

  /// Returns how a rule reads its circular zones; nil when it only observes them.
  package func placeReading(of rule: CheckedRule) -> CheckedRule.PlaceReading? {
    rule.placeReading(providers, moves: movers.contains(rule.id))
  }

  /// Returns the guards of the zones that the rule watches. A `while` rule watches zones while its condition
  /// is true.
  package func watchGuards(of rule: CheckedRule) -> [ReadingGuard] {
    let condition = rule.trigger.isLevel ? rule.trigger.condition : nil
    return condition.map { [guardOf($0)] } ?? []
  }

  /// Returns the texts of the guards under which a rule reads facts of a device. The rule reads the facts
  /// only while every guard is true or unknown. Nil when the rule does not read the device.
  package func texts(of rule: CheckedRule, on device: Manifest) -> [String]? {
    let barred = placeReading(of: rule)?.barred ?? []
    let all = reads(of: rule).filter { read in
      sensor(of: read.path)?.device == device.device
        || isPlace(read.path) && device.publishesPositions(vocabulary) && !barred.contains(device.device)
    }
    let own = all.map(\.guards)
    let watches = rule.watches.filter { $0.directive.targets.contains(device.device) }.map { _ in
      watchGuards(of: rule)
    }
    guard !(own + watches).isEmpty, let demanded = demandGuards(of: rule, all, on: device) else { return nil }
    return Self.texts(common(own + watches), demanded)
  }

  /// Returns the texts of guards, each once.
  package static func texts(_ guards: [ReadingGuard], _ demanded: [String]) -> [String] {
    let texts = guards.map(\.text)
    return texts + demanded.filter { !texts.contains($0) }
  }

  /// Returns whether the value of a fact can have an effect both before and during its reading. In
  /// `known(gps.speed) and gps.speed > 2 m/s` it cannot, because a guard is false before the reading. In
  /// `known(gps.speed) or gps.speed > 2 m/s` it cannot, because a guard is false during the reading.
  private func canMatter(_ path: String, behind guards: [ReadingGuard]) -> Bool {
    let own = sensor(of: path)
    return [false, true].allSatisfy { works in
      var truth = TruthForReading(
        sensor: own, observed: Set(own.map(related) ?? providers), device: { sensor(of: $0)?.device },
        works: works)
      return guards.allSatisfy { truth.value(of: $0.condition, at: ()) != .no }
    }
  }

  // MARK: Conditions

  private func collect(
    _ part: CheckedExpression, _ guards: [ReadingGuard], _ span: TimeSpan?,
    _ found: (String, [ReadingGuard], TimeSpan?) -> Void
  ) {
    func shorter(_ other: TimeSpan) -> TimeSpan { min(span ?? other, other) }
    switch part.kind {
    case _ where part.isObservation: break
    case .fact(let path): found(path, guards, span)
    case .window(_, let path, let length):
      found(path, guards, shorter(Manifest.readingSpan(ofWindow: length)))
    case .heldFor(let operand, let length, _), .inLast(let operand, let length):
      collect(operand, guards, shorter(length), found)
    case .and(let operands):
      for operand in operands {
        let own = cheaper(operands, than: operand).map { guardOf($0) }
        collect(operand, guards + own.filter { !guards.contains($0) }, span, found)
      }
    case .or(let operands):
      for operand in operands {
        let own = cheaper(operands, than: operand).map { guardAgainst($0) }
        collect(operand, guards + own.filter { !guards.contains($0) }, span, found)
      }
    case .implies(let premise, let conclusion):
      let either = CheckedExpression(
        kind: .or([.negation(of: premise), conclusion]), type: .boolean, span: part.span)
      collect(either, guards, span, found)
    default: for child in part.children { collect(child, guards, span, found) }
    }
  }

  /// Returns the guard that the condition is not true.
  private func guardAgainst(_ condition: CheckedExpression) -> ReadingGuard {
    if case .not(let operand) = condition.kind { return guardOf(operand) }
    return ReadingGuard(text: "not (\(text.text(condition)))", condition: .negation(of: condition))
  }

  private func guardOf(_ condition: CheckedExpression) -> ReadingGuard {
    let text = text.text(condition)
    // Guards are joined by `and`, which binds more tightly than `or`.
    if case .or = condition.kind { return ReadingGuard(text: "(\(text))", condition: condition) }
    return ReadingGuard(text: text, condition: condition)
  }

  /// Returns the operands that cost less power than `other`. The governor reads `other` only when none of
  /// these operands decides the condition.
  private func cheaper(_ operands: [CheckedExpression], than other: CheckedExpression) -> [CheckedExpression]
  {
    let limit = price(of: other)
    return operands.filter { !$0.isAlwaysUnknown && price(of: $0) < limit }
  }

  /// Returns the power that is needed to read the facts of a condition, in nanowatts.
  private func price(of part: CheckedExpression) -> Int64 {
    part.readFacts.reduce(0) { sum, path in
      vocabulary.fact(path).map { sum.addingSaturated(vocabulary.readingPrice(ofFact: $0)) } ?? sum
    }
  }

  /// Returns the guards under which a fact is read. `guards` contains the guards of each read.
  ///
  /// The result contains the guards that all reads have in common. When each read has further guards, the
  /// result also contains one guard that joins these further guards with `or`.
  package func common(_ guards: [[ReadingGuard]]) -> [ReadingGuard] {
    guard let first = guards.first else { return [] }
    let common = first.filter { entry in guards.allSatisfy { $0.contains(entry) } }
    var others: [[ReadingGuard]] = []
    for own in guards.map({ $0.filter { !common.contains($0) } }) where !others.contains(own) {
      others.append(own)
    }
    guard others.allSatisfy({ !$0.isEmpty }) else { return common }
    return common + [ReadingGuard.any(others)]
  }

  // MARK: Facts and devices

  private func zone(of path: String) -> Zone? {
    guard let fact = vocabulary.computed.first(where: { $0.schema.path == path }),
      case .zone(let zone, _) = fact.source
    else { return nil }
    return zone
  }

  package func isPlace(_ path: String) -> Bool {
    guard case .circle? = zone(of: path)?.shape else { return false }
    return true
  }

  package func input(of path: String) -> ComputedFact.SensedInput? {
    vocabulary.computed.first { $0.schema.path == path }?.sensedInput
  }

  package func schema(of path: String) -> FactSchema? {
    vocabulary.schema(input(of: path)?.path ?? path)
  }

  package func sensor(of path: String) -> Manifest? {
    guard let schema = schema(of: path), let manifest = schema.device.flatMap({ vocabulary.manifest($0) }),
      manifest.isSensed(schema)
    else { return nil }
    return manifest
  }

  package func related(to manifest: Manifest) -> [DeviceID] {
    guard let ladder = manifest.ladder?.name else { return [manifest.device] }
    return vocabulary.manifests.filter { $0.ladder?.name == ladder }.map(\.device)
  }

  /// Returns the guard `demanded(…)` of the readings of a device: a demand exists on at least one of the
  /// devices that the rule limits. For readings of facts, neither the device itself nor another device of its
  /// ladder counts.
  ///
  /// - Returns: an empty array when the rule also has an effect without a demand. Nil when the rule only
  ///   observes: it is a requirement, or it limits only devices that do not count.
  package func demandGuards(of rule: CheckedRule, _ reads: [Read], on manifest: Manifest) -> [String]? {
    let isForZones = !reads.isEmpty && reads.allSatisfy { $0.isForPlace || isPlace($0.path) }
    if isForZones { return demandGuards(ofZonesOf: rule) }
    return rule.targets(without: related(to: manifest), moves: movers.contains(rule.id))
      .map(Self.demandGuards)
  }

  /// Returns the guard `demanded(…)` of the position probes of a rule, as `demandGuards(of:_:on:)` does.
  package func demandGuards(ofZonesOf rule: CheckedRule) -> [String]? {
    placeReading(of: rule).map { Self.demandGuards($0.targets) }
  }

  private static func demandGuards(_ targets: Set<DeviceID>) -> [String] {
    guard !targets.isEmpty else { return [] }
    let demands = targets.sorted().map { "demanded(\($0))" }.joined(separator: " or ")
    return [targets.count > 1 ? "(\(demands))" : demands]
  }
}
