import StintModel
public import StintTools
package import StintUnits

/// Where a command writes: results to one side, talk to the other.
public struct Console: Sendable {
  /// Colours for results; off unless they go to a terminal.
  public var resultPaint: Paint
  /// Colours for talk; off unless it goes to a terminal.
  public var logPaint: Paint
  /// How many columns the terminal has that shows results; nil where they go elsewhere, and are not broken.
  public var resultColumns: Int?
  /// How many columns the terminal has that shows talk; nil where it goes elsewhere.
  public var logColumns: Int?
  private let writeResult: @Sendable (String) -> Void
  private let writeLog: @Sendable (String) -> Void
  /// Writes to the terminal that shows talk, with sequences of its own; nil where there is none.
  private let writeProgress: (@Sendable (String) -> Void)?
  /// Whether a line of progress stands on that terminal.
  private let mark = ProgressMark()
  private let hearing: @Sendable () -> Bool

  /// Makes a console from two ways to write.
  public init(
    resultPaint: Paint = .plain, logPaint: Paint = .plain,
    resultColumns: Int? = nil, logColumns: Int? = nil,
    writeResult: @escaping @Sendable (String) -> Void,
    writeLog: @escaping @Sendable (String) -> Void,
    writeProgress: (@Sendable (String) -> Void)? = nil, hearing: @escaping @Sendable () -> Bool = { true }
  ) {
    self.resultPaint = resultPaint
    self.logPaint = logPaint
    self.resultColumns = resultColumns
    self.logColumns = logColumns
    self.writeResult = writeResult
    self.writeLog = writeLog
    self.writeProgress = writeProgress
    self.hearing = hearing
  }

  /// Whether standard output is still read; when it is not, commands stop making results.
  package var isOutputOpen: Bool { hearing() }

  /// Writes a line of the result; the text may hold several.
  public func result(_ text: String) { raw(text + "\n") }

  /// Writes a report of lines of a word and what it says: on a terminal with colours and within its width.
  func report(_ text: String) {
    let isEnded = text.last == "\n"
    let painted = ReportPaint(resultPaint).text(isEnded ? String(text.dropLast()) : text)
    result(fitted(painted))
  }

  /// The lines of a result as the terminal that shows it has room for them; elsewhere as they are.
  func fitted(_ text: String) -> String {
    resultColumns.map { TextWrap(columns: $0).report(text) } ?? text
  }

  /// Writes a part of the result as it is, without a line's end.
  public func raw(_ text: String) {
    eraseProgress()
    writeResult(text)
  }

  /// Says something to the person who watches.
  public func log(_ text: String) {
    eraseProgress()
    writeLog(text + "\n")
  }

  // MARK: Progress

  /// Whether a person sees how far long work is.
  var showsProgress: Bool { writeProgress != nil }

  /// A line that says how far this work is.
  package func progress(_ work: String) -> ProgressLine { ProgressLine(work, on: self) }

  /// Shows a line of progress in place of the last one, cut where the terminal ends.
  func draw(_ line: String) {
    guard let writeProgress else { return }
    mark.isDrawn.withLock { $0 = true }
    writeProgress("\r\u{1B}[K" + line.prefix((logColumns ?? 80) - 1))
  }

  /// Takes the line of progress away.
  func eraseProgress() {
    let wasDrawn = mark.isDrawn.withLock { isDrawn in
      defer { isDrawn = false }
      return isDrawn
    }
    if wasDrawn { writeProgress?("\r\u{1B}[K") }
  }

  /// Says each problem, with what to do about it.
  package func complain(_ problem: Problem) {
    for problem in problem.all { complain(problem.statement, hint: problem.remedy) }
  }

  /// Says that something went wrong, and what to do.
  package func complain(_ sentence: String, hint: String) {
    var text = "\(logPaint.bad("stint:")) \(sentence)"
    if !hint.isEmpty { text += "\n  \(logPaint.quiet(hint))" }
    log(logColumns.map { TextWrap(columns: $0).report(text) } ?? text)
  }
}

/// Whether a line of progress stands on a terminal, for all copies of its console.
private final class ProgressMark: Sendable {
  let isDrawn = Locked(false)
}
