public import StintUnits

/// What of a fact can still change a decision while nothing else does.
public enum FactNeed: Hashable, Sendable {
  /// Nothing: whatever its value, another part of every condition that reads it decides.
  case nothing
  /// A value outside this range of base units (truths are 1 and 0, words their index), or none at all.
  case outside(ClosedRange<Double>)
  /// Every other value.
  case change
  /// Every value, also the same again.
  case everything

  /// Whether some value of it could change something.
  public var isNeeded: Bool { self != .nothing }

  /// What is needed where both are.
  func joined(_ other: FactNeed) -> FactNeed {
    switch (self, other) {
    case (.nothing, let need), (let need, .nothing): return need
    case (.everything, _), (_, .everything): return .everything
    case (.change, _), (_, .change): return .change
    case (.outside(let first), .outside(let second)):
      let low = max(first.lowerBound, second.lowerBound)
      let high = min(first.upperBound, second.upperBound)
      return low <= high ? .outside(low...high) : .change
    }
  }

  /// How long a fact that had this value cannot matter, where it moves no faster than `steepest` base units a second;
  /// nil for ever.
  public func quietTime(from value: Double, steepest: Double) -> TimeSpan? {
    switch self {
    case .nothing: return nil
    case .change, .everything: return .zero
    case .outside(let quiet):
      guard quiet.contains(value), steepest > 0 else { return quiet.contains(value) ? nil : .zero }
      let distance = min(value - quiet.lowerBound, quiet.upperBound - value)
      let seconds = distance / steepest
      return seconds < 1e9 ? TimeSpan(seconds: seconds) : nil
    }
  }
}
