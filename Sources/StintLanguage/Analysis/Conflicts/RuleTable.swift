import StintModel

/// The rules of all policies, indexed by the rules that override them and by the devices that they affect.
struct RuleTable {
  let vocabulary: Vocabulary
  let solver: Solver
  /// The rules in the order of the files, without rules that have no effect because devices are missing.
  let rules: [CheckedRule]
  /// For each rule: whether it is a `while` or `always` rule, which is in force while its condition is true.
  let isLevel: [Bool]
  /// The condition of each rule without source positions, so that conditions of all policies can be compared.
  let conditions: [CheckedExpression?]
  /// The conjuncts of each rule's condition.
  let parts: [[CheckedExpression]]
  /// All `for` parts in each rule's condition.
  let forParts: [[CheckedExpression]]
  /// The ranges of single facts that the conditions allow.
  let boxes: SampleBoxes
  /// The samples of the most recently queried rule as points: a range of values for each fact, by its index.
  var points: (rule: Int, points: [SamplePoint]) = (-1, [])
  /// The samples of each rule: facts with which the rule is in force. Empty when the solver found no such
  /// facts.
  var samples: [[Sample]]
  /// The result of `solveOnce` for each rule. It states whether the rule can be in force at one moment, with
  /// an arbitrary past.
  let onceAnswers: [Answer]
  /// For each rule: whether `widen` has already searched for more samples.
  var isWide: [Bool]
  private let targets: [[DeviceID]]
  /// The file of each policy, by the policy's name.
  private let files: [String: String]
  private let overriders: [RuleID: [Int]]
  /// For each device: the indices in `rules` of the rules that affect the device, each once.
  private let reaching: [DeviceID: [Int]]
  private let pausing: [DeviceID: Bool]

  init(_ policies: [CheckedPolicy], vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    solver = Solver(policies, vocabulary: vocabulary)
    let rules = policies.flatMap(\.rules).filter { !$0.isInert }
    self.rules = rules
    files = Dictionary(policies.map { ($0.name, $0.file) }, uniquingKeysWith: { first, _ in first })
    isLevel = rules.map(\.trigger.isLevel)
    let solverContext = solver.solverContext
    let conditions = rules.map { rule in
      rule.trigger.condition.map { solverContext.unplaced($0, of: rule.id.policy) }
    }
    self.conditions = conditions
    parts = conditions.map { $0?.conjuncts ?? [] }
    forParts = conditions.map { $0?.forParts ?? [] }
    boxes = SampleBoxes(conditions, solverContext)
    onceAnswers = rules.indices.map { [solver] number in
      solver.solveOnce([Claim.inForce(rules[number], conditions[number], of: SolverContext.all)])
    }
    isWide = [Bool](repeating: false, count: rules.count)
    let targets = rules.map(\.targets)
    self.targets = targets
    // No rule can override the steps of a budget.
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
    let defaults = DeviceDefaults.joined(policies.flatMap(\.defaults).map(\.inForce), vocabulary: vocabulary)
    pausing = Dictionary(
      defaults.compactMap { item in item.wants.pausing.map { (item.device, $0) } },
      uniquingKeysWith: { first, _ in first })
    samples = []
    samples = rules.indices.map { samples(of: $0, onceAnswers[$0].witness, isLast: false) }
  }

  func file(of rule: CheckedRule) -> String { files[rule.id.policy] ?? "" }

  /// Returns the indices of the rules with a directive for the device.
  func reaching(_ device: DeviceID) -> [Int] { reaching[device] ?? [] }

  /// Returns the indices of the rules that override this rule on the device while they are active.
  func overriders(of rule: Int, on device: DeviceID) -> [Int] {
    (overriders[rules[rule].id] ?? []).filter { targets[$0].contains(device) }
  }

  func hasOverriders(_ rule: Int) -> Bool { overriders[rules[rule].id] != nil }

  /// Returns whether the rule can be in force, and if so, facts that bring it into force.
  func answer(_ rule: Int) -> Answer { solver.solve([inForce(rule)], after: onceAnswers[rule]) }

  func inForce(_ rule: Int) -> Claim { .inForce(rules[rule], conditions[rule], of: SolverContext.all) }

  func notInForce(_ rule: Int) -> Claim { .notInForce(rules[rule], conditions[rule], of: SolverContext.all) }

  /// Returns the claims that the rule limits the device.
  ///
  /// The claims are that the rule is in force, and that no rule that overrides it on the device is in force.
  func limits(_ rule: Int, on device: DeviceID) -> [Claim] {
    [inForce(rule)] + overriders(of: rule, on: device).map { notInForce($0) }
  }

  /// Returns true when it is certain that a `while` or `always` rule limits the device whenever `other` is in
  /// force. If `isDemanded` is true, only situations in which the device is demanded count.
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

  /// Returns true when `pause` affects a demand with these settings.
  func pauses(_ wants: DemandSettings, on device: DeviceID) -> Bool {
    wants.pausing ?? pausing[device] ?? true
  }
}

extension CheckedRule {
  /// The devices in the rule's directives, sorted.
  var targets: [DeviceID] { Set(directives.flatMap(\.directive.targets)).sorted() }
}
