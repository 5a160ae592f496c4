public import StintUnits

/// How often and when work that failed for now is tried again: each wait twice the one before, and a part of it less
/// where many would otherwise come back at once.
public struct RetryPlan: Hashable, Sendable {
  public var first: TimeSpan
  public var cap: TimeSpan
  /// How many times at most.
  public var limit: Int
  /// How much shorter than that a wait may be, as a part of it: 0 for none, at most 0.5.
  public var jitter: Double
  /// What tells this installation from others; all chance comes from it.
  public var seed: UInt64

  /// The most that a wait may be shortened by.
  public static let mostJitter = 0.5

  /// Makes a plan: half a minute, doubling up to an hour, eight times, none of it left to chance, unless said
  /// otherwise.
  public init(
    first: TimeSpan = .seconds(30), cap: TimeSpan = .hours(1), limit: Int = 8, jitter: Double = 0,
    seed: UInt64 = 0
  ) {
    self.first = first
    self.cap = cap
    self.limit = limit
    self.jitter = jitter
    self.seed = seed
  }

  /// How long to wait after the given number of failures of a task; nil when that was the last try.
  ///
  /// With jitter the waits of one task are the same in every run, and those of many tasks or installations lie evenly
  /// between the least and the most that they may be.
  func wait(after failures: Int, of task: String) -> TimeSpan? {
    guard failures >= 1, failures <= limit else { return nil }
    let longest = failures > 40 ? cap : first.times(1 << (failures - 1), capped: cap)
    guard jitter > 0 else { return longest }
    let part = chance(task, failures) * min(jitter, Self.mostJitter)
    let less = Int64(exactly: (Double(longest.nanoseconds) * part).rounded(.towardZero)) ?? .max
    return longest - TimeSpan(nanoseconds: less)
  }

  /// What is wrong with it; nil when nothing is.
  var objection: String? {
    if first <= .zero || limit < 0 {
      return "retries need a wait longer than nothing, and at least none of them"
    }
    return (0...Self.mostJitter).contains(jitter)
      ? nil : "jitter lies between 0 and \(Self.mostJitter), not at \(jitter)"
  }

  /// A number from 0 up to 1, the same for the same task and try: FNV-1a over its bytes, then SplitMix64's last steps.
  private func chance(_ task: String, _ failures: Int) -> Double {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in task.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash ^= seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(clamping: failures)
    hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
    return Double((hash ^ hash >> 31) >> 11) * 0x1p-53
  }
}
