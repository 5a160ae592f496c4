/// The end of something that one other task waits for before it goes on.
public final class CompletionEvent: Sendable {
  private let ended = Promise<Void>()

  /// Begins; it must end once.
  public init() {}

  /// It has ended; the task that waits goes on. May be called from any thread.
  public func end() { ended.fill(()) }

  /// Waits for the end.
  ///
  /// - Precondition: no other task waits.
  public func comes() async { await ended.value() }
}
