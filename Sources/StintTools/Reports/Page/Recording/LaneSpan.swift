import StintUnits

/// A period of one lane of the report page. The period shows a device in a state for one cause, a priced
/// event, a rule in force, or a wake-up.
struct LaneSpan: Hashable, Sendable {
  var start: Instant
  var end: Instant
  /// The index of the device state or of the event; zero in lanes with only one kind.
  var kind: Int
  /// The kind to draw: among the merged kinds, the kind with the highest power or energy.
  var peak: Int
  /// The index of the cause in `CauseTable`.
  var cause: Int
  var energy: Energy
  /// The number of spans or simultaneous events that this span represents.
  var count: Int
  /// The time by which spans with `kind` and `cause` outweigh the other merged spans. It is the counter of a
  /// majority vote weighted by time.
  private var weight: TimeSpan

  /// Creates a span that is not merged.
  init(
    start: Instant, end: Instant, kind: Int = 0, cause: Int = 0, energy: Energy = .zero, count: Int = 1
  ) {
    self.start = start
    self.end = end
    self.kind = kind
    peak = kind
    self.cause = cause
    self.energy = energy
    self.count = count
    weight = end - start
  }

  var length: TimeSpan { end - start }

  /// Merges the following span. The kind and the cause with more weight are kept.
  mutating func merge(_ next: LaneSpan, hasHigherRank: (Int, Int) -> Bool) {
    end = next.end
    energy += next.energy
    count += next.count
    if hasHigherRank(next.peak, peak) { peak = next.peak }
    if next.kind == kind, next.cause == cause {
      weight += next.weight
    } else if next.weight > weight {
      (kind, cause, weight) = (next.kind, next.cause, next.weight - weight)
    } else {
      weight = weight - next.weight
    }
  }
}
