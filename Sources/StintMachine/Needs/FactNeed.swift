public import StintUnits

/// The values of a fact that can still change a decision while all other facts stay constant.
public enum FactNeed: Hashable, Sendable {
  /// No value: in every condition that reads the fact, another operand determines the result.
  case nothing
  /// Values outside this range in base units, and the change of the fact to unknown. True is 1, false is 0,
  /// and a symbol is its index.
  case outside(ClosedRange<Double>)
  /// Every value that differs from the present value.
  case change
  /// Every published value, even a value that is equal to the present value.
  case everything

  /// True when at least one value can change a decision.
  public var isNeeded: Bool { self != .nothing }

  /// Returns the least need that includes all values of this need and of `other`.
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

  /// Returns the time for which a fact with this value cannot change a decision. Nil when the time is
  /// unlimited, or 10⁹ s or more.
  ///
  /// - Parameters:
  ///   - value: the present value of the fact, in base units.
  ///   - maxRate: the largest rate of change of the fact, in base units per second.
  public func timeWithoutEffect(from value: Double, maxRate: Double) -> TimeSpan? {
    switch self {
    case .nothing: return nil
    case .change, .everything: return .zero
    case .outside(let quiet):
      guard quiet.contains(value), maxRate > 0 else { return quiet.contains(value) ? nil : .zero }
      let distance = min(value - quiet.lowerBound, quiet.upperBound - value)
      let seconds = distance / maxRate
      return seconds < 1e9 ? TimeSpan(seconds: seconds) : nil
    }
  }
}
