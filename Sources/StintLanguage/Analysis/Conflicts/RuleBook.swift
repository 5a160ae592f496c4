import StintModel

/// The rules of all policies with who puts whom aside, and who reaches which device.
struct RuleBook {
  let vocabulary: Vocabulary
  let solver: Solver
  /// Rules that can act, in the order of the files.
  let rules: [CheckedRule]
  /// By rule: whether it holds, rather than acts.
  let isLevel: [Bool]
  /// By rule: its condition, as it can be compared with those of all policies.
  private let conditions: [CheckedExpression?]
  /// By rule: some facts for which its condition is true; none where it never is.
  private(set) var samples: [[Sample]]
  /// By policy: its file.
  private let files: [String: String]
  private let overriders: [RuleID: [Int]]
  /// By device: the places in `rules` of those that reach it, each once.
  private let reaching: [DeviceID: [Int]]
  private let pausing: [DeviceID: Bool]

  /// How many samples of a rule are kept.
  private static let mostSamples = 8

  init(_ policies: [CheckedPolicy], vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    solver = Solver(policies, vocabulary: vocabulary)
    let rules = policies.flatMap(\.rules).filter { !$0.isInert }
    self.rules = rules
    files = Dictionary(policies.map { ($0.name, $0.file) }, uniquingKeysWith: { first, _ in first })
    isLevel = rules.map(\.trigger.isLevel)
    let ground = solver.ground
    let conditions = rules.map { rule in
      rule.trigger.condition.map { ground.unplaced($0, of: rule.id.policy) }
    }
    self.conditions = conditions
    // A weekday at noon and a night of the weekend, where the rule itself does not care.
    let (noon, night) = (2 * WeekTime.day + WeekTime.day / 2, 6 * WeekTime.day + WeekTime.day / 8)
    samples = rules.indices.map { [solver] number in
      let claims = [Claim.inForce(rules[number], conditions[number], of: QuestionGround.all)]
      guard let first = solver.look(claims).witness else { return [] }
      let last = solver.look(claims, isReversed: true).witness ?? first
      let samples = [Sample(first, or: noon, ground), Sample(last, or: night, ground)]
      guard let condition = conditions[number] else { return samples }
      let limits = Survey(claims, schedules: ground.schedules).limits
      let close = [
        samples[0].close(to: limits, fromBelow: false, for: condition),
        samples[1].close(to: limits, fromBelow: true, for: condition),
      ]
      return close.filter { $0.allows(condition) } + samples
    }
    // Nothing puts the steps of a budget aside.
    let budgets = Set(rules.filter(\.isBudget).map(\.id))
    var overriders: [RuleID: [Int]] = [:]
    var reaching: [DeviceID: [Int]] = [:]
    for (number, rule) in rules.enumerated() {
      for loser in rule.overrides where !budgets.contains(loser) {
        overriders[loser, default: []].append(number)
      }
      for target in rule.targets { reaching[target, default: []].append(number) }
    }
    self.overriders = overriders
    self.reaching = reaching
    var defaults: [DeviceID: DeviceDefaults] = [:]
    for item in policies.flatMap(\.defaults) {
      let fresh = DeviceDefaults(device: item.device, wants: item.wants, linger: item.linger)
      defaults[item.device] = defaults[item.device]?.merged(with: fresh) ?? fresh
    }
    pausing = defaults.compactMapValues(\.wants.pausing)
  }

  func file(of rule: CheckedRule) -> String { files[rule.id.policy] ?? "" }

  /// The places in `rules` of those that name the device in a directive.
  func reaching(_ device: DeviceID) -> [Int] { reaching[device] ?? [] }

  /// The places of the rules that put this one aside on the device where they hold.
  func overriders(of rule: Int, on device: DeviceID) -> [Int] {
    (overriders[rules[rule].id] ?? []).filter { rules[$0].targets.contains(device) }
  }

  func hasOverriders(_ rule: Int) -> Bool { overriders[rules[rule].id] != nil }

  /// That the rule is in force.
  func inForce(_ rule: Int) -> Claim { .inForce(rules[rule], conditions[rule], of: QuestionGround.all) }

  /// That the rule is not in force.
  func notInForce(_ rule: Int) -> Claim { .notInForce(rules[rule], conditions[rule], of: QuestionGround.all) }

  /// That what the rule limits on the device is limited: it is in force, and nobody puts it aside there.
  func limits(_ rule: Int, on device: DeviceID) -> [Claim] {
    [inForce(rule)] + overriders(of: rule, on: device).map { notInForce($0) }
  }

  /// Whether a level rule limits the device whenever another is in force, and somebody demands the device if so said.
  mutating func limits(
    _ rule: Int, on device: DeviceID, whenever other: Int, isDemanded: Bool = false
  ) -> Bool {
    guard isLevel[rule] else { return false }
    if let condition = conditions[rule] {
      for sample in samples[other] {
        guard let sample = isDemanded ? sample.demanding(device) : sample else { continue }
        if !sample.allows(condition) { return false }
      }
    }
    var claims = [inForce(other)]
    if isDemanded { claims.append(.demanded(device, by: rules[other])) }
    if conditions[rule] != nil {
      switch solver.look(claims + [notInForce(rule)]) {
      case .impossible: break
      case .undecided: return false
      case .possible(let witness):
        // What shows it of this rule may show it of others.
        let sample = Sample(witness, or: 0, solver.ground)
        if samples[other].count < Self.mostSamples, !samples[other].contains(where: sample.isLike) {
          samples[other].append(sample)
        }
        return false
      }
    }
    return overriders(of: rule, on: device).allSatisfy { winner in
      winner != other && solver.excludes(claims + [inForce(winner)])
    }
  }

  /// Whether `pause` reaches a demand with these wants.
  func pauses(_ wants: Wants, on device: DeviceID) -> Bool {
    wants.pausing ?? pausing[device] ?? true
  }
}

extension CheckedRule {
  /// The devices that its directives name, sorted.
  var targets: [DeviceID] { Set(directives.flatMap(\.directive.targets)).sorted() }
}
