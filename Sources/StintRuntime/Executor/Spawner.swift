import StintPluginKit
import StintUnits

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
    let outcome = Promise<Result<Value, Failure>>()
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

  /// Runs long work on a thread of its own while the calling task waits and its executor goes on with others.
  ///
  /// The thread lives as long as the work, so an idle process has none. Where the system has no thread left, the work
  /// runs on the calling one.
  public static func runOnThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    let done = Promise<Value>()
    do throws(Problem) {
      try thread(stack: deepStack) { done.fill(work()) }.detach()
    } catch {
      return work()
    }
    return await done.value()
  }

  /// As much as a main thread has: expressions nest deep, and some systems give other threads little.
  private static let deepStack = 8 << 20

  /// Starts a thread, with `stack` bytes of stack or the system's default.
  static func thread(
    stack: Int? = nil, _ body: @escaping @Sendable () -> Void
  ) throws(Problem) -> SpawnedThread {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stack { pthread_attr_setstacksize(&attributes, stack) }
    let argument = Unmanaged.passRetained(ThreadBody(body))
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
