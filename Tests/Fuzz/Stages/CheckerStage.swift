import StintCompiler
import StintLanguage
import StintMachine

/// Any bytes are a sound policy or are not: a sound one compiles to an image that the verifier takes, and every
/// question about it has an answer.
enum CheckerStage {
  static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
    let source = SourceText(file: "fuzz", bytes: bytes)
    let (policies, diagnostics) = Checker.check([source], vocabulary: Phone.vocabulary)
    try Spans.require(diagnostics, within: source)
    try FuzzFinding.unless(
      diagnostics.inOrder(of: ["fuzz"]) == diagnostics, "diagnostics are not in the order of the text")
    guard !diagnostics.contains(where: { $0.severity == .error }) else { return }
    do {
      _ = try ImageVerifier.verify(Compiler.compile(policies, vocabulary: Phone.vocabulary))
    } catch {
      throw FuzzFinding("a sound policy does not compile: \(error)")
    }
    try Spans.require(
      Analysis.run(policies, vocabulary: Phone.vocabulary).map(\.diagnostic), within: source)
    _ = WakeupBound.all(policies, vocabulary: Phone.vocabulary)
    let difference = PolicyDifference(from: policies, to: policies, vocabulary: Phone.vocabulary)
    try FuzzFinding.unless(difference.isEmpty, "a policy decides otherwise than itself: \(difference)")
  }
}
