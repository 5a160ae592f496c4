import StintModel
import StintUnits

/// Checks one file; what it finds in other files' names is the linker's business.
struct PolicyChecker {
  /// A device under its short name.
  struct Alias {
    var device: DeviceID
    var span: SourceSpan
    /// Nil when the device is not there and need not be.
    var manifest: Manifest?
  }

  /// A `let`, checked when it is first used.
  struct Definition {
    enum State {
      case unchecked
      case inProgress
      /// Its value, and whether it needs a device that is not there.
      case checked(CheckedExpression?, needsMissingDevice: Bool)
    }
    var item: LetItem
    var state = State.unchecked
  }

  /// How many problems of one severity are kept.
  static let mostProblems = 1000

  let source: SourceText
  let file: PolicyFile
  /// What may be named; grows by what the policy computes.
  var vocabulary: Vocabulary
  var diagnostics: [Diagnostic]
  private var counts: [Diagnostic.Severity: Int] = [:]
  var policy: CheckedPolicy
  var aliases: [String: Alias] = [:]
  var definitions: [String: Definition] = [:]
  var parameters: [String: Quantity?] = [:]
  var schedules: [String: Int] = [:]
  /// The paths of what the policy computes, and of those that only rules for demands know.
  var computedPaths: Set<String> = []
  var clientPaths: Set<String> = []
  /// By the name of a budget, a machine or a zone: the path of its fact.
  var computedNames: [String: String] = [:]
  var zones: [String: Zone] = [:]
  /// Every declared name, where, and whether anything uses it.
  var declared: [String: SourceSpan] = [:]
  var used: Set<String> = []
  var ruleSpans: [String: SourceSpan] = [:]
  /// Where each device was given its defaults.
  var defaultSpans: [DeviceID: SourceSpan] = [:]
  /// Set while a test is checked: there the name of a rule says whether it is in force.
  var isInTest = false
  /// What makes the rule in hand act.
  var triggerLabels: [Diagnostic.Label] = []
  /// Who asks for what in the test that is being checked.
  var attachments: [(client: ClientID, device: DeviceID)] = []
  /// With how many names misspelt ones may still be compared.
  private var suggestionsLeft = 300_000
  /// How many expressions are being checked within each other, those of lets included.
  var depth = 0
  /// Set while a rule is checked that needs a device which is not there.
  var needsMissingDevice = false

  init(source: SourceText, file: PolicyFile, vocabulary: Vocabulary, diagnostics: [Diagnostic]) {
    self.source = source
    self.file = file
    self.vocabulary = vocabulary
    self.diagnostics = diagnostics
    policy = CheckedPolicy(
      name: file.name?.text ?? "", version: file.version.map { Int($0.value) } ?? 1, file: source.file)
  }

  mutating func check() {
    declareNames()
    // Conditions ask how old facts may grow, and defaults say so.
    for item in file.items {
      if case .default(let item) = item { checkDefault(item) }
    }
    for item in file.items {
      switch item {
      case .let(let item): _ = value(ofLet: item.name.text)
      case .default, .use, .parameter, .schedule, .zone, .rule: continue
      case .machine, .budget, .require, .test: continue
      }
    }
    for item in file.items {
      switch item {
      case .rule(let item): checkRule(item)
      case .machine(let item): checkMachine(item)
      case .budget(let item): checkBudget(item)
      case .require(let item): checkRequirement(item)
      default: continue
      }
    }
    for case .test(let item) in file.items { checkTest(item) }
    reportUnused()
  }

  var sortedDiagnostics: [Diagnostic] {
    diagnostics.enumerated().sorted { left, right in
      let starts = (left.element.labels.first?.span.start ?? 0, right.element.labels.first?.span.start ?? 0)
      return starts.0 == starts.1 ? left.offset < right.offset : starts.0 < starts.1
    }.map(\.element)
  }

  mutating func report(
    _ code: DiagnosticCode, _ title: String, _ span: SourceSpan, severity: Diagnostic.Severity = .error,
    label: String = "", others: [Diagnostic.Label] = [], hint: String? = nil, fix: Diagnostic.Fix? = nil
  ) {
    guard hasRoom(for: severity) else { return }
    counts[severity, default: 0] += 1
    diagnostics.append(
      Diagnostic(
        code, title, severity: severity, file: source.file,
        labels: [Diagnostic.Label(span: span, text: label)] + others, hint: hint, fix: fix))
  }

  /// Whether a misspelt name may still be compared with `count` others; the bound keeps checks of broken
  /// files short.
  func maySuggest(among count: Int) -> Bool { hasRoom(for: .error) && count <= suggestionsLeft }

  func hasRoom(for severity: Diagnostic.Severity) -> Bool {
    counts[severity, default: 0] < Self.mostProblems
  }

  /// Reports a name that is declared nowhere, with the nearest that is.
  mutating func reportUnknown(
    _ code: DiagnosticCode, _ title: String, _ span: SourceSpan, _ word: String, among candidates: [String],
    else fallback: String? = nil
  ) {
    // A name with letters that no name has was reported when it was read.
    guard hasRoom(for: .error), source.isASCII(span) || isQuoted(span) else { return }
    let isTried = maySuggest(among: candidates.count)
    let nearest = isTried ? Suggestion.nearest(to: word, in: candidates) : nil
    suggestionsLeft -= candidates.count
    report(
      code, title, span, hint: nearest.map { "did you mean “\($0)”?" } ?? fallback,
      fix: nearest.map { Diagnostic.Fix(span: span, replacement: $0) })
  }

  private func isQuoted(_ span: SourceSpan) -> Bool {
    source.bytes.indices.contains(span.start) && source.bytes[span.start] == 0x22
  }

  private mutating func reportUnused() {
    let unused = declared.filter { !used.contains($0.key) }.sorted { $0.value.start < $1.value.start }
    guard !unused.isEmpty else { return }
    let removals = removableDeclarations
    for (name, span) in unused {
      guard hasRoom(for: .warning) else { return }
      // A comment within would go with it.
      let lines = removals[span.start].flatMap { place in
        source.bytes[place.start..<place.end].contains(0x23) ? nil : source.wholeLines(of: place)
      }
      report(
        .unused, "nothing uses “\(name)”", span, severity: .warning, hint: "remove it, or use it",
        fix: lines.map { Diagnostic.Fix(span: $0, replacement: "") })
    }
  }

  /// The declarations that hold nothing but a name and what it stands for, by where the name stands.
  private var removableDeclarations: [Int: SourceSpan] {
    var found: [Int: SourceSpan] = [:]
    for item in file.items {
      switch item {
      case .use(let item): found[item.alias.span.start] = item.span
      case .let(let item): found[item.name.span.start] = item.span
      case .parameter(let item): found[item.name.span.start] = item.span
      case .schedule(let item): found[item.name.span.start] = item.span
      default: continue
      }
    }
    return found
  }
}
