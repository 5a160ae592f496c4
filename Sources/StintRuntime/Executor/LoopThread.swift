public import StintUnits

/// A loop with a thread of its own, for a host app that needs its main thread for itself.
public final class LoopThread: Sendable {
  public let loop: LoopExecutor
  private let mustStop: Flag
  private let thread: SpawnedThread
  private let ended = Promise<Void>()

  /// Starts the thread.
  public init() throws(Problem) {
    let loop = try LoopExecutor()
    let mustStop = Flag()
    self.loop = loop
    self.mustStop = mustStop
    thread = try Spawner.thread { loop.run { mustStop.isRaised } }
  }

  /// Starts the one task for which the thread is there; when it ends, the loop does. To be called once at most.
  public func start(_ body: @escaping @Sendable () async -> Void) {
    Spawner.start(on: loop) { [self] in
      await body()
      stop()
      ended.fill(())
    }
  }

  /// Waits until the task of `start` has ended, and shuts the thread down. To be called once, and not from that task.
  public func finish() async {
    await ended.value()
    shutdown()
  }

  /// Ends the loop after the job that it runs, waits for its thread and closes its descriptors.
  ///
  /// To be called once, when all tasks of the loop have ended, and not from one of them.
  public func shutdown() {
    stop()
    thread.join()
    loop.inbox.pipe.shut()
  }

  /// Ends the loop after the job that it runs; returns at once. May be called from any thread, the loop's too.
  private func stop() {
    mustStop.raise()
    loop.wake()
  }

  /// Leaves the thread to the system, which frees it when it has ended; in place of `shutdown`, and once.
  public func abandon() { thread.detach() }
}
