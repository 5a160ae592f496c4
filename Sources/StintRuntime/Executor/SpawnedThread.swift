import StintSystem

/// A running thread. It must be joined or detached exactly once.
struct SpawnedThread: @unchecked Sendable {
  // A `pthread_t` is a pointer on some systems. It is only passed to system calls.
  let handle: pthread_t

  /// Blocks until the thread has ended.
  func join() {
    let result = pthread_join(handle, nil)
    precondition(result == 0, "a thread may be joined only once, and not by itself")
  }

  /// Lets the system free the thread when it ends. An alternative to `join`.
  func detach() {
    let result = pthread_detach(handle)
    precondition(result == 0, "a thread may be joined or detached only once")
  }
}
