public import StintLanguage
public import StintModel
import StintRuntime
public import StintUnits

/// Policies with the mistakes mended that can be mended without asking.
///
/// Errors come first; what is merely unneeded goes once nothing is wrong any more, for a misspelt name looks
/// unused too. Nothing is mended that makes more errors, but for those that a mistake of grammar hid behind it.
public struct PolicyFixing: Hashable, Sendable {
  /// Something that was changed.
  public struct Change: Hashable, Sendable {
    public var file: String
    /// In the text as it was when this was changed.
    public var line: Int
    public var column: Int
    public var code: DiagnosticCode
    /// `replace “5 m” by “5 min”`.
    public var title: String
  }

  public var before: PolicyCheck
  public var after: PolicyCheck
  public var changes: [Change] = []

  /// How often mending may show something else to mend.
  private static let maxRounds = 20
  /// How many fixes are tried one by one when all together do harm.
  private static let mostTrials = 50

  /// Mends what was checked; nothing is written.
  public init(_ check: PolicyCheck, vocabulary: Vocabulary, limits: CostLimits = CostLimits()) {
    before = check
    after = check
    for _ in 0..<Self.maxRounds {
      let candidates = Self.candidates(in: after)
      guard !candidates.isEmpty else { break }
      guard let next = Self.mended(after, candidates, vocabulary, limits) else { break }
      changes += next.changes
      after = next.check
    }
  }

  /// The diagnostics to mend now: those of errors, or of warnings when there are no errors.
  private static func candidates(in check: PolicyCheck) -> [Diagnostic] {
    let unreadable = Set(check.sources.filter { !$0.invalidOffsets.isEmpty }.map(\.file))
    let severity: Diagnostic.Severity = check.hasErrors ? .error : .warning
    return check.diagnostics.filter {
      $0.severity == severity && $0.fix != nil && !unreadable.contains($0.file)
    }
  }

  /// The policies with all of the fixes, or with those that do no harm; nil when none is left.
  private static func mended(
    _ check: PolicyCheck, _ candidates: [Diagnostic], _ vocabulary: Vocabulary, _ limits: CostLimits
  ) -> (check: PolicyCheck, changes: [Change])? {
    let errors = check.count(.error)
    func attempt(_ diagnostics: [Diagnostic]) -> (check: PolicyCheck, changes: [Change])? {
      let (sources, changes) = apply(diagnostics, to: check.sources)
      guard sources != check.sources else { return nil }
      return (PolicyCheck(sources, vocabulary: vocabulary, limits: limits), changes)
    }
    if let all = attempt(candidates), all.check.count(.error) <= errors { return all }
    var harmless: [Diagnostic] = []
    // How many errors come to light altogether.
    var shown = 0
    for candidate in candidates.prefix(mostTrials) {
      guard let next = attempt([candidate])?.check else { continue }
      let more = next.count(.error) - errors
      guard more <= 0 || isBehind(candidate, check, next) else { continue }
      shown += max(0, more)
      harmless.append(candidate)
    }
    guard let first = harmless.first else { return nil }
    if let all = attempt(harmless), all.check.count(.error) <= errors + shown { return all }
    return attempt([first])
  }

  /// Whether it is a mistake of grammar, and all that is new when it is mended stands behind it.
  private static func isBehind(_ mended: Diagnostic, _ check: PolicyCheck, _ next: PolicyCheck) -> Bool {
    guard ["P00", "P01"].contains(mended.code.name.prefix(3)), let place = mended.fix?.span.start else {
      return false
    }
    func before(_ check: PolicyCheck) -> Int {
      check.diagnostics(of: mended.file).count {
        $0.severity == .error && ($0.labels.first?.span.start ?? 0) <= place
      }
    }
    return before(next) < before(check)
  }

  private static func apply(
    _ diagnostics: [Diagnostic], to sources: [SourceText]
  ) -> (sources: [SourceText], changes: [Change]) {
    var changes: [Change] = []
    let mended = sources.map { source in
      var set = FixSet()
      for diagnostic in diagnostics where diagnostic.file == source.file {
        guard let fix = diagnostic.fix, set.insert(fix) else { continue }
        let place = source.position(of: fix.span.start)
        changes.append(
          Change(
            file: source.file, line: place.line, column: place.column, code: diagnostic.code,
            title: fix.title(in: source)))
      }
      return set.isEmpty
        ? source : SourceText(file: source.file, bytes: source.mark + set.applied(to: source.bytes))
    }
    return (mended, changes)
  }

  /// Writes the files that were changed, each at once or not at all; none when one of them must not be written.
  public func write() throws(Problem) {
    let changed = zip(before.sources, after.sources).filter { $0 != $1 }.map(\.1)
    for source in changed { try FileText.allowWriting(to: source.file) }
    for source in changed { try FileText.write(source.mark + source.bytes, to: source.file) }
  }
}

extension SourceText {
  /// The byte-order mark that the file keeps; a file that was UTF-16 becomes UTF-8 without one.
  fileprivate var mark: [UInt8] { hadByteOrderMark && !wasWide ? [0xEF, 0xBB, 0xBF] : [] }
}
