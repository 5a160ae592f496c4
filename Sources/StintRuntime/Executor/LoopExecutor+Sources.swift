import StintModel
import Synchronization

extension LoopExecutor {
  /// Calls the action on the loop's thread once the deadline has passed.
  func schedule(at deadline: MonotonicInstant, _ action: @escaping @Sendable () -> Void) -> TimerQueue.ID {
    inbox.add { content in content.timers.add(deadline, action) }
  }

  /// Forgets a timer, fired or not.
  func unschedule(_ timer: TimerQueue.ID) {
    inbox.content.withLock { $0.timers.remove(timer) }
  }

  /// Names an alarm that can be set.
  func reserveAlarm() -> LoopAlarm.ID {
    inbox.content.withLock { content in
      content.nextAlarm += 1
      return LoopAlarm.ID(number: content.nextAlarm)
    }
  }

  /// Registers an alarm that the loop asks for its next instant; nil removes it.
  func set(_ id: LoopAlarm.ID, _ alarm: LoopAlarm?) {
    inbox.add { content in
      content.alarms.removeAll { $0.id == id }
      if let alarm { content.alarms.append((id, alarm)) }
    }
  }

  /// Calls the action on the loop's thread whenever the descriptor is readable or closed at its other end.
  ///
  /// - Precondition: the descriptor has no watcher yet.
  func watch(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void) {
    inbox.add { content in
      precondition(content.readers[descriptor] == nil, "a descriptor has one reader")
      content.readers[descriptor] = action
      content.descriptors = content.readers.keys.sorted()
    }
  }

  /// Stops watching; to be called before the descriptor is closed.
  func unwatch(_ descriptor: Int32) {
    inbox.add { content in
      content.readers[descriptor] = nil
      content.descriptors = content.readers.keys.sorted()
    }
  }

  /// Suspends the calling task until the deadline has passed; false when the task was cancelled before.
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

  /// Suspends the calling task until the descriptor is readable or closed at its other end; false when the
  /// task was cancelled before.
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
