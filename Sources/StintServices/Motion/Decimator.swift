import StintModel
import StintUnits

/// Picks a slower stream out of a faster one: of a grid at its own interval, for each point the first sample that is
/// not before it. So the count is right in the long run, and no pick is later than one fast period.
struct Decimator: Hashable, Sendable {
  private var next: Instant?

  /// The samples that the slower stream has.
  mutating func pick(_ samples: [Sample], every interval: TimeSpan) -> [Sample] {
    var picked: [Sample] = []
    for sample in samples {
      let due = next ?? sample.instant
      guard sample.instant >= due else { continue }
      picked.append(sample)
      let after = due + interval
      // After a gap, or from a device that is slower than asked, the grid restarts at this sample.
      next = after > sample.instant ? after : sample.instant + interval
    }
    return picked
  }

  /// Restarts the grid with the next sample.
  mutating func restart() { next = nil }
}
