public import StintModel

/// Decides for each requirement whether the policies satisfy it.
///
/// The analysis divides the values of facts into cells. A requirement is *proved* when it cannot be violated
/// at any moment. It is *refuted* when facts and demands that stay unchanged violate it. Every other
/// requirement is *watched* at run time.
public enum RequirementVerification {
  /// Returns true when a governor reproduces the counterexample of a requirement of these policies.
  public typealias Replay = @Sendable (CheckedRequirement, [CheckedPolicy], Witness, Vocabulary) -> Bool

  /// Returns the policies with a verdict on each requirement.
  ///
  /// - Parameters:
  ///   - policies: all policies that are loaded together.
  ///   - vocabulary: the devices and facts with which the policies were checked.
  ///   - replay: tests each counterexample. A counterexample that `replay` does not reproduce is not used. If
  ///     `replay` is nil, the verdicts depend on the analysis alone. They can then be wrong, because the
  ///     analysis knows only approximately which sensors are on.
  /// - Precondition: the checker found no error in the policies.
  public static func verified(
    _ policies: [CheckedPolicy], vocabulary: Vocabulary, replay: Replay? = nil
  ) -> [CheckedPolicy] {
    guard policies.contains(where: { !$0.requirements.isEmpty }) else { return policies }
    let verifier = RequirementVerifier(
      policies, vocabulary: vocabulary.computing(policies.flatMap(\.computed))
    ) { requirement, witness in
      replay?(requirement, policies, witness, vocabulary) ?? true
    }
    return policies.map { policy in
      var policy = policy
      for number in policy.requirements.indices where policy.requirements[number].verdict == .open {
        let requirement = policy.requirements[number]
        policy.requirements[number].verdict = verifier.verdict(on: requirement, of: policy.name)
      }
      return policy
    }
  }

  /// Returns a finding for each refuted requirement, with facts that violate the requirement.
  static func findings(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> [Finding] {
    verified(policies, vocabulary: vocabulary).flatMap { policy in
      policy.requirements.compactMap { requirement in
        guard case .refuted(let witness) = requirement.verdict else { return nil }
        return finding(requirement, witness, in: policy.file, vocabulary)
      }
    }
  }

  private static func finding(
    _ requirement: CheckedRequirement, _ witness: Witness, in file: String, _ vocabulary: Vocabulary
  ) -> Finding {
    let facts = witness.text(vocabulary)
    let label = facts.isEmpty ? "never true" : "counterexample: \(facts)"
    return Finding(
      Diagnostic(
        .brokenRequirement, "“\(requirement.text)” is required, and these policies break it",
        severity: .error, file: file, labels: [Diagnostic.Label(span: requirement.span, text: label)],
        hint: "add a rule that satisfies the requirement, or require less"),
      witness: witness)
  }
}
