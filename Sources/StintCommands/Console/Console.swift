public import StintTools

/// Where a command writes: results to one side, talk to the other.
public struct Console: Sendable {
  /// Colours for results; off unless they go to a terminal.
  public var resultPaint: Paint
  /// Colours for talk; off unless it goes to a terminal.
  public var talkPaint: Paint
  /// Whether a person sees talk as it is said, and so wants to know how far long work is.
  public var isWatched: Bool
  private let writeResult: @Sendable (String) -> Void
  private let writeTalk: @Sendable (String) -> Void
  private let hearing: @Sendable () -> Bool

  /// Makes a console from two ways to write.
  public init(
    resultPaint: Paint = .plain, talkPaint: Paint = .plain, isWatched: Bool = false,
    writeResult: @escaping @Sendable (String) -> Void,
    writeTalk: @escaping @Sendable (String) -> Void, hearing: @escaping @Sendable () -> Bool = { true }
  ) {
    self.resultPaint = resultPaint
    self.talkPaint = talkPaint
    self.isWatched = isWatched
    self.writeResult = writeResult
    self.writeTalk = writeTalk
    self.hearing = hearing
  }

  /// Whether standard output is still read; when it is not, commands stop making results.
  package var isHeard: Bool { hearing() }

  /// Writes a line of the result; the text may hold several.
  public func result(_ text: String) { writeResult(text + "\n") }

  /// Writes a part of the result as it is, without a line's end.
  public func raw(_ text: String) { writeResult(text) }

  /// Says something to the person who watches.
  public func talk(_ text: String) { writeTalk(text + "\n") }

  /// Says that something went wrong, and what to do.
  package func complain(_ sentence: String, hint: String) {
    talk("\(talkPaint.bad("stint:")) \(sentence)")
    if !hint.isEmpty { talk("  \(talkPaint.quiet(hint))") }
  }
}
