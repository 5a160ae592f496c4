import StintCompiler
import StintFormats
import StintLanguage
import StintMachine
import StintModel
import StintRuntime
import StintSimulation
import StintTools
import StintUnits

/// The time from policy text to a running rule VM.
struct CompileBenchmark: Hashable, Sendable {
  var lines: Int
  var rules: Int
  /// The times of the three stages. `check` is the time from text to checked policies. `compile` is the time
  /// from checked policies to a verified image. `load` is the time from the image to a rule VM that has
  /// evaluated its rules.
  var check: Timing
  var compile: Timing
  var load: Timing
  /// The time of all three stages in one measurement.
  var whole: Timing
  /// The additional analysis of `stint check`: conflicts, dead rules and similar findings.
  var analysis: Timing
  /// The time of all three stages for a policy of a typical size, about 100 lines. Nil when files were
  /// measured.
  var small: Timing?
  var smallLines = 0
  /// The computer of the run: its system and its processors.
  var machine: String

  /// Measures these policy files, checked against the manifests of the reference phone.
  init(files: [String]) throws {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    var sources: [SourceText] = []
    for path in files {
      sources.append(SourceText(file: path, text: String(decoding: try FileText.read(path), as: UTF8.self)))
    }
    try self.init(sources, vocabulary)
  }

  /// Measures the first `count` rules of a workload; a `count` of 0 means 1000.
  init(rules: String, facts: String, updates: String, count: Int) throws {
    let all = try WorkloadReader.workload(rules: rules, facts: facts, updates: updates)
    let setup = try BenchmarkSetup(all.prefix(count > 0 ? count : 1000))
    let sources = setup.texts.enumerated().map { SourceText(file: "bench-\($0).stint", text: $1) }
    try self.init(sources, setup.vocabulary)
    let small = try BenchmarkSetup(all.prefix(Self.fewRules))
    let few = try CompileBenchmark([SourceText(file: "small.stint", text: small.texts[0])], small.vocabulary)
    self.small = few.whole
    smallLines = few.lines
  }

  /// The number of rules in a policy of about 100 lines. A rule has four lines; the other lines name
  /// the devices.
  private static let fewRules = 20

  private init(_ sources: [SourceText], _ vocabulary: Vocabulary) throws {
    let now = Instant(nanoseconds: 1_000_000_000)
    let checked = Checker.check(sources, vocabulary: vocabulary)
    if let error = checked.diagnostics.first(where: { $0.severity == .error }) {
      throw Problem(.content, place: sources.first?.file ?? "", cause: "\(error)", remedy: "run stint check")
    }
    let image = try ImageVerifier.verify(Compiler.compile(checked.policies, vocabulary: vocabulary))
    func start(_ image: VerifiedImage) {
      var ruleVM = RuleVM(image: image, timeZone: .utc, at: now)
      ruleVM.evaluate(at: now)
    }
    lines = sources.reduce(0) { $0 + $1.text.utf8.count { $0 == UInt8(ascii: "\n") } }
    rules = image.image.rules.count
    check = Timing.of(1, passes: 9) { _ = Checker.check(sources, vocabulary: vocabulary) }
    compile = try Timing.of(1, passes: 9) {
      _ = try ImageVerifier.verify(Compiler.compile(checked.policies, vocabulary: vocabulary))
    }
    load = Timing.of(1, passes: 9) { start(image) }
    whole = try Timing.of(1, passes: 9) {
      let policies = Checker.check(sources, vocabulary: vocabulary).policies
      start(try ImageVerifier.verify(Compiler.compile(policies, vocabulary: vocabulary)))
    }
    analysis = Timing.of(1, passes: 1) { _ = Analysis.run(checked.policies, vocabulary: vocabulary) }
    machine = SystemUsage.machine()
  }

  /// Returns the figures as a table for people.
  func text(_ paint: Paint = .plain) -> String {
    var table = TextTable()
    table.add(["\(Amounts.count(rules)) rules, \(Amounts.count(lines)) lines", ""], .heading)
    table.add(["  text to running rule VM", Timing.text(whole.median)], .total)
    table.add(["    fastest … slowest pass", whole.spread], .quiet)
    table.add(["    text to checked policies", Timing.text(check.median)])
    table.add(["    to verified image", Timing.text(compile.median)])
    table.add(["    to running rule VM", Timing.text(load.median)])
    if let small {
      table.add(["  \(Amounts.count(smallLines)) lines to running VM", Timing.text(small.median)], .total)
      table.add(["    fastest … slowest pass", small.spread], .quiet)
    }
    table.add(["  additional analysis of stint check", Timing.text(analysis.median)])
    return table.text(paint) + "\n" + paint.quiet("  \(machine)")
  }

  /// The figures as one JSON object on one line.
  var jsonText: String {
    JSONWriter.text(of: [
      "rules": JSONValue(rules), "lines": JSONValue(lines), "whole_ns": JSONValue(whole.median),
      "check_ns": JSONValue(check.median), "compile_ns": JSONValue(compile.median),
      "load_ns": JSONValue(load.median), "analysis_ns": JSONValue(analysis.median),
      "small_lines": small == nil ? .null : JSONValue(smallLines),
      "small_whole_ns": small.map { JSONValue($0.median) } ?? JSONValue.null,
      "machine": JSONValue(machine),
    ])
  }
}
