import StintModel
public import StintTools
package import StintUnits

/// The two output streams of a command: results and log messages.
public struct Console: Sendable {
  /// The colours of results; `plain` unless results go to a terminal.
  public var resultPaint: Paint
  /// The colours of log messages; `plain` unless they go to a terminal.
  public var logPaint: Paint
  /// The width of the terminal for results, in columns; nil when results go elsewhere and are not wrapped.
  public var resultColumns: Int?
  /// The width of the terminal for log messages, in columns; nil when they go elsewhere.
  public var logColumns: Int?
  private var writeResult: @Sendable (String) -> Void
  private var writeLog: @Sendable (String) -> Void
  /// Write functions that do not wait for a reader; nil when the normal write functions never wait.
  private let nonBlocking: NonBlockingWrites?
  /// Writes control sequences to the terminal for log messages; nil when there is no such terminal.
  private let writeProgress: (@Sendable (String) -> Void)?
  /// Records whether a progress line is visible on the terminal for log messages.
  private let mark = ProgressMark()
  private let isReaderOpen: @Sendable () -> Bool

  /// Functions that write a result or a log message without waiting, and the number of lines that they have
  /// dropped.
  public typealias NonBlockingWrites = (
    result: @Sendable (String) -> Void, log: @Sendable (String) -> Void, dropped: @Sendable () -> Int
  )

  /// The number of lines dropped since the start. Lines are dropped when the reader or the disk is too slow,
  /// or when a write fails.
  var droppedLines: Int { nonBlocking?.dropped() ?? 0 }

  /// A console for a running daemon, which must not wait for a reader. Output that is not read is dropped and
  /// counted.
  var withoutWaiting: Console {
    guard let nonBlocking else { return self }
    var console = self
    console.writeResult = nonBlocking.result
    console.writeLog = nonBlocking.log
    return console
  }

  /// Makes a console from two write functions.
  public init(
    resultPaint: Paint = .plain, logPaint: Paint = .plain,
    resultColumns: Int? = nil, logColumns: Int? = nil,
    writeResult: @escaping @Sendable (String) -> Void,
    writeLog: @escaping @Sendable (String) -> Void, nonBlocking: NonBlockingWrites? = nil,
    writeProgress: (@Sendable (String) -> Void)? = nil,
    isReaderOpen: @escaping @Sendable () -> Bool = { true }
  ) {
    self.resultPaint = resultPaint
    self.logPaint = logPaint
    self.resultColumns = resultColumns
    self.logColumns = logColumns
    self.writeResult = writeResult
    self.writeLog = writeLog
    self.nonBlocking = nonBlocking
    self.writeProgress = writeProgress
    self.isReaderOpen = isReaderOpen
  }

  /// True while standard output has a reader; without a reader, commands stop computing results.
  package var isOutputOpen: Bool { isReaderOpen() }

  /// Writes a result followed by a line end; the text may have several lines.
  public func result(_ text: String) { raw(text + "\n") }

  /// Writes a report whose lines begin with a keyword; on a terminal it is coloured and wrapped.
  func report(_ text: String) {
    let isEnded = text.last == "\n"
    let painted = ReportPaint(resultPaint).text(isEnded ? String(text.dropLast()) : text)
    result(fitted(painted))
  }

  /// Returns the text wrapped to the terminal's width, or unchanged when results do not go to a terminal.
  func fitted(_ text: String) -> String {
    resultColumns.map { TextWrap(columns: $0).report(text) } ?? text
  }

  /// Writes a part of the result unchanged, without a line end.
  public func raw(_ text: String) {
    eraseProgress()
    writeResult(text)
  }

  /// Writes a log message for the user.
  public func log(_ text: String) {
    eraseProgress()
    writeLog(text + "\n")
  }

  /// Writes a file of results. When the file cannot be written, the problem is logged. Call this function
  /// after the results themselves are printed, so that a problem with the file does not prevent their output.
  ///
  /// - Returns: the given exit code, or `misuse` when the file cannot be written.
  func save(otherwise code: ExitCode, _ write: () throws(Problem) -> Void) -> ExitCode {
    do throws(Problem) {
      try write()
      return code
    } catch {
      complain(error)
      return .misuse
    }
  }

  // MARK: Progress

  /// True when progress lines are shown to the user.
  var showsProgress: Bool { writeProgress != nil }

  /// Returns a progress line for this work.
  package func progress(_ work: String) -> ProgressLine { ProgressLine(work, on: self) }

  /// Draws a progress line over the previous line, cut at the terminal's width.
  func draw(_ line: String) {
    guard let writeProgress else { return }
    mark.isDrawn.withLock { $0 = true }
    writeProgress("\r\u{1B}[K" + line.prefix((logColumns ?? 80) - 1))
  }

  func eraseProgress() {
    let wasDrawn = mark.isDrawn.withLock { isDrawn in
      defer { isDrawn = false }
      return isDrawn
    }
    if wasDrawn { writeProgress?("\r\u{1B}[K") }
  }

  /// Logs each problem with its remedy.
  package func complain(_ problem: Problem) {
    for problem in problem.all { complain(problem.statement, hint: problem.remedy) }
  }

  /// Logs an error with a hint about its remedy.
  package func complain(_ sentence: String, hint: String) {
    var text = "\(logPaint.bad("stint:")) \(sentence)"
    if !hint.isEmpty { text += "\n  \(logPaint.quiet(hint))" }
    log(logColumns.map { TextWrap(columns: $0).report(text) } ?? text)
  }
}

/// A flag that is true while a progress line is visible. All copies of a console share the flag.
private final class ProgressMark: Sendable {
  let isDrawn = Locked(false)
}
