public import Synchronization

/// A value that only one thread at a time may access.
///
/// It is a `Mutex`, with an additional atomic flag in builds with the thread sanitizer. A contended `Mutex`
/// waits in a library that the sanitizer does not instrument. Without the flag, the sanitizer would report
/// races on the value and on everything passed between threads through the value. Any thread may use the
/// value. No thread keeps the lock across an `await`.
///
/// `Value` must not be a function or an optional function: each access would wrap it in a further closure. A
/// struct with the function as a member has no such cost.
public struct Locked<Value>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  #if THREAD_SANITIZER
    /// The flag is stored before the lock is released, and loaded after the lock is acquired.
    @usableFromInline let mark = Atomic(false)
  #endif

  /// Makes a locked value.
  @inlinable
  public init(_ value: consuming sending Value) { mutex = Mutex(value) }

  /// Runs `body` with exclusive access to the value; blocks the thread until the lock is free. Throws the
  /// error of `body`.
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
