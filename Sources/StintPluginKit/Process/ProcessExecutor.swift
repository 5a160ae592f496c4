import StintModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs all jobs of a plugin's process on the one thread that calls `drain()`, so that none comes to the shared pool:
/// a process that waits is not woken.
final class ProcessExecutor: TaskExecutor {
  private let jobs = Locked<[UnownedJob]>([])
  private let newOutput = Locked(false)
  /// Becomes readable when there is something to do.
  let readEnd: Int32
  private let writeEnd: Int32

  /// Nil when the system has no descriptors left.
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
    ring()
  }

  /// Whether the plugin said something since this was set to false.
  var hasNewOutput: Bool {
    get { newOutput.withLock { $0 } }
    set { newOutput.withLock { $0 = newValue } }
  }

  /// The plugin said something, on whatever thread.
  func note() {
    hasNewOutput = true
    ring()
  }

  /// Makes the bell readable; a bell that rings already stays as it is.
  func ring() {
    var byte: UInt8 = 1
    _ = write(writeEnd, &byte, 1)
  }

  /// Runs what is to be done, and what comes of it.
  func drain() {
    // What rings from here on finds its job done, or is heard the next time.
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(readEnd, &bytes, bytes.count) > 0 {}
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
