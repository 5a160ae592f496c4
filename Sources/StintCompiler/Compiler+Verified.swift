package import StintLanguage
public import StintMachine
package import StintModel
import StintUnits

/// The verified images of policies that are loaded together.
public struct VerifiedPolicies: Hashable, Sendable {
  /// The image of all rules. It lists the per-demand rules without their code.
  public let image: VerifiedImage
  /// The rules that are evaluated once per demand; nil without such rules.
  public let perDemandImage: VerifiedImage?
}

/// The error for policies whose image the verifier rejects; the diagnostic contains the reason.
package struct RejectedPolicies: Error, Hashable, Sendable {
  /// The reason. If the verifier names a rule, the diagnostic marks this rule.
  package let diagnostic: Diagnostic

  init(_ problem: Problem, _ policies: [CheckedPolicy]) {
    // The place of the problem contains the id of the rule, unless the problem concerns the whole image.
    let rule = policies.lazy.flatMap(\.rules).first { problem.place.description.contains("(\($0.id))") }
    let owner = policies.first { $0.name == rule?.id.policy } ?? policies.first
    diagnostic = Diagnostic(
      .doesNotFit, "the image of these policies is invalid: \(problem.statement)",
      file: owner?.file ?? "",
      labels: rule.map { [Diagnostic.Label(span: $0.span, text: "")] } ?? [],
      hint: "undo the last change, and report this as a bug in Stint's checker")
  }
}

extension Compiler {
  /// Compiles and verifies checked policies.
  ///
  /// - Throws: `RejectedPolicies` when the verifier rejects the image. An invalid image never terminates the
  ///   process.
  /// - Precondition: the policies were checked against this vocabulary.
  package static func verified(
    _ policies: [CheckedPolicy], vocabulary: Vocabulary
  ) throws(RejectedPolicies) -> VerifiedPolicies {
    do throws(Problem) {
      let image = try ImageVerifier.verify(compile(policies, vocabulary: vocabulary))
      guard let unverified = compileForDemands(policies, vocabulary: vocabulary) else {
        return VerifiedPolicies(image: image, perDemandImage: nil)
      }
      return VerifiedPolicies(image: image, perDemandImage: try ImageVerifier.verify(unverified))
    } catch {
      throw RejectedPolicies(error, policies)
    }
  }
}
