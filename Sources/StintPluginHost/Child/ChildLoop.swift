public import StintUnits

/// What a plugin's process needs of the one loop on which a program waits.
public protocol ChildLoop: Sendable {
  /// Calls the action on the loop's thread whenever the descriptor is readable or closed at its other end.
  func watchReadable(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void)
  /// Stops watching; to be called before the descriptor is closed.
  func unwatchReadable(_ descriptor: Int32)
  /// Calls the action on the loop's thread once so much time has passed; what is returned takes it back.
  func call(after span: TimeSpan, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}
