import StintModel
public import StintUnits
import Synchronization

/// Runs tasks on the one thread that calls `run(until:)`, and sleeps in the kernel when there is nothing to
/// do.
///
/// The default pool reads its state every second once it has run a single job; this executor wakes for jobs,
/// deadlines and descriptors and for nothing else. Jobs run in the order in which they were enqueued, so the
/// interleaving of tasks that only wait for each other is the same in every run. May be given jobs from any
/// thread.
public final class LoopExecutor: TaskExecutor {
  /// How many jobs may run before descriptors and timers get their turn.
  private static let patience = 64
  /// For how long jobs may run before descriptors and timers get their turn, but for the job under way: 10 ms.
  static let slice = TimeSpan.milliseconds(10)

  let inbox: LoopInbox
  /// The executor for actors that must run on this loop, from any caller.
  public let serial: LoopSerialExecutor

  /// Makes an executor; it keeps jobs until it runs.
  public init() throws(Problem) {
    inbox = try LoopInbox()
    serial = LoopSerialExecutor(inbox: inbox)
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    inbox.add(LoopInbox.Work(job: UnownedJob(job), isSerial: false))
  }

  /// Makes a sleeping loop look again whether it is finished. May be called from any thread.
  public func wake() { inbox.add { _ in } }

  /// Runs jobs on the calling thread until the closure says so; it is asked between jobs and after each
  /// sleep.
  ///
  /// - Precondition: no other thread runs this loop, and no job of it does.
  public func run(until isFinished: () -> Bool) {
    begin()
    defer { inbox.content.withLock { $0.isRunning = false } }
    var poller = Poller(waking: inbox.pipe)
    var batch: [LoopInbox.Work] = []
    var ranSinceLooking = 0
    var looked = SystemClock.monotonic()
    while !isFinished() {
      inbox.content.withLock { swap(&batch, &$0.work) }
      let isLong = ranSinceLooking >= Self.patience || SystemClock.monotonic() - looked >= Self.slice
      if batch.isEmpty || isLong {
        poll(with: &poller, mayBlock: batch.isEmpty)
        ranSinceLooking = 0
        looked = SystemClock.monotonic()
      }
      for work in batch { run(work) }
      ranSinceLooking += batch.count
      batch.removeAll(keepingCapacity: true)
    }
  }

  private func begin() {
    inbox.content.withLock { content in
      precondition(!content.isRunning, "a loop runs on one thread at a time")
      content.isRunning = true
    }
  }

  private func run(_ work: LoopInbox.Work) {
    if work.isSerial {
      work.job.runSynchronously(
        isolatedTo: serial.asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    } else {
      work.job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Serves due timers, alarms and readable descriptors; blocks until there is something if it may.
  private func poll(with poller: inout Poller, mayBlock: Bool) {
    let (descriptors, earliest, alarms, blocks) = inbox.content.withLock { content in
      let blocks = mayBlock && content.work.isEmpty
      content.isSleeping = blocks
      return (content.descriptors, content.timers.earliest, content.alarms.map(\.alarm), blocks)
    }
    // Asked behind `isSleeping`: what becomes due from here on wakes the poll.
    let due = (alarms.map { $0.due() } + [earliest]).compactMap(\.self).min()
    var timeout: TimeSpan? = blocks ? nil : .zero
    if blocks, let due { timeout = due - SystemClock.monotonic() }
    let readable = poller.wait(for: descriptors, timeout: timeout)
    let now = due == nil ? nil : SystemClock.monotonic()
    let actions = inbox.content.withLock { content in
      content.isSleeping = false
      let due = now.map { content.timers.removeExpired(at: $0) } ?? []
      return due + readable.compactMap { content.readers[$0] }
    }
    for action in actions { action() }
    guard let now else { return }
    for alarm in alarms { if let due = alarm.due(), due <= now { alarm.serve(now) } }
  }
}
