/// How one end of a ring wakes the other: a pipe whose ends each side keeps to itself.
///
/// An event counter would be one descriptor for both, with one flag for both that says whether it blocks: a plugin that
/// clears it could have the daemon wait for ever.
struct RingWake: Hashable, Sendable {
  /// Readable when the other end wants attention.
  var wait: Int32
  /// Written to, to get attention.
  var raise: Int32

  /// Each descriptor once.
  var descriptors: [Int32] { wait == raise ? [wait] : [wait, raise] }
}
