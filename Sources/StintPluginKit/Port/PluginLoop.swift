public import StintUnits

/// The functions of the program's event loop that a plugin may use in place of its own thread.
///
/// A plugin gets the loop of its program from `DevicePort.loop`. All actions except those of `runOnThread`
/// run on the thread of the loop. They must not block: while an action runs on this thread, the program does
/// nothing else. The functions may be called from any thread.
public protocol PluginLoop: Sendable {
  /// Calls the action whenever the descriptor is readable or closed at its other end.
  ///
  /// - Precondition: the descriptor is not watched yet.
  func watchReadable(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void)
  /// Stops watching a descriptor. Must be called before the descriptor is closed.
  func unwatchReadable(_ descriptor: Int32)
  /// Calls the action once when the descriptor accepts bytes or is closed at its other end.
  func watchWritable(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void)
  /// Stops `watchWritable`. Must be called before the descriptor is closed.
  func unwatchWritable(_ descriptor: Int32)
  /// Calls the action after `span`. Returns a function that cancels the call.
  func call(after span: TimeSpan, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void
  /// Runs the action on a new thread, because the action may block. The thread ends with the action.
  ///
  /// - Returns: false when the loop cannot start a thread; the action is then not run.
  func runOnThread(_ action: @escaping @Sendable () -> Void) -> Bool
}

extension PluginLoop {
  /// Returns false: by default, a loop starts no threads.
  public func runOnThread(_ action: @escaping @Sendable () -> Void) -> Bool { false }
}
