import StintModel
public import StintUnits
import Synchronization

/// An executor that runs tasks on the one thread that calls `run(until:)`. The thread sleeps in the kernel
/// while there is no work.
///
/// The default pool of Swift wakes up every second after its first job. This executor wakes up only for jobs,
/// deadlines and descriptors. Jobs run in the order of their arrival, so tasks that only wait for each other
/// interleave in the same order in every run. Jobs may be enqueued from any thread.
public final class LoopExecutor: TaskExecutor {
  /// The number of jobs after which the loop checks descriptors and timers. The check occurs after the
  /// current batch of jobs.
  private static let maxJobsBetweenPolls = 64
  /// The time after which the loop checks descriptors and timers: 10 ms. The check occurs after the current
  /// batch of jobs.
  static let slice = TimeSpan.milliseconds(10)

  let inbox: LoopInbox
  /// The executor for actors that must always run on this loop.
  public let serial: LoopSerialExecutor

  /// Creates an executor. It queues jobs until `run(until:)` is called.
  public init() throws(Problem) {
    inbox = try LoopInbox()
    serial = LoopSerialExecutor(inbox: inbox)
  }

  /// Adds a job to the queue. May be called from any thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    inbox.add(LoopInbox.Work(job: UnownedJob(job), isSerial: false))
  }

  /// Wakes a sleeping loop, so that it checks its alarms. May be called from any thread.
  public func wake() { inbox.add { _ in } }

  /// Makes the loop check `isFinished` before it sleeps again. May be called from any thread.
  func checkAgain() { inbox.add { $0.mustCheck = true } }

  /// Waits until the jobs that are queued now have run. Returns at once when no job is queued. Only tasks of
  /// the loop may call this function.
  func runWaitingJobs() async {
    guard inbox.content.withLock({ !$0.work.isEmpty }) else { return }
    let reached = Promise<Void>()
    Spawner.start(on: self) { reached.fill(()) }
    await reached.value()
  }

  /// Runs jobs on the calling thread until the closure returns true. The closure is called before each batch
  /// of jobs and after each sleep.
  ///
  /// - Precondition: the loop is not running on another thread or within one of its jobs.
  public func run(until isFinished: () -> Bool) {
    markRunning()
    defer { inbox.content.withLock { $0.isRunning = false } }
    asCurrent { runJobs(until: isFinished) }
  }

  private func runJobs(until isFinished: () -> Bool) {
    var poller = Poller(waking: inbox.pipe)
    var batch: [LoopInbox.Work] = []
    var jobsSincePoll = 0
    var lastPoll = SystemClock.monotonic()
    while !isFinished() {
      inbox.content.withLock { swap(&batch, &$0.work) }
      let mustPoll =
        jobsSincePoll >= Self.maxJobsBetweenPolls || SystemClock.monotonic() - lastPoll >= Self.slice
      if batch.isEmpty || mustPoll {
        poll(with: &poller, mayBlock: batch.isEmpty)
        jobsSincePoll = 0
        lastPoll = SystemClock.monotonic()
      }
      for work in batch { run(work) }
      jobsSincePoll += batch.count
      batch.removeAll(keepingCapacity: true)
    }
  }

  private func markRunning() {
    inbox.content.withLock { content in
      precondition(!content.isRunning, "the loop is already running")
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

  /// Handles expired timers, alarms and ready descriptors. With `mayBlock`, waits until a timer, an alarm
  /// or a descriptor needs handling, or until another thread wakes the loop.
  private func poll(with poller: inout Poller, mayBlock: Bool) {
    let (descriptors, writers, earliest, alarms, blocks) = inbox.content.withLock { content in
      let blocks = mayBlock && content.work.isEmpty && !content.mustCheck
      content.mustCheck = false
      content.isSleeping = blocks
      return (
        content.descriptors, content.writers.keys.sorted(), content.timers.earliest,
        content.alarms.map(\.alarm), blocks
      )
    }
    // Read the deadlines after setting `isSleeping`: a deadline that is set later wakes the loop.
    let due = (alarms.map { $0.due() } + [earliest]).compactMap(\.self).min()
    var timeout: TimeSpan? = blocks ? nil : .zero
    if blocks, let due { timeout = due - SystemClock.monotonic() }
    let ready = poller.wait(for: descriptors, writing: writers, timeout: timeout)
    let now = due == nil ? nil : SystemClock.monotonic()
    let actions = inbox.content.withLock { content in
      content.isSleeping = false
      let expired = now.map { content.timers.removeExpired(at: $0) } ?? []
      let writable = ready.writable.compactMap { content.writers.removeValue(forKey: $0) }
      return expired + ready.readable.compactMap { content.readers[$0] } + writable
    }
    for action in actions { action() }
    guard let now else { return }
    for alarm in alarms { if let due = alarm.due(), due <= now { alarm.serve(now) } }
  }
}
