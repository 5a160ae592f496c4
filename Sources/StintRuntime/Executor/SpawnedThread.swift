#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread that was started; it is joined once, or detached once.
struct SpawnedThread: @unchecked Sendable {
  // A pthread_t is a pointer on some systems; it is only handed back to the system.
  let handle: pthread_t

  /// Blocks until the thread has ended.
  func join() {
    let result = pthread_join(handle, nil)
    precondition(result == 0, "a thread is joined once, and not by itself")
  }

  /// Has the system free the thread when it has ended, in place of `join`.
  func detach() {
    let result = pthread_detach(handle)
    precondition(result == 0, "a thread is joined or detached once")
  }
}
