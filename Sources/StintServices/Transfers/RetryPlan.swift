import StintModel
public import StintUnits

/// When and how often failed work is retried.
///
/// Each wait is twice the previous wait, up to `cap`. Jitter shortens the waits, so that many clients do not
/// retry at the same instant.
public struct RetryPlan: Hashable, Sendable, Codable {
  /// The wait before the first retry.
  public var first: Duration
  /// The longest wait.
  public var cap: Duration
  /// The largest number of retries.
  public var limit: Int
  /// The largest share by which a wait may be shortened, from 0 to 0.5. With 0, no wait is shortened.
  public var jitter: Double
  /// A number that differs between installations. The jitter of a wait is computed from this number, the task
  /// and the number of failures.
  public var seed: UInt64

  /// The largest valid jitter.
  public static let maxJitter = 0.5

  /// Makes a plan. By default, waits double from half a minute up to an hour, with eight retries and
  /// without jitter.
  public init(
    first: Duration = .seconds(30), cap: Duration = .hours(1), limit: Int = 8, jitter: Double = 0,
    seed: UInt64 = 0
  ) {
    self.first = first
    self.cap = cap
    self.limit = limit
    self.jitter = jitter
    self.seed = seed
  }

  /// Returns the wait after a number of failures of a task; nil after the last retry.
  ///
  /// With jitter, a task has the same waits in every run. The waits of many tasks or installations are
  /// uniformly distributed over the possible range.
  func wait(after failures: Int, of task: String) -> TimeSpan? {
    guard failures >= 1, failures <= limit else { return nil }
    let cap = cap.timeSpan
    let longest = failures > 40 ? cap : first.timeSpan.times(1 << (failures - 1), capped: cap)
    guard jitter > 0 else { return longest }
    let part = chance(task, failures) * min(jitter, Self.maxJitter)
    let less = Int64(exactly: (Double(longest.nanoseconds) * part).rounded(.towardZero)) ?? .max
    return longest - TimeSpan(nanoseconds: less)
  }

  /// The reason to reject the plan; nil when it is valid.
  var rejectionReason: String? {
    if let reason = InputBounds.rejectionReason(for: first, "the first wait", .period) { return reason }
    if let reason = InputBounds.rejectionReason(for: cap, "the longest wait", .delay) { return reason }
    if limit < 0 { return "expected a number of retries of 0 or more, found \(limit)" }
    return (0...Self.maxJitter).contains(jitter)
      ? nil : "expected a jitter from 0 to \(Self.maxJitter), found \(jitter)"
  }

  /// Returns a number in 0..<1 that depends only on the task, the number of failures and the seed. It is
  /// computed by FNV-1a over the bytes, then by the final steps of SplitMix64.
  private func chance(_ task: String, _ failures: Int) -> Double {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in task.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash ^= seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(clamping: failures)
    hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
    return Double((hash ^ hash >> 31) >> 11) * 0x1p-53
  }
}
