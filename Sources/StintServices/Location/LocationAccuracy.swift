/// The ladder of accuracies: larger is cheaper.
public enum LocationAccuracy: Int, Hashable, Sendable, CaseIterable, Comparable {
  case best = 5
  case tenMetres = 10
  case hundredMetres = 100
  case kilometre = 1000
  case threeKilometres = 3000

  /// The rung for a 95 % radius in metres: between two rungs the finer; nil where no radius can be meant.
  public init?(metres: Double) {
    guard metres.isFinite, metres > 0 else { return nil }
    self = Self.allCases.last { Double($0.rawValue) <= metres } ?? .best
  }

  public var metres: Double { Double(rawValue) }

  /// Whether only a satellite receiver answers for it.
  public var needsReceiver: Bool { self <= .tenMetres }

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
