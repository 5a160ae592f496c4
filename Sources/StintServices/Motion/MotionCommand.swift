public import StintUnits

/// What a client tells a stream of motion.
public enum MotionCommand: ServiceCommand, Hashable {
  /// Asks for the latest sample; answered with `MotionNotice.latest`.
  case read
  /// Another interval, from the next sample on.
  case interval(TimeSpan)
  /// The client is through with what it was handed.
  case handled
  /// Ends the samples and gives the part up; what was read last stays readable. Stopping twice is stopping once.
  case stop
  /// The client's receiver is gone, and the client did not stop the stream.
  case receiverGone
}
