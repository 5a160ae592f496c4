import StintModel
import StintUnits

/// Checks the meaning of one policy file. `PolicyLinker` checks names that refer to other files.
struct PolicyChecker {
  /// A device with its short name.
  struct Alias {
    var device: DeviceID
    var span: SourceSpan
    /// The manifest; nil for an optional device that is missing.
    var manifest: Manifest?
  }

  /// A `let`, checked at its first use.
  struct Definition {
    enum State {
      case unchecked
      case inProgress
      /// The value of the `let`, nil after an error, and the missing devices that the value needs.
      case checked(CheckedExpression?, missing: Set<String>)
    }
    var item: LetItem
    var state = State.unchecked
  }

  /// The largest number of diagnostics of one severity that are kept.
  static let maxProblems = 1000

  let source: SourceText
  let file: PolicyFile
  /// The facts and devices that may be named, including the facts that the policy computes.
  var vocabulary: Vocabulary
  var diagnostics: [Diagnostic]
  private var counts: [Diagnostic.Severity: Int] = [:]
  var policy: CheckedPolicy
  var aliases: [String: Alias] = [:]
  var definitions: [String: Definition] = [:]
  /// The value of each parameter by its name; nil for an invalid value, which has been reported.
  var parameters: [String: Quantity?] = [:]
  /// The index of each schedule in `policy.schedules`, by its name.
  var schedules: [String: Int] = [:]
  /// The paths of the facts that the policy computes. `clientPaths` are the paths of client facts, which are
  /// known only in per-demand rules.
  var computedPaths: Set<String> = []
  var clientPaths: Set<String> = []
  /// The path of the fact of each budget or state machine, by the name of the budget or machine.
  var computedNames: [String: String] = [:]
  var zones: [String: Zone] = [:]
  /// The standard facts that no device publishes and that were reported.
  var absentFacts: Set<String> = []
  /// The position of every declared name; `used` contains the names that are used.
  var declared: [String: SourceSpan] = [:]
  var used: Set<String> = []
  /// The position of the name of each rule.
  var ruleSpans: [String: SourceSpan] = [:]
  /// The position of each device's default block.
  var defaultSpans: [DeviceID: SourceSpan] = [:]
  /// True while the condition of an expectation is checked. In such a condition, the name of a rule is true
  /// while the rule is in force.
  var isInTest = false
  /// The labels for the trigger of the current rule.
  var triggerLabels: [Diagnostic.Label] = []
  /// The demands that clients have raised in the current test.
  var attachments: [(client: ClientID, device: DeviceID)] = []
  /// The number of comparisons that are still allowed between misspelt and known names.
  private var suggestionsLeft = 300_000
  /// The depth of nested expressions under check, including those of lets.
  var depth = 0
  /// The missing devices that the current rule or step of a test needs.
  var missingDevices: Set<String> = []

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
    // Defaults are checked first, because the check of a condition uses the maximum ages that defaults set.
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

  /// The diagnostics in order of their position in the file.
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

  /// Returns true when the limits allow a comparison of a misspelt name with `count` names. The
  /// limits bound the time to check files with errors.
  func maySuggest(among count: Int) -> Bool { hasRoom(for: .error) && count <= suggestionsLeft }

  func hasRoom(for severity: Diagnostic.Severity) -> Bool {
    counts[severity, default: 0] < Self.maxProblems
  }

  /// Reports an unknown name or word, with the most similar candidate. Declared names that are similar count
  /// as used, because the author probably meant one of them.
  mutating func reportUnknown(
    _ code: DiagnosticCode, _ title: String, _ span: SourceSpan, _ word: String, among candidates: [String],
    else fallback: String? = nil
  ) {
    // The lexer has already reported a name with characters that no name can have.
    guard hasRoom(for: .error), source.isASCII(span) || isQuoted(span) else { return }
    let near = maySuggest(among: candidates.count) ? Suggestion.allNearest(to: word, in: candidates) : []
    suggestionsLeft -= candidates.count
    let nearest = near.count == 1 ? near[0] : nil
    for name in near { use(name) }
    let shortened = near.isEmpty ? shortenedName(of: word, among: candidates) : nil
    if let shortened { use(shortened) }
    // A shortened name is a weaker guess, so the hint has no fix for `check --fix`.
    report(
      code, title, span, hint: (nearest ?? shortened).map { "did you mean “\($0)”?" } ?? fallback,
      fix: nearest.flatMap { name in
        Suggestion.isNearInEachPart(name, to: word) ? Diagnostic.Fix(span: span, replacement: name) : nil
      })
  }

  /// Marks a declared name as used. For a fact such as `gps.speed`, marks the name of the device.
  private mutating func use(_ name: String) {
    let first = String(name.prefix { $0 != "." })
    if declared[first] != nil { used.insert(first) }
  }

  /// Returns the only declared name that begins with the word, or with which the word begins. An example is
  /// `h` for the word `hme`. Nil when there is no such name, or more than one.
  private func shortenedName(of word: String, among candidates: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let names = Set(candidates).filter { name in
      declared[name] != nil && (word.hasPrefix(name) || name.hasPrefix(word))
    }
    return names.count == 1 ? names.first : nil
  }

  private func isQuoted(_ span: SourceSpan) -> Bool {
    source.bytes.indices.contains(span.start) && source.bytes[span.start] == 0x22
  }

  /// If the policy has a circular zone, marks the aliases of the device that publishes the activity as used.
  /// The governor needs the activity to determine how often it reads the position.
  private mutating func useActivityOfZones() {
    let hasCircle = file.items.contains { item in
      guard case .zone(let zone) = item, case .circle = zone.shape else { return false }
      return true
    }
    guard hasCircle, let number = vocabulary.fact("motion.activity"), number < vocabulary.firstComputed,
      let device = vocabulary.facts[number].device
    else { return }
    for (alias, entry) in aliases where entry.device == device { used.insert(alias) }
  }

  private mutating func reportUnused() {
    useActivityOfZones()
    let unused = declared.filter { !used.contains($0.key) }.sorted { $0.value.start < $1.value.start }
    guard !unused.isEmpty else { return }
    let removals = removableDeclarations
    let hasErrors = diagnostics.contains { $0.severity == .error }
    for (name, span) in unused {
      guard hasRoom(for: .warning) else { return }
      if hasErrors, isMentioned(name, besides: span) { continue }
      // There is no fix for a declaration that contains a comment, because the fix would also remove the
      // comment.
      let lines = removals[span.start].flatMap { place in
        source.bytes[place.start..<place.end].contains(0x23) ? nil : source.wholeLines(of: place)
      }
      report(
        .unused, "nothing uses “\(name)”", span, severity: .warning, hint: "remove it, or use it",
        fix: lines.map { Diagnostic.Fix(span: $0, replacement: "") })
    }
  }

  /// The declarations that consist only of a name and its value, by the offset of the name.
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
