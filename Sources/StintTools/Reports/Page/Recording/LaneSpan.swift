import StintUnits

/// A stretch of one lane of the report page: a device in a state for one reason, a rule in force, a wake-up.
struct LaneSpan: Hashable, Sendable {
  var start: Instant
  var end: Instant
  /// What it was: an index of a state or of an event, zero where a lane has one kind only.
  var kind: Int
  /// The kind to draw: of all that were merged the one that draws most.
  var peak: Int
  /// A number that `CauseTable` gave out.
  var cause: Int
  var energy: Energy
  /// How many stretches were merged into it.
  var count: Int
  /// How much longer `kind` lasted than everything else that was merged.
  private var weight: TimeSpan

  /// One stretch as it was.
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

  /// Takes in the stretch that follows; what lasted longer gives the kind and the cause.
  mutating func merge(_ next: LaneSpan, isDearer: (Int, Int) -> Bool) {
    end = next.end
    energy += next.energy
    count += next.count
    if isDearer(next.peak, peak) { peak = next.peak }
    if next.kind == kind, next.cause == cause {
      weight += next.weight
    } else if next.weight > weight {
      (kind, cause, weight) = (next.kind, next.cause, next.weight - weight)
    } else {
      weight = weight - next.weight
    }
  }
}
