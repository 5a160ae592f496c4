public import StintUnits

/// The bounds of one connection. A message or a queue beyond a bound causes an error.
///
/// The bus itself also limits the size of a message; the limit of the system bus is usually 32 MiB.
public struct DBusLimits: Hashable, Sendable {
  /// The largest depth of a value in a received message. A value directly in the body has the depth 1.
  public var depth = 32
  /// The largest number of values in a received message, in all its containers together.
  public var values = 65_536
  /// The largest number of bytes in all strings and byte arrays of a received message.
  public var bytes = 1 << 20
  /// The largest number of calls that wait for an answer. Calls of this program and calls of other programs
  /// are counted separately.
  public var calls = 1024
  /// The longest delay between two attempts to connect to a lost bus.
  public var longestRetry = TimeSpan.seconds(60)

  /// Makes the standard bounds.
  public init() {}
}
