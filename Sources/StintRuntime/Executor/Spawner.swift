#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The one place in which tasks and threads are made, so that every task names its executor.
///
/// A task without one runs on the default pool, which from then on wakes the processor every second.
public enum Spawner {
  /// Runs an async closure to its end on a loop, with the calling thread as the loop's thread.
  ///
  /// For synchronous code such as `main`; blocks until the closure has returned or thrown.
  public static func run<Value: Sendable, Failure: Error>(
    on loop: LoopExecutor, _ body: sending @escaping () async throws(Failure) -> Value
  ) -> Result<Value, Failure> {
    let outcome = OneShot<Result<Value, Failure>>()
    let isDone = Flag()
    _ = Task(executorPreference: loop) {
      outcome.fill(await result(of: body))
      isDone.raise()
    }
    loop.run { isDone.isRaised }
    guard let result = outcome.content else { preconditionFailure("a loop ended before its task") }
    return result
  }

  /// Runs an async closure to its end on a pool and blocks the calling thread, which is none of the pool's.
  public static func run<Value: Sendable, Failure: Error>(
    on pool: PoolExecutor, _ body: sending @escaping () async throws(Failure) -> Value
  ) -> Result<Value, Failure> {
    let outcome = Condition<Result<Value, Failure>?>(nil)
    _ = Task(executorPreference: pool) {
      let settled = await result(of: body)
      outcome.changeForAll { $0 = settled }
    }
    return outcome.wait { $0 }
  }

  /// Starts a task on an executor and returns at once; the executor must outlive the task.
  @discardableResult
  public static func start<Value: Sendable>(
    on executor: any TaskExecutor, _ body: sending @escaping () async -> Value
  ) -> Task<Value, Never> {
    Task(executorPreference: executor, operation: body)
  }

  /// Starts a task that may fail on an executor and returns at once; the executor must outlive the task.
  @discardableResult
  public static func start<Value: Sendable>(
    on executor: any TaskExecutor, _ body: sending @escaping () async throws -> Value
  ) -> Task<Value, any Error> {
    Task(executorPreference: executor, operation: body)
  }

  /// Starts a thread.
  static func thread(_ body: @escaping @Sendable () -> Void) throws(SystemError) -> SpawnedThread {
    let argument = Unmanaged.passRetained(ThreadBody(body))
    #if canImport(Darwin)
      var handle: pthread_t?
      let result = pthread_create(&handle, nil, { ThreadBody.run($0) }, argument.toOpaque())
    #else
      var handle = pthread_t()
      let result = pthread_create(&handle, nil, { ThreadBody.run($0) }, argument.toOpaque())
    #endif
    guard result == 0 else {
      argument.release()
      throw SystemError(call: "pthread_create", number: result)
    }
    #if canImport(Darwin)
      guard let handle else { preconditionFailure("a started thread has no handle") }
    #endif
    return SpawnedThread(handle: handle)
  }

  private static func result<Value, Failure: Error>(
    of body: () async throws(Failure) -> Value
  ) async -> Result<Value, Failure> {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}
