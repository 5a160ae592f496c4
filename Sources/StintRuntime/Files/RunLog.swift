public import StintModel

/// The log of a run, for messages about the run itself. Its functions may be called on any thread.
public struct RunLog: Sendable {
  /// Receives a text of one or several lines and the subject of the text. `isProblem` is true when the text
  /// reports a problem.
  private let write: @Sendable (_ text: String, _ isProblem: Bool, _ event: RunEvent) -> Void

  /// Creates a log.
  ///
  /// - Parameter write: receives a text of one or several lines, and `isProblem`. `isProblem` is true when
  ///   the text reports a problem.
  public init(_ write: @escaping @Sendable (_ text: String, _ isProblem: Bool) -> Void) {
    self.write = { text, isProblem, _ in write(text, isProblem) }
  }

  /// Creates a log.
  ///
  /// - Parameter write: also receives the subject of the text.
  public init(
    events write: @escaping @Sendable (_ text: String, _ isProblem: Bool, _ event: RunEvent) -> Void
  ) {
    self.write = write
  }

  /// Writes a text about the normal course of the run.
  public func callAsFunction(_ text: String, about event: RunEvent = .message) { write(text, false, event) }

  /// Writes a text about a refused change, or about an operation that failed.
  public func problem(_ text: String, about event: RunEvent = .message) { write(text, true, event) }

  /// A log that drops all texts.
  public static let none = RunLog { _, _ in }
}
