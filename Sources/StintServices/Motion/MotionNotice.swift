public import StintModel
public import StintUnits

/// What a stream of motion tells its client.
public enum MotionNotice: ServiceNotice, Hashable {
  /// Samples of this stream, oldest first, at its own interval.
  case samples([Sample])
  /// The latest sample, nil before the first; stale when the stream was stopped since.
  case latest(Sample?, isStale: Bool)
  /// The part cannot go, or is not let go, at the interval that was asked for, but at this one.
  case interval(asked: TimeSpan, given: TimeSpan)
  /// A likely mistake, with its code.
  case warning(String, String)
}
