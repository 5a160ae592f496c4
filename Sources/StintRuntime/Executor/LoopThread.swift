/// A loop with a thread of its own, for a host app whose main thread belongs to somebody else.
public final class LoopThread: Sendable {
  public let loop: LoopExecutor
  private let mustStop: Flag
  private let thread: SpawnedThread

  /// Starts the thread.
  public init() throws(SystemError) {
    let loop = try LoopExecutor()
    let mustStop = Flag()
    self.loop = loop
    self.mustStop = mustStop
    thread = try Spawner.thread { loop.run { mustStop.isRaised } }
  }

  /// Ends the loop after the job that it runs and waits for its thread.
  ///
  /// To be called once, when all tasks of the loop have ended, and not from one of them.
  public func shutdown() {
    mustStop.raise()
    loop.wake()
    thread.join()
  }
}
