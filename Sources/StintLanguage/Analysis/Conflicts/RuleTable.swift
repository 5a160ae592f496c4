import StintModel

/// The rules of all policies with who puts whom aside, and who reaches which device.
struct RuleTable {
  let vocabulary: Vocabulary
  let solver: Solver
  /// Rules that can act, in the order of the files.
  let rules: [CheckedRule]
  /// By rule: whether it holds, rather than acts.
  let isLevel: [Bool]
  /// By rule: its condition, as it can be compared with those of all policies.
  let conditions: [CheckedExpression?]
  /// By rule: what must all be true for its condition to be.
  let parts: [[CheckedExpression]]
  /// By rule: every `for` in its condition.
  let holds: [[CheckedExpression]]
  /// What the conditions ask of single facts.
  let boxes: SampleBoxes
  /// The samples of the rule that was last asked about, by the numbers of facts.
  var points: (rule: Int, points: [SamplePoint]) = (-1, [])
  /// By rule: some facts for which its condition is true; none where it never is.
  var samples: [[Sample]]
  /// By rule: whether it may be in force at one moment.
  let looks: [Answer]
  /// By rule: whether it has the samples that take a search of their own.
  var isWide: [Bool]
  private let targets: [[DeviceID]]
  /// By policy: its file.
  private let files: [String: String]
  private let overriders: [RuleID: [Int]]
  /// By device: the places in `rules` of those that reach it, each once.
  private let reaching: [DeviceID: [Int]]
  private let pausing: [DeviceID: Bool]

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
    parts = conditions.map { $0?.conjuncts ?? [] }
    holds = conditions.map { $0?.holds ?? [] }
    boxes = SampleBoxes(conditions, ground)
    looks = rules.indices.map { [solver] number in
      solver.solveOnce([Claim.inForce(rules[number], conditions[number], of: SolverContext.all)])
    }
    isWide = [Bool](repeating: false, count: rules.count)
    let targets = rules.map(\.targets)
    self.targets = targets
    // Nothing puts the steps of a budget aside.
    let budgets = Set(rules.filter(\.isBudget).map(\.id))
    var overriders: [RuleID: [Int]] = [:]
    var reaching: [DeviceID: [Int]] = [:]
    for (number, rule) in rules.enumerated() {
      for loser in rule.overrides where !budgets.contains(loser) {
        overriders[loser, default: []].append(number)
      }
      for target in targets[number] { reaching[target, default: []].append(number) }
    }
    self.overriders = overriders
    self.reaching = reaching
    var defaults: [DeviceID: DeviceDefaults] = [:]
    for item in policies.flatMap(\.defaults) {
      let fresh = item.inForce
      defaults[item.device] = defaults[item.device]?.merged(with: fresh) ?? fresh
    }
    pausing = defaults.compactMapValues(\.wants.pausing)
    samples = []
    samples = rules.indices.map { samples(of: $0, looks[$0].witness, isLast: false) }
  }

  func file(of rule: CheckedRule) -> String { files[rule.id.policy] ?? "" }

  /// The places in `rules` of those that name the device in a directive.
  func reaching(_ device: DeviceID) -> [Int] { reaching[device] ?? [] }

  /// The places of the rules that put this one aside on the device where they hold.
  func overriders(of rule: Int, on device: DeviceID) -> [Int] {
    (overriders[rules[rule].id] ?? []).filter { targets[$0].contains(device) }
  }

  func hasOverriders(_ rule: Int) -> Bool { overriders[rules[rule].id] != nil }

  /// Whether the rule can be in force, and with which facts.
  func answer(_ rule: Int) -> Answer { solver.solve([inForce(rule)], after: looks[rule]) }

  /// That the rule is in force.
  func inForce(_ rule: Int) -> Claim { .inForce(rules[rule], conditions[rule], of: SolverContext.all) }

  /// That the rule is not in force.
  func notInForce(_ rule: Int) -> Claim { .notInForce(rules[rule], conditions[rule], of: SolverContext.all) }

  /// Claims that the rule limits the device: it is in force, and no rule that overrides it there is.
  func limits(_ rule: Int, on device: DeviceID) -> [Claim] {
    [inForce(rule)] + overriders(of: rule, on: device).map { notInForce($0) }
  }

  /// Whether a level rule limits the device whenever `other` is in force and, with `isDemanded`, the device
  /// is demanded.
  mutating func limits(
    _ rule: Int, on device: DeviceID, whenever other: Int, isDemanded: Bool = false
  ) -> Bool {
    let demanded = isDemanded ? device : nil
    guard isLevel[rule], !show(rule, notWhenever: other, demanding: demanded) else { return false }
    var claims = [inForce(other)]
    if isDemanded { claims.append(.demanded(device, by: rules[other])) }
    if conditions[rule] != nil, !isImplied(rule, by: other) {
      if !isDemanded, mayWait(rule, whenever: other) { return false }
      switch solver.solveOnce(claims + [notInForce(rule)]) {
      case .impossible: break
      case .undecided: return false
      case .possible(let witness):
        keep(witness, of: other)
        widen(other)
        return false
      }
    }
    return overriders(of: rule, on: device).allSatisfy { winner in
      winner != other && solver.excludes(claims + [inForce(winner)])
    }
  }

  /// Whether `pause` reaches a demand with these wants.
  func pauses(_ wants: DemandSettings, on device: DeviceID) -> Bool {
    wants.pausing ?? pausing[device] ?? true
  }
}

extension CheckedRule {
  /// The devices that its directives name, sorted.
  var targets: [DeviceID] { Set(directives.flatMap(\.directive.targets)).sorted() }
}
