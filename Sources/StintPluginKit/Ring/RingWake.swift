/// The descriptors of a pipe through which one side of a ring wakes the other.
///
/// The process that makes the pipe has both ends. The other process receives only its own end, which is then
/// the value of both properties.
///
/// An event counter (`eventfd`) would be unsafe: both sides would share one descriptor and its non-blocking
/// flag. A plugin that clears the flag could block the daemon forever.
struct RingWake: Hashable, Sendable {
  /// The descriptor to poll: readable when the other side has written a wake-up.
  var wait: Int32
  /// The descriptor to write to, which wakes the other side.
  var raise: Int32

  /// Both descriptors, or one descriptor when they are equal.
  var descriptors: [Int32] { wait == raise ? [wait] : [wait, raise] }
}
