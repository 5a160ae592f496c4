import StintAuthoring
public import StintLanguage
public import StintModel
import StintRuntime
public import StintUnits

/// Policies after all automatic fixes.
///
/// Errors are fixed first. Warnings are fixed when no errors are left, because a misspelt name makes the
/// declared name look unused. A fix that adds errors is rejected, unless a syntax error had hidden those
/// errors. All fixes are rejected when the lines with inserted words have more errors after the fixes than
/// before.
public struct PolicyFixing: Hashable, Sendable {
  /// One applied fix.
  public struct Change: Hashable, Sendable {
    /// The changed file.
    public var file: String
    /// The line, counted from 1, in the text before the round of fixes that contains this change.
    public var line: Int
    /// The column, counted from 1, in the text before the round of fixes that contains this change.
    public var column: Int
    /// The code of the fixed diagnostic.
    public var code: DiagnosticCode
    /// The change in words: `replace “5 m” by “5 min”`.
    public var title: String
    /// True when the fix inserts a missing word, which is a guess.
    var isInsertion = false
  }

  /// The check of the policies before any fix.
  public var before: PolicyCheck
  /// The check of the policies after all fixes.
  public var after: PolicyCheck
  /// The applied fixes, in the order of application.
  public var changes: [Change] = []

  /// The maximum number of rounds; a fix can reveal further problems to fix.
  private static let maxRounds = 20
  /// The maximum number of fixes to try one by one when applying all of them adds errors.
  private static let maxSimulations = 50

  /// Applies the fixes of a check in memory; `write()` writes the files.
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
    if addsErrorsToLines { (after, changes) = (before, []) }
  }

  /// True when the lines with inserted words have more errors than before. The words are then probably wrong.
  private var addsErrorsToLines: Bool {
    let insertions = changes.filter(\.isInsertion)
    let files = Set(insertions.map(\.file))
    func lines(_ check: PolicyCheck, _ file: String) -> Int? {
      check.sources.first { $0.file == file }.map { source in source.bytes.count { $0 == 0x0A } }
    }
    // If a fix has changed the number of lines, the errors of the two checks cannot be compared line by line.
    guard files.allSatisfy({ lines(before, $0) == lines(after, $0) }) else { return false }
    func errors(_ check: PolicyCheck) -> Int {
      check.diagnostics.count { diagnostic in
        guard diagnostic.severity == .error, let label = diagnostic.labels.first,
          let source = check.sources.first(where: { $0.file == diagnostic.file })
        else { return false }
        let line = source.position(of: label.span.start).line
        return insertions.contains { $0.file == diagnostic.file && $0.line == line }
      }
    }
    return errors(after) > errors(before)
  }

  /// Returns the fixable diagnostics of this round: errors, or warnings when there are no errors. Files with
  /// invalid bytes are not fixed.
  private static func candidates(in check: PolicyCheck) -> [Diagnostic] {
    let unreadable = Set(check.sources.filter { !$0.invalidOffsets.isEmpty }.map(\.file))
    let severity: Diagnostic.Severity = check.hasErrors ? .error : .warning
    return check.diagnostics.filter {
      $0.severity == severity && $0.fix != nil && !unreadable.contains($0.file)
    }
  }

  /// Returns the policies with all fixes. When all fixes together add errors, returns the policies with the
  /// acceptable fixes. When the acceptable fixes together add further errors, returns the policies with the
  /// first of these fixes. Nil when no fix is acceptable.
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
    // The number of errors that accepted fixes reveal.
    var revealed = 0
    for candidate in candidates.prefix(maxSimulations) {
      guard let next = attempt([candidate])?.check else { continue }
      let more = next.count(.error) - errors
      guard more <= 0 || onlyRevealsLaterErrors(candidate, check, next) else { continue }
      revealed += max(0, more)
      harmless.append(candidate)
    }
    guard let first = harmless.first else { return nil }
    if let all = attempt(harmless), all.check.count(.error) <= errors + revealed { return all }
    return attempt([first])
  }

  /// Returns whether the fix is for a syntax error and leaves fewer errors up to the position of the fix. New
  /// errors are then after that position.
  private static func onlyRevealsLaterErrors(_ mended: Diagnostic, _ check: PolicyCheck, _ next: PolicyCheck)
    -> Bool
  {
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
            title: fix.title(in: source), isInsertion: fix.span.start == fix.span.end))
      }
      return set.isEmpty
        ? source : SourceText(file: source.file, bytes: source.mark + set.applied(to: source.bytes))
    }
    return (mended, changes)
  }

  /// Writes the changed files, each atomically. Writes no file when one of them is not writable.
  ///
  /// - Throws: `Problem` when a file cannot be written.
  public func write() throws(Problem) {
    let changed = zip(before.sources, after.sources).filter { $0 != $1 }.map(\.1)
    for source in changed { try FileText.requireWritable(source.file) }
    for source in changed { try FileText.write(source.mark + source.bytes, to: source.file) }
  }
}

extension SourceText {
  /// The byte-order mark to keep. A file that was UTF-16 becomes UTF-8 without a mark.
  fileprivate var mark: [UInt8] { hadByteOrderMark && !wasWide ? [0xEF, 0xBB, 0xBF] : [] }
}
