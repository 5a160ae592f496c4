public import StintUnits

/// The functions of the program's event loop that a plugin's process needs.
public protocol ChildLoop: Sendable {
  /// Calls the action on the loop's thread whenever the descriptor is readable or closed at its other end.
  func watchReadable(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void)
  /// Stops watching a descriptor. Must be called before the descriptor is closed.
  func unwatchReadable(_ descriptor: Int32)
  /// Calls the action on the loop's thread after `span`. Returns a function that cancels the call.
  func call(after span: TimeSpan, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}
