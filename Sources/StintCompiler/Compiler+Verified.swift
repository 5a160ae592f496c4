public import StintLanguage
public import StintMachine
public import StintModel
import StintUnits

/// The images of policies that are loaded together, safe to run.
public struct VerifiedPolicies: Hashable, Sendable {
  public let image: VerifiedImage
  /// The rules that are evaluated once per demand; nil when there are none.
  public let clientImage: VerifiedImage?
}

/// Policies that compile to an image which the verifier refuses; the diagnostic says why.
public struct RejectedPolicies: Error, Hashable, Sendable {
  public let diagnostic: Diagnostic

  init(_ trap: Problem, _ policies: [CheckedPolicy]) {
    // The place of a trap names the rule, where there is one.
    let rule = policies.lazy.flatMap(\.rules).first { trap.place.description.contains("(\($0.id))") }
    let owner = policies.first { $0.name == rule?.id.policy } ?? policies.first
    diagnostic = Diagnostic(
      .doesNotFit, "these policies make no sound image: \(trap.statement)",
      file: owner?.file ?? "",
      labels: rule.map { [Diagnostic.Label(span: $0.span, text: "")] } ?? [],
      hint: "take out what was added last, and report this: the checker should have found it")
  }
}

extension Compiler {
  /// Compiles and verifies checked policies.
  ///
  /// - Throws: `RejectedPolicies` when the verifier refuses the image. No text ends the process.
  /// - Precondition: the policies were checked against this vocabulary.
  public static func verified(
    _ policies: [CheckedPolicy], vocabulary: Vocabulary
  ) throws(RejectedPolicies) -> VerifiedPolicies {
    do throws(Problem) {
      let image = try ImageVerifier.verify(compile(policies, vocabulary: vocabulary))
      guard let own = compileForDemands(policies, vocabulary: vocabulary) else {
        return VerifiedPolicies(image: image, clientImage: nil)
      }
      return VerifiedPolicies(image: image, clientImage: try ImageVerifier.verify(own))
    } catch {
      throw RejectedPolicies(error, policies)
    }
  }
}
