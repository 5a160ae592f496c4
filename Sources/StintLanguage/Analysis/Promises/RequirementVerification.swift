public import StintModel

/// Says of everything that policies promise whether it is kept.
///
/// Facts are cut where conditions cut them, as in all analyses. What is not possible at one moment, whatever was
/// before, is proved; what can be brought about with facts and demands that stand is refuted; the rest is watched.
public enum RequirementVerification {
  /// The policies with a verdict on each requirement.
  ///
  /// - Precondition: the checker found no error in them.
  public static func verified(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> [CheckedPolicy] {
    guard policies.contains(where: { !$0.requirements.isEmpty }) else { return policies }
    let judge = RequirementVerifier(policies, vocabulary: vocabulary.computing(policies.flatMap(\.computed)))
    return policies.map { policy in
      var policy = policy
      for number in policy.requirements.indices where policy.requirements[number].verdict == .open {
        policy.requirements[number].verdict = judge.verdict(on: policy.requirements[number], of: policy.name)
      }
      return policy
    }
  }

  /// The requirements that are broken, with facts that break them.
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
    let label = facts.isEmpty ? "it is never so" : "not so with \(facts)"
    return Finding(
      Diagnostic(
        .brokenRequirement, "“\(requirement.text)” is required, and these policies break it",
        severity: .error, file: file, labels: [Diagnostic.Label(span: requirement.span, text: label)],
        hint: "add a rule that keeps it, or require less"),
      witness: witness)
  }
}
