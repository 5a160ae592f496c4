/// A one-time event: one task waits until `end()` is called.
public final class CompletionEvent: Sendable {
  private let ended = Promise<Void>()

  /// Creates an event that has not occurred. `end()` must be called at least once.
  public init() {}

  /// Marks the event as occurred and resumes the waiting task. May be called from any thread.
  public func end() { ended.fill(()) }

  /// Waits until `end()` has been called.
  ///
  /// - Precondition: no other task waits.
  public func wait() async { await ended.value() }
}
