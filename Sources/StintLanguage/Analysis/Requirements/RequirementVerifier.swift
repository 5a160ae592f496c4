import StintModel
import StintUnits

/// Decides about one requirement at a time: tries to prove the requirement first, then to refute it.
struct RequirementVerifier {
  let vocabulary: Vocabulary
  let rules: [CheckedRule]
  private let policies: [CheckedPolicy]
  private let solver: Solver
  /// Returns true when a governor reproduces a counterexample.
  private let isReproduced: (CheckedRequirement, Witness) -> Bool

  init(
    _ policies: [CheckedPolicy], vocabulary: Vocabulary,
    isReproduced: @escaping (CheckedRequirement, Witness) -> Bool
  ) {
    self.isReproduced = isReproduced
    self.policies = policies
    self.vocabulary = vocabulary
    rules = policies.flatMap(\.rules).filter { !$0.isInert }
    solver = Solver(policies, vocabulary: vocabulary)
  }

  func verdict(on requirement: CheckedRequirement, of policy: String) -> CheckedRequirement.Verdict {
    let broken = Claim(condition: .negation(of: requirement.condition), policy: policy, mode: .holds)
    if solver.excludes([broken]) { return .proved(because: reason(requirement.condition), assuming: nil) }
    let invariants = self.invariants(of: requirement.condition)
    if let proof = proof(broken, from: invariants) { return proof }
    return attempt(requirement, broken, invariants)
  }

  // MARK: Proofs

  /// Returns a proof when the invariants exclude the violation. The proof names only the invariants that it
  /// needs.
  private func proof(_ broken: Claim, from invariants: [StepInvariant]) -> CheckedRequirement.Verdict? {
    guard !invariants.isEmpty, solver.excludes([broken] + invariants.map(\.claim)) else { return nil }
    var needed = invariants
    for invariant in invariants where needed.count > 1 {
      let fewer = needed.filter { $0.path != invariant.path }
      if solver.excludes([broken] + fewer.map(\.claim)) { needed = fewer }
    }
    return .proved(
      because: needed.map(\.because).joined(separator: ", and "),
      assuming: needed.map(\.assuming).joined(separator: ", and "))
  }

  /// Returns the reason why no values of facts break the condition, as text for people.
  private func reason(_ condition: CheckedExpression) -> String {
    var facts: Set<String> = []
    condition.visit { part in if case .fact(let path) = part.kind { facts.insert(path) } }
    guard facts.count == 1, let path = facts.first, let range = vocabulary.schema(path)?.range,
      let schema = vocabulary.schema(path)
    else { return "no values of its facts break it" }
    let ends = [range.lowerBound, range.upperBound].map { schema.text(of: .number($0)) }
    return "no value of \(path) from \(ends[0]) to \(ends[1]) breaks it"
  }

  /// Returns the invariants of the devices whose `on` fact or wake-ups the condition reads.
  private func invariants(of condition: CheckedExpression) -> [StepInvariant] {
    var read: Set<String> = []
    condition.visit { part in if case .fact(let path) = part.kind { read.insert(path) } }
    return read.sorted().compactMap { path in
      if let device = vocabulary.switchableSensor(path) { return .onlyForDemands(device) }
      guard let number = vocabulary.fact(path), number >= vocabulary.firstComputed,
        case .wakeups(let device) = vocabulary.computed[number - vocabulary.firstComputed].source
      else { return nil }
      guard case .atMost(let most) = WakeupBound.of(device, in: policies, vocabulary: vocabulary).limit else {
        return nil
      }
      return .wakesAtMost(most, device, path)
    }
  }

  // MARK: Refutations

  /// Tries to break the condition with constant facts and demands.
  ///
  /// - Returns: `watched` with a reason when the attempt fails.
  private func attempt(
    _ requirement: CheckedRequirement, _ broken: Claim, _ invariants: [StepInvariant]
  ) -> CheckedRequirement.Verdict {
    let reads = RequirementReads(requirement.condition, vocabulary) { device in
      WakeupBound.of(device, in: policies, vocabulary: vocabulary).limit
    }
    if let reason = reads.skipReason { return .watched(because: reason) }
    if reads.devices.isEmpty { return verdictWithoutPolicies(requirement, broken) }
    var undecided: String?
    for scenario in RequirementScenario.all(reads.devices, rules: rules, vocabulary) {
      switch solver.solve([broken] + invariants.map(\.claim) + scenario.claims) {
      case .possible(let witness):
        let found = scenario.staged(witness)
        guard isPublishable(found) else {
          undecided = undecided ?? "it depends on facts that the governor computes"
          continue
        }
        if isReproduced(requirement, found) { return .refuted(found) }
      case .impossible: continue
      case .undecided(let reason): undecided = undecided ?? "it depends on \(reason)"
      }
    }
    return .watched(
      because: undecided
        ?? "constant facts do not break it, but a change may, for example when a device turns off between two samples"
    )
  }

  /// Returns the verdict on a condition that reads no `on` fact of a sensor. Rules do not influence such a
  /// condition.
  ///
  /// The verdict is *refuted* when the condition can never be true, otherwise *watched*.
  private func verdictWithoutPolicies(_ requirement: CheckedRequirement, _ broken: Claim)
    -> CheckedRequirement.Verdict
  {
    let witness = solver.solve([broken]).witness
    var unbroken = broken
    unbroken.mode = .fails
    if let witness, solver.excludes([unbroken]), isReproduced(requirement, witness) {
      return .refuted(witness)
    }
    let facts = witness.map { $0.text(vocabulary) } ?? ""
    return .watched(
      because: "it depends only on facts and clients, not on the rules"
        + (facts.isEmpty ? "" : "; counterexample: \(facts)"))
  }

  /// Returns true when sources and devices can publish every fact in the witness.
  private func isPublishable(_ witness: Witness) -> Bool {
    (witness.readings + witness.earlier).allSatisfy { reading in
      vocabulary.isPublished(reading.path)
    }
  }
}
