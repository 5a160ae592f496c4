import StintModel
import StintUnits

/// What other threads, and the loop's own jobs, leave for a loop: jobs, timers, descriptors.
final class LoopInbox: Sendable {
  struct Work {
    var job: UnownedJob
    /// Whether it belongs to an actor that is bound to the loop.
    var isSerial: Bool
  }

  struct Content {
    var work: [Work] = []
    var timers = TimerQueue()
    /// In the order in which they were reserved.
    var alarms: [(id: LoopAlarm.ID, alarm: LoopAlarm)] = []
    var nextAlarm: UInt64 = 0
    /// By descriptor.
    var readers: [Int32: @Sendable () -> Void] = [:]
    /// Sorted: the order in which readable descriptors are served.
    var descriptors: [Int32] = []
    /// While true, the running thread is in the kernel or on its way there and must be woken.
    var isSleeping = false
    var isRunning = false
  }

  let content = Locked(Content())
  let pipe: WakePipe

  init() throws(Problem) { pipe = try WakePipe() }

  /// Changes the content and wakes the loop if it sleeps.
  ///
  /// The loop's own thread is never asleep in here, so only another thread's change costs a write to the
  /// pipe, and only the first one.
  func add<Value: Sendable>(_ change: (inout Content) -> Value) -> Value {
    let (value, mustWake) = content.withLock { content in
      let value = change(&content)
      let mustWake = content.isSleeping
      content.isSleeping = false
      return (value, mustWake)
    }
    if mustWake { pipe.write() }
    return value
  }

  func add(_ work: Work) {
    let mustWake = content.withLock { content in
      content.work.append(work)
      let mustWake = content.isSleeping
      content.isSleeping = false
      return mustWake
    }
    if mustWake { pipe.write() }
  }
}
