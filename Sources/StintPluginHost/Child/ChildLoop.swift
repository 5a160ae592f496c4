public import StintUnits

/// The event loop of the program, as far as a plugin's process needs it.
public protocol ChildLoop: Sendable {
  /// Calls the action on the loop's thread whenever the descriptor is readable or closed at its other end.
  func watchReadable(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void)
  /// Stops watching a descriptor; must be called before it is closed.
  func unwatchReadable(_ descriptor: Int32)
  /// Calls the action on the loop's thread after `span`. Returns a function that cancels the call.
  func call(after span: TimeSpan, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}
