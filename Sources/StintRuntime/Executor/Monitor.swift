import StintSystem

/// A value with a lock. Threads can block until the value satisfies a condition.
package final class Monitor<Value>: @unchecked Sendable {
  // The mutex and its condition variable need a stable address. The value is accessed only while the lock
  // is held.
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    lock.initialize(to: pthread_mutex_t())
    changed.initialize(to: pthread_cond_t())
    let results = (pthread_mutex_init(lock, nil), pthread_cond_init(changed, nil))
    precondition(results == (0, 0), "cannot create a mutex and its condition variable")
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(lock)
    changed.deallocate()
    lock.deallocate()
  }

  /// Changes the value. Wakes one blocked thread when the closure returns true.
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

  /// Blocks the calling thread until the closure returns a non-nil result.
  package func wait<Found>(for body: (inout Value) -> Found?) -> Found {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while true {
      if let found = body(&value) { return found }
      pthread_cond_wait(changed, lock)
    }
  }
}
