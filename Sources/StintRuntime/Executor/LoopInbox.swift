import StintModel
import StintUnits

/// The queues of a loop: jobs, timers, alarms and watched descriptors. An inbox may be used from any thread.
final class LoopInbox: Sendable {
  struct Work {
    var job: UnownedJob
    /// True for a job of an actor that is bound to the loop.
    var isSerial: Bool
  }

  struct Content {
    var work: [Work] = []
    var timers = TimerQueue()
    /// The alarms in the order in which they were last set.
    var alarms: [(id: LoopAlarm.ID, alarm: LoopAlarm)] = []
    var nextAlarm: UInt64 = 0
    /// The actions by descriptor.
    var readers: [Int32: @Sendable () -> Void] = [:]
    /// The watched descriptors in ascending order. Readable descriptors are handled in this order.
    var descriptors: [Int32] = []
    /// The actions of descriptors that are watched until they accept bytes. Each action runs once.
    var writers: [Int32: @Sendable () -> Void] = [:]
    /// True while the loop's thread sleeps or is about to sleep. A change must then wake the thread.
    var isSleeping = false
    /// True from a call of `checkAgain` until the thread checks its condition again. Without this flag, a
    /// call between the check and the sleep would be lost.
    var mustCheck = false
    var isRunning = false
  }

  let content = Locked(Content())
  let pipe: WakePipe

  init() throws(Problem) { pipe = try WakePipe() }

  /// Changes the content and wakes the loop if the loop sleeps.
  ///
  /// Only the first change by another thread during a sleep writes to the pipe. A change by the loop's own
  /// thread writes nothing, because that thread does not sleep then.
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
