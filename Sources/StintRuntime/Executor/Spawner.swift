import StintPluginKit
import StintSystem
import StintUnits

/// The functions that create the tasks and threads of the host. Every task gets an explicit executor.
///
/// A task without an explicit executor runs on Swift's default pool, which wakes the processor every second
/// after its first job.
public enum Spawner {
  /// Runs an async closure on a loop, with the calling thread as the thread of the loop.
  ///
  /// Use this function in synchronous code such as `main`. Blocks until the closure has returned or thrown.
  public static func run<Value: Sendable, Failure: Error>(
    on loop: LoopExecutor, _ body: sending @escaping () async throws(Failure) -> Value
  ) -> Result<Value, Failure> {
    let outcome = Promise<Result<Value, Failure>>()
    let isDone = Flag()
    _ = Task(executorPreference: loop) {
      outcome.fill(await result(of: body))
      isDone.raise()
    }
    loop.run { isDone.isRaised }
    guard let result = outcome.content else { preconditionFailure("the loop ended before its task") }
    return result
  }

  /// Runs an async closure on a pool. Blocks the calling thread, which must not belong to the pool.
  public static func run<Value: Sendable, Failure: Error>(
    on pool: PoolExecutor, _ body: sending @escaping () async throws(Failure) -> Value
  ) -> Result<Value, Failure> {
    let outcome = Monitor<Result<Value, Failure>?>(nil)
    _ = Task(executorPreference: pool) {
      let settled = await result(of: body)
      outcome.changeForAll { $0 = settled }
    }
    return outcome.wait { $0 }
  }

  /// Starts a task on an executor without waiting. The executor must outlive the task.
  @discardableResult
  public static func start<Value: Sendable>(
    on executor: any TaskExecutor, _ body: sending @escaping () async -> Value
  ) -> Task<Value, Never> {
    Task(executorPreference: executor, operation: body)
  }

  /// Starts a throwing task on an executor without waiting. The executor must outlive the task.
  @discardableResult
  public static func start<Value: Sendable>(
    on executor: any TaskExecutor, _ body: sending @escaping () async throws -> Value
  ) -> Task<Value, any Error> {
    Task(executorPreference: executor, operation: body)
  }

  /// Runs long work on a new thread. The calling task waits, and its executor runs other tasks.
  ///
  /// The thread ends with the work, so an idle process has no extra thread. When no thread can be created,
  /// the work runs on the calling thread.
  public static func runOnThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    let done = Promise<Value>()
    do throws(Problem) {
      try thread("stint-work", stack: deepStack) { done.fill(work()) }.detach()
    } catch {
      return work()
    }
    return await done.value()
  }

  /// The stack size for long work in bytes: the usual size for a main thread. Nested expressions need a deep
  /// stack, and on some systems, only the main thread has such a stack by default.
  private static let deepStack = 8 << 20

  /// Starts a thread with `stack` bytes of stack; nil for the system's default.
  ///
  /// The system shows `name` (at most 15 bytes) for the thread, for example in `top -H` and in a debugger.
  static func thread(
    _ name: StaticString, stack: Int? = nil, _ body: @escaping @Sendable () -> Void
  ) throws(Problem) -> SpawnedThread {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stack { pthread_attr_setstacksize(&attributes, stack) }
    let argument = Unmanaged.passRetained(ThreadBody(name, body))
    #if canImport(Darwin)
      var handle: pthread_t?
      let result = pthread_create(&handle, &attributes, { ThreadBody.run($0) }, argument.toOpaque())
    #else
      var handle = pthread_t()
      let result = pthread_create(&handle, &attributes, { ThreadBody.run($0) }, argument.toOpaque())
    #endif
    guard result == 0 else {
      argument.release()
      throw Problem.system("pthread_create", result)
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
