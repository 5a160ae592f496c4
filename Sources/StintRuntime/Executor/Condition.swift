#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A value behind a lock that threads can block on until it changes.
package final class Condition<Value>: @unchecked Sendable {
  // Both need an address that stays; the value is touched only while the lock is held.
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    lock.initialize(to: pthread_mutex_t())
    changed.initialize(to: pthread_cond_t())
    let results = (pthread_mutex_init(lock, nil), pthread_cond_init(changed, nil))
    precondition(results == (0, 0), "a lock cannot be made")
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(lock)
    changed.deallocate()
    lock.deallocate()
  }

  /// Changes the value; wakes one blocked thread if the closure says so.
  package func change(_ body: (inout Value) -> Bool) {
    pthread_mutex_lock(lock)
    let mustWake = body(&value)
    pthread_mutex_unlock(lock)
    if mustWake { pthread_cond_signal(changed) }
  }

  /// Changes the value and wakes all blocked threads.
  package func changeForAll(_ body: (inout Value) -> Void) {
    pthread_mutex_lock(lock)
    body(&value)
    pthread_mutex_unlock(lock)
    pthread_cond_broadcast(changed)
  }

  /// Blocks the calling thread until the closure finds in the value what it looks for.
  package func wait<Found>(for body: (inout Value) -> Found?) -> Found {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while true {
      if let found = body(&value) { return found }
      pthread_cond_wait(changed, lock)
    }
  }
}
