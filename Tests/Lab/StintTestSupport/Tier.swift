#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The extent of a test run: `unit` takes minutes, `gate` checks a change before it is accepted, `long` takes
/// hours.
///
/// The environment variable `STINT_TIER` selects the tier. A test that is meaningless at a small size has the
/// trait `.enabled(if: Tier.current >= .gate)`.
public enum Tier: String, CaseIterable, Comparable, Sendable {
  /// The tier of `swift test`: a few rounds of each property, in a debug build.
  case unit
  /// The tier of the acceptance tests in `.ci/run`, in a release build.
  case gate
  /// The tier of `.ci/long`: all rounds of each property.
  case long

  /// The tier of this test run; `unit` when `STINT_TIER` is unset or empty.
  public static let current: Tier = {
    let name = getenv("STINT_TIER").map { String(cString: $0) } ?? ""
    if name.isEmpty { return .unit }
    guard let tier = Tier(rawValue: name) else {
      preconditionFailure("STINT_TIER must be unit, gate or long, not “\(name)”")
    }
    return tier
  }()

  public static func < (one: Tier, other: Tier) -> Bool { one.rank < other.rank }

  private var rank: Int {
    switch self {
    case .unit: 0
    case .gate: 1
    case .long: 2
    }
  }
}

/// The number of rounds of a property test in a tier. The long tier runs all rounds, the gate tier runs a
/// tenth of them, and the unit tier runs a hundredth of them.
///
/// The smaller tiers run the first rounds of the long tier, so a seed that fails in one tier also fails in
/// all larger tiers. At least `fewest` rounds run, or all rounds if there are fewer: a few rounds are enough
/// to detect a property that fails for every seed.
public struct Trials: Sendable {
  /// The number of rounds in this run; at least one.
  public let count: Int
  private let full: Int

  /// Scales `full` rounds, a positive number, to a tier. At least `fewest` rounds run, or all if there are
  /// fewer.
  public init(_ full: Int, fewest: Int = 10, in tier: Tier = .current) {
    precondition(full > 0 && fewest > 0, "a test needs at least one round")
    let scaled =
      switch tier {
      case .unit: full / 100
      case .gate: full / 10
      case .long: full
      }
    count = min(full, max(scaled, fewest))
    self.full = full
  }

  /// Returns the count that is expected in these rounds, when `total` is expected in all rounds.
  public func share(of total: Int) -> Int { total * count / full }

  /// The numbers of the rounds, starting at 0.
  public var rounds: Range<Int> { 0..<count }

  /// One seed for each round, starting at 0.
  public var seeds: Range<UInt64> { 0..<UInt64(count) }
}
