import StintSystem

/// A detached thread that a plugin owns, for calls that block in the system.
public final class PluginThread: Sendable {
  private let body: @Sendable () -> Void

  private init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// Starts a thread that runs `body` once. Returns false when the system cannot start a thread.
  public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let argument = Unmanaged.passRetained(PluginThread(body))
    #if canImport(Darwin)
      var handle: pthread_t?
      let result = pthread_create(&handle, nil, { PluginThread.run($0) }, argument.toOpaque())
      if result == 0, let handle { pthread_detach(handle) }
    #else
      var handle = pthread_t()
      let result = pthread_create(&handle, nil, { PluginThread.run($0) }, argument.toOpaque())
      if result == 0 { pthread_detach(handle) }
    #endif
    if result != 0 { argument.release() }
    return result == 0
  }

  private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<PluginThread>.fromOpaque(argument).takeRetainedValue().body() }
    return nil
  }
}
