public import Synchronization

/// A value that one thread at a time may touch.
///
/// A `Mutex`, and where the thread sanitizer looks on, a mark beside it. A contended `Mutex` waits in a library that
/// the sanitizer does not see, and without the mark it would take for unordered what the lock orders: the value, and
/// whatever is handed from thread to thread through it. May be used from any thread; is never held across an `await`.
public struct Locked<Value>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  #if THREAD_SANITIZER
    /// Stored before the lock is released, loaded after it was taken.
    @usableFromInline let mark = Atomic(false)
  #endif

  /// Locks a value in.
  @inlinable
  public init(_ value: consuming sending Value) { mutex = Mutex(value) }

  /// Runs `body` with the value while no other thread can; waits until that is so.
  @inlinable
  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    #if THREAD_SANITIZER
      try mutex.withLock { value throws(Failure) in
        _ = mark.load(ordering: .acquiring)
        defer { mark.store(true, ordering: .releasing) }
        return try body(&value)
      }
    #else
      try mutex.withLock(body)
    #endif
  }
}
