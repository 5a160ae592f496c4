public import StintUnits

/// The instant until which the end of a run waits for files, together for all files.
///
/// The devices are off before this wait begins. A file on a disk that does not answer takes the time of the
/// later files, so each file still has `shortest` to answer.
public struct EndDeadline: Sendable {
  /// The time for all files: 10 s.
  public static let timeLimit = TimeSpan.seconds(10)
  /// The time that a file has after the deadline: 200 ms.
  public static let shortest = TimeSpan.milliseconds(200)

  private let end: MonotonicInstant

  /// Makes the deadline that ends `limit` after the present time.
  public init(after limit: TimeSpan = timeLimit) { end = SystemClock.monotonic() + limit }

  /// The time that the next file has to answer.
  public var remaining: TimeSpan { max(end - SystemClock.monotonic(), Self.shortest) }
}
