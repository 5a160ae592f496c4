public import StintUnits

/// An executor that runs tasks on a fixed number of its own threads. Threads without work block.
///
/// Use a pool for many independent pieces of work, such as parallel simulations. The assignment of tasks to
/// threads varies, so no output may depend on it.
public final class PoolExecutor: TaskExecutor {
  private enum Step: Sendable {
    case run(UnownedJob)
    case leave
  }

  private struct Content {
    var jobs = JobQueue()
    var idleThreads = 0
    var isClosing = false
  }

  private let content = Monitor(Content())
  private let threads: Promise<[SpawnedThread]>

  /// Creates the pool and starts its threads. Throws when a thread cannot be started. The threads that were
  /// started then end.
  ///
  /// - Precondition: `count` is at least 1.
  public init(threads count: Int) throws(Problem) {
    precondition(count >= 1, "a pool needs at least one thread")
    threads = Promise()
    var started: [SpawnedThread] = []
    do throws(Problem) {
      for _ in 0..<count { started.append(try Spawner.thread("stint-pool") { [self] in work() }) }
      threads.fill(started)
    } catch {
      threads.fill(started)
      shutdown()
      throw error
    }
  }

  /// Adds a job to the queue. May be called from any thread, but not after `shutdown()`.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    content.change { content in
      precondition(!content.isClosing, "a job was added to a pool after its shutdown")
      content.jobs.append(job)
      return content.idleThreads > 0
    }
  }

  /// Ends the threads and waits for them; they first run the jobs that are still queued.
  ///
  /// Call this function once, after all tasks of the pool have ended, and not from a thread of the pool.
  public func shutdown() {
    content.changeForAll { $0.isClosing = true }
    for thread in threads.content ?? [] { thread.join() }
  }

  private func work() {
    while case .run(let job) = nextStep() {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  private func nextStep() -> Step {
    var wasIdle = false
    return content.wait { content in
      let step = content.jobs.popFirst().map(Step.run) ?? (content.isClosing ? .leave : nil)
      if (step == nil) != wasIdle {
        wasIdle.toggle()
        content.idleThreads += wasIdle ? 1 : -1
      }
      return step
    }
  }
}
