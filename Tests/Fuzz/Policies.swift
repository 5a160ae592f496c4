import StintCompiler
import StintLanguage
import StintMachine
import StintModel
import StintUnits

/// Any bytes as a policy: reading, laying out, checking and compiling end with diagnostics or with an image that the
/// verifier takes, never otherwise.
@c(LLVMFuzzerTestOneInput)
public func fuzzPolicies(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let source = SourceText(file: "fuzz.stint", bytes: Array(UnsafeBufferPointer(start: start, count: count)))
  if case .success(let text) = Formatter.format(source) {
    let again = Formatter.format(SourceText(file: "fuzz.stint", text: text))
    guard case .success(text) = again else { fatalError("laying out twice is not laying out once") }
  }
  let checked = Checker.check([source], vocabulary: vocabulary)
  _ = DiagnosticRenderer.text(checked.diagnostics, sources: [source])
  guard !checked.diagnostics.contains(where: { $0.severity == .error }) else { return 0 }
  do {
    _ = try ImageVerifier.verify(Compiler.compile(checked.policies, vocabulary: vocabulary))
  } catch {
    fatalError("a checked policy does not compile: \(error)")
  }
  return 0
}

private let vocabulary = Vocabulary(manifests: [
  Manifest(
    device: "location.gnss", kind: .sensor, title: "",
    states: [
      PowerState(name: "off", power: .zero, isOn: false),
      PowerState(name: "on", power: Power(nanowatts: 1), isOn: true),
    ], verbs: Verb.allCases,
    attributes: [
      AttributeSchema(name: "accuracy", type: .quantity(.length), range: 5...3000),
      AttributeSchema(name: "rate", type: .quantity(.rate), range: 0.001...50),
      AttributeSchema(name: "activity", type: .symbol(["other", "fitness"])),
    ], fifo: 10,
    facts: [
      FactSchema(path: "location.gnss.accuracy", type: .quantity(.length), maxAge: .seconds(10)),
      FactSchema(path: "location.gnss.distance", type: .quantity(.length)),
      FactSchema(path: "motion.activity", type: .symbol(["still", "walking"])),
      FactSchema(path: "battery.level", type: .quantity(.ratio), range: 0...1),
    ])
])
