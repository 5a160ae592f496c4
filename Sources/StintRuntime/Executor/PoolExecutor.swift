public import StintUnits

/// Runs tasks on a fixed number of threads of its own; threads without work block and cost nothing.
///
/// For work that is many independent pieces, such as simulations side by side. Which thread runs what differs
/// from run to run, so nothing that is printed may depend on it.
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

  private let content = Condition(Content())
  private let threads: Promise<[SpawnedThread]>

  /// Starts the threads.
  ///
  /// - Precondition: there is at least one.
  public init(threads count: Int) throws(Problem) {
    precondition(count >= 1, "a pool has at least one thread")
    threads = Promise()
    var started: [SpawnedThread] = []
    do throws(Problem) {
      for _ in 0..<count { started.append(try Spawner.thread { [self] in work() }) }
      threads.fill(started)
    } catch {
      threads.fill(started)
      shutdown()
      throw error
    }
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    content.change { content in
      precondition(!content.isClosing, "a task was given to a pool that is shut down")
      content.jobs.append(job)
      return content.idleThreads > 0
    }
  }

  /// Lets the threads finish what is enqueued and waits for them to end.
  ///
  /// To be called once, when all tasks of the pool have ended, and not from one of its threads.
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
