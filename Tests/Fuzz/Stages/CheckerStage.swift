import StintCompiler
import StintGovernor
import StintLanguage
import StintModel
import StintUnits

/// Uses arbitrary bytes as a policy. A valid policy must compile to an image that the verifier accepts. The
/// image must run on random facts, and all analyses of the policy must end.
enum CheckerStage {
  static func run(_ bytes: [UInt8]) throws(FuzzFinding) { _ = try accepts(bytes) }

  /// Runs the stage. Returns whether the bytes are a valid policy.
  static func accepts(_ bytes: [UInt8]) throws(FuzzFinding) -> Bool {
    let source = SourceText(file: "fuzz", bytes: bytes)
    let (policies, diagnostics) = Checker.check([source], vocabulary: Phone.vocabulary)
    try Spans.require(diagnostics, within: source)
    try FuzzFinding.unless(
      diagnostics.inOrder(of: ["fuzz"]) == diagnostics, "diagnostics are not in source order")
    guard !diagnostics.contains(where: { $0.severity == .error }) else { return false }
    try run(policies)
    try Spans.require(
      Analysis.run(policies, vocabulary: Phone.vocabulary).map(\.diagnostic), within: source)
    _ = WakeupBound.all(policies, vocabulary: Phone.vocabulary)
    let difference = PolicyDifference(from: policies, to: policies, vocabulary: Phone.vocabulary)
    try FuzzFinding.unless(difference.isEmpty, "a policy differs from itself: \(difference)")
    return true
  }

  /// Compiles, verifies, loads and runs policies that the checker accepts.
  private static func run(_ policies: [CheckedPolicy]) throws(FuzzFinding) {
    let images: VerifiedPolicies
    do throws(RejectedPolicies) {
      images = try Compiler.verified(policies, vocabulary: Phone.vocabulary)
    } catch {
      throw FuzzFinding("a valid policy does not compile: \(error.diagnostic.title)")
    }
    let program = Program(
      image: images.image, defaults: Compiler.defaults(of: policies, vocabulary: Phone.vocabulary),
      computed: policies.flatMap(\.computed), moves: policies.flatMap(\.moves),
      perDemandImage: images.perDemandImage)
    var trial = ImageTrial(seed: policies.reduce(1) { $0 + $1.rules.count })
    // The spans are short, because a rule can act every millisecond and the trial computes each of these
    // steps.
    trial.spans = [.zero, .milliseconds(1), .seconds(1), .seconds(40), .minutes(3)]
    _ = try trial.effects(of: program, steps: 24)
  }
}
