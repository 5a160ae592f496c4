import StintModel
import StintSystem

/// An executor that runs all jobs of a plugin's process on the thread that calls `drain()`.
///
/// No job runs on the shared thread pool, so the threads of the pool do not wake an idle process.
final class ProcessExecutor: TaskExecutor {
  private let jobs = Locked<[UnownedJob]>([])
  private let newOutput = Locked(false)
  /// The descriptor to poll: readable when jobs or events of the plugin wait.
  let readEnd: Int32
  private let writeEnd: Int32

  /// Returns nil when the system has no descriptors left.
  init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    readEnd = ends[0]
    writeEnd = ends[1]
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    wakeLoop()
  }

  /// True when the plugin has reported an event since this property was last set to false.
  var hasNewOutput: Bool {
    get { newOutput.withLock { $0 } }
    set { newOutput.withLock { $0 = newValue } }
  }

  /// Records that the plugin reported an event; may be called from any thread.
  func note() {
    hasNewOutput = true
    wakeLoop()
  }

  /// Makes `readEnd` readable; it stays readable until the next `drain()`.
  func wakeLoop() {
    var byte: UInt8 = 1
    _ = write(writeEnd, &byte, 1)
  }

  /// Runs all waiting jobs and the jobs that they enqueue.
  func drain() {
    // Empty the pipe before running the jobs. A job that is enqueued later runs in the loop below, or makes
    // the pipe readable again.
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(readEnd, &bytes, bytes.count) > 0 {}
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
