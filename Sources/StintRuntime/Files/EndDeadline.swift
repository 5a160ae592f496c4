public import StintUnits

/// The common deadline for all files that a run writes or removes at its end.
///
/// The devices are off before the run waits for files. One file on a disk that does not respond can use all
/// of the time. So each later file still gets at least `shortest`.
public struct EndDeadline: Sendable {
  /// The time for all files: 10 s.
  public static let timeLimit = TimeSpan.seconds(10)
  /// The minimum time for each file, also after the deadline: 200 ms.
  public static let shortest = TimeSpan.milliseconds(200)

  private let end: MonotonicInstant

  /// Makes the deadline that ends `limit` after the present time.
  public init(after limit: TimeSpan = timeLimit) { end = SystemClock.monotonic() + limit }

  /// The time limit for the access to the next file.
  public var remaining: TimeSpan { max(end - SystemClock.monotonic(), Self.shortest) }
}
