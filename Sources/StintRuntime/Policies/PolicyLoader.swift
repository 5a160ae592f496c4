import StintCompiler
public import StintGovernor
public import StintLanguage
import StintMachine
public import StintModel
import StintUnits

/// The loader that compiles policy texts to a program: text → syntax tree → checked policies → image
/// → verifier.
///
/// If a stage fails, the result has diagnostics and no program.
public struct PolicyLoader: Sendable {
  /// The devices and facts that policies may name.
  public let vocabulary: Vocabulary

  /// Creates a loader for these devices and facts.
  public init(vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  /// The result of loading.
  public struct Loaded: Sendable {
    /// The program; nil when there are errors.
    public var program: Program?
    /// The checked policies, to explain decisions.
    public var policies: [CheckedPolicy]
    /// Errors, warnings and notes, in the order of the files.
    public var diagnostics: [Diagnostic]
    /// The source texts, to render diagnostics.
    public var sources: [SourceText]

    /// True when there is an error.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// The result without policies: every demand is granted as requested.
    public static let none = Loaded(program: nil, policies: [], diagnostics: [], sources: [])
  }

  /// Checks and compiles the files together.
  public func load(_ sources: [SourceText]) -> Loaded {
    let checked = Checker.check(sources, vocabulary: vocabulary)
    var loaded = Loaded(
      program: nil, policies: checked.policies, diagnostics: checked.diagnostics, sources: sources)
    guard !loaded.hasErrors else { return loaded }
    loaded.policies = RequirementVerification.verified(
      checked.policies, vocabulary: vocabulary, replay: RefutationReplay.isViolated)
    loaded.diagnostics += Analysis.run(loaded.policies, vocabulary: vocabulary).map(\.diagnostic)
    loaded.diagnostics = loaded.diagnostics.inOrder(of: sources.map(\.file))
    guard !loaded.hasErrors else { return loaded }
    do throws(RejectedPolicies) {
      loaded.program = try Self.program(of: loaded.policies, vocabulary)
    } catch {
      // The checker should find every error for which the verifier rejects an image. If the checker misses
      // such an error, report a diagnostic.
      loaded.diagnostics.append(error.diagnostic)
    }
    return loaded
  }

  /// Returns the program of checked policies.
  ///
  /// - Throws: `RejectedPolicies` when the verifier rejects the image.
  static func program(
    of policies: [CheckedPolicy], _ vocabulary: Vocabulary
  ) throws(RejectedPolicies) -> Program {
    let images = try Compiler.verified(policies, vocabulary: vocabulary)
    return Program(
      image: images.image, defaults: Compiler.defaults(of: policies, vocabulary: vocabulary),
      computed: policies.flatMap(\.computed), moves: policies.flatMap(\.moves),
      perDemandImage: images.perDemandImage)
  }
}

extension PolicyLoader.Loaded {
  /// The source texts as a journal stores them.
  package var journalPolicies: [JournalPolicy] { sources.map { JournalPolicy(file: $0.file, text: $0.text) } }
}

extension PolicyLoader.Loaded {
  /// Returns the reason why no rule can have an effect on these devices, with the devices that are missing.
  /// Returns nil when a rule can have an effect. For policies without rules, returns a reason only if a
  /// device is missing, and the policies contain neither defaults nor requirements.
  ///
  /// Such policies are valid: a device that is not `required` may be absent. But policies without any effect
  /// were usually written for other hardware.
  public func misfit(_ vocabulary: Vocabulary) -> String? {
    guard policies.flatMap(\.rules).allSatisfy(\.isInert) else { return nil }
    var missing: [String] = []
    for diagnostic in diagnostics where diagnostic.code == .missingOptionalDevice {
      // The rest of the title states the consequence for one rule.
      let title = String(diagnostic.title.prefix { $0 != ":" })
      if !missing.contains(title) { missing.append(title) }
    }
    // Policies without rules may set defaults or contain requirements.
    if policies.allSatisfy(\.rules.isEmpty) {
      guard !missing.isEmpty, policies.allSatisfy({ $0.defaults.isEmpty && $0.requirements.isEmpty }) else {
        return nil
      }
    }
    let names = vocabulary.manifests.map(\.device.path).joined(separator: ", ")
    let devices = names.isEmpty ? "there are no devices" : "the devices are \(names)"
    return (["no rule can have an effect"] + missing + [devices]).joined(separator: "; ")
  }
  /// The maximum number of warnings about the texts in `warnings(_:)`.
  private static let maxWarnings = 10

  /// Returns sentences about loaded policies for the operator. If no rule can have an effect, the first
  /// sentence states this. At most ten warnings about the texts follow, each with position and code. If there
  /// are more warnings, the last sentence contains the number of the omitted warnings.
  public func warnings(_ vocabulary: Vocabulary) -> [String] {
    let found = diagnostics.filter { $0.severity == .warning }
    var sentences = [misfit(vocabulary)].compactMap(\.self)
    for diagnostic in found.prefix(Self.maxWarnings) {
      let source = sources.first { $0.file == diagnostic.file }
      let position = diagnostic.labels.first.flatMap { source?.codePointPosition(of: $0.span.start) }
      let place = position.map { "\(diagnostic.file):\($0.line):\($0.column)" } ?? diagnostic.file
      sentences.append("\(place): \(diagnostic.code.rawValue): \(diagnostic.title)")
    }
    if found.count > Self.maxWarnings {
      sentences.append("further warnings: \(found.count - Self.maxWarnings); stint check shows all")
    }
    return sentences
  }
}
