public import StintPluginKit
import StintSystem
public import StintUnits

extension LoopExecutor: PluginLoop {
  /// Calls the action on the loop's thread whenever the descriptor is readable or its peer has closed it.
  public func watchReadable(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void) {
    watch(descriptor, action)
  }

  /// Stops the calls of `watchReadable(_:_:)`. Must be called before the descriptor is closed.
  public func unwatchReadable(_ descriptor: Int32) { unwatch(descriptor) }

  /// Calls the action on the loop's thread after a time span. Returns a function that cancels the call.
  public func call(after span: TimeSpan, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let timer = schedule(at: SystemClock.monotonic() + span, action)
    return { [weak self] in self?.unschedule(timer) }
  }

  /// Runs the action on a new thread. Returns false, without running the action, when the system starts
  /// no thread.
  public func runOnThread(_ action: @escaping @Sendable () -> Void) -> Bool {
    do throws(Problem) {
      try Spawner.thread("stint-work", stack: Self.workerStack, action).detach()
      return true
    } catch {
      return false
    }
  }

  /// The stack size of a thread that starts a process or reads files, in bytes.
  private static let workerStack = 1 << 20
}

extension LoopExecutor {
  /// The loop that runs on the calling thread; nil on other threads.
  static var current: LoopExecutor? {
    guard let pointer = pthread_getspecific(currentKey) else { return nil }
    return Unmanaged<LoopExecutor>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Runs `body` with this loop as the current loop of the calling thread.
  func asCurrent(_ body: () -> Void) {
    let outer = pthread_getspecific(currentKey)
    pthread_setspecific(currentKey, Unmanaged.passUnretained(self).toOpaque())
    body()
    pthread_setspecific(currentKey, outer)
  }
}

/// The thread-specific key under which code on a loop's thread finds the loop.
private let currentKey: pthread_key_t = {
  var key = pthread_key_t()
  let result = pthread_key_create(&key, nil)
  precondition(result == 0, "no thread-specific key is left in this process")
  return key
}()
