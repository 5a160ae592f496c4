#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread that was started; somebody must join it once.
struct SpawnedThread: @unchecked Sendable {
  // A pthread_t is a pointer on some systems; it is only handed back to the system.
  let handle: pthread_t

  /// Blocks until the thread has ended.
  func join() {
    let result = pthread_join(handle, nil)
    precondition(result == 0, "a thread is joined once, and not by itself")
  }
}
