public import StintUnits

/// A loop with its own thread, for an app whose main thread has other work.
public final class LoopThread: Sendable {
  /// The loop that the thread runs.
  public let loop: LoopExecutor
  private let mustStop: Flag
  private let thread: SpawnedThread
  private let ended = Promise<Void>()

  /// Creates the loop and starts its thread.
  public init() throws(Problem) {
    let loop = try LoopExecutor()
    let mustStop = Flag()
    self.loop = loop
    self.mustStop = mustStop
    thread = try Spawner.thread("stint-loop") {
      loop.run { mustStop.isRaised }
      loop.releaseActions()
    }
  }

  /// Starts the only task of the thread. The loop ends with the task. May be called once.
  public func start(_ body: @escaping @Sendable () async -> Void) {
    Spawner.start(on: loop) { [self] in
      await body()
      stop()
      ended.fill(())
    }
  }

  /// Waits until the task of `start` has ended, then shuts the thread down. May be called once, and not from
  /// that task.
  public func finish() async {
    await ended.value()
    shutdown()
  }

  /// Ends the loop after its current batch of jobs, waits for its thread and closes its descriptors.
  ///
  /// May be called once, after all tasks of the loop have ended, and not from one of these tasks.
  public func shutdown() {
    stop()
    thread.join()
    loop.inbox.pipe.shut()
  }

  /// Ends the loop after its current batch of jobs, without waiting. May be called from any thread.
  private func stop() {
    mustStop.raise()
    loop.checkAgain()
  }

  /// Detaches the thread, so that the system frees the thread's resources when the thread ends. May be called
  /// once, as an alternative to `shutdown`.
  public func abandon() { thread.detach() }
}
