import StintModel
import Synchronization

extension LoopExecutor {
  /// Calls the action on the loop's thread after the deadline has passed.
  func schedule(at deadline: MonotonicInstant, _ action: @escaping @Sendable () -> Void) -> TimerQueue.ID {
    inbox.add { content in content.timers.add(deadline, action) }
  }

  /// Removes a timer. Does nothing when the timer has already expired.
  func unschedule(_ timer: TimerQueue.ID) {
    let wasEarliest = inbox.content.withLock { content in
      let earliest = content.timers.earliest
      content.timers.remove(timer)
      return content.timers.earliest != earliest
    }
    // A sleeping loop would wake at the deadline of the removed timer without any work. Let it compute its
    // deadline again now, while the process is awake.
    if wasEarliest { wake() }
  }

  /// Reserves an id with which `set(_:_:)` can set an alarm.
  func reserveAlarm() -> LoopAlarm.ID {
    inbox.content.withLock { content in
      content.nextAlarm += 1
      return LoopAlarm.ID(number: content.nextAlarm)
    }
  }

  /// Sets the alarm of an id; nil removes the alarm.
  func set(_ id: LoopAlarm.ID, _ alarm: LoopAlarm?) {
    inbox.add { content in
      content.alarms.removeAll { $0.id == id }
      if let alarm { content.alarms.append((id, alarm)) }
    }
  }

  /// Calls the action on the loop's thread whenever the descriptor is readable or its peer has closed it.
  ///
  /// - Precondition: the descriptor is not watched yet.
  func watch(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void) {
    inbox.add { content in
      precondition(content.readers[descriptor] == nil, "the descriptor is already watched")
      content.readers[descriptor] = action
      content.descriptors = content.readers.keys.sorted()
    }
  }

  /// Stops watching a descriptor. Must be called before the descriptor is closed.
  func unwatch(_ descriptor: Int32) {
    inbox.add { content in
      content.readers[descriptor] = nil
      content.descriptors = content.readers.keys.sorted()
    }
  }

  /// Calls the action once on the loop's thread when the descriptor accepts bytes or its peer has closed it.
  public func watchWritable(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void) {
    inbox.add { content in content.writers[descriptor] = action }
  }

  /// Stops `watchWritable`. Must be called before the descriptor is closed.
  public func unwatchWritable(_ descriptor: Int32) {
    inbox.add { content in content.writers[descriptor] = nil }
  }

  /// Releases all timers and actions, because the loop never runs again. An action may own the loop; without
  /// this call, neither the action nor the loop would be released.
  func releaseActions() {
    let released = inbox.content.withLock { content in
      defer { (content.timers, content.readers, content.writers) = (TimerQueue(), [:], [:]) }
      content.descriptors = []
      return (content.timers, content.readers, content.writers)
    }
    // The `deinit` of a released object may change the loop, so the lock must be free.
    withExtendedLifetime(released) {}
  }

  /// Suspends the calling task until the deadline has passed. Returns false when the task was cancelled
  /// before the deadline.
  public func sleep(until deadline: MonotonicInstant) async -> Bool {
    let signal = Promise<Bool>()
    let timer = schedule(at: deadline) { signal.fill(true) }
    defer { unschedule(timer) }
    return await withTaskCancellationHandler {
      await signal.value()
    } onCancel: {
      signal.fill(false)
    }
  }

  /// Suspends the calling task until the descriptor is readable or its peer has closed it. Returns false when
  /// the task was cancelled during the wait.
  ///
  /// - Precondition: no other task waits for the descriptor.
  public func waitUntilReadable(_ descriptor: Int32) async -> Bool {
    let signal = Promise<Bool>()
    watch(descriptor) { signal.fill(true) }
    defer { unwatch(descriptor) }
    return await withTaskCancellationHandler {
      await signal.value()
    } onCancel: {
      signal.fill(false)
    }
  }
}
