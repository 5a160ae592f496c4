#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How much of the tests a run of them does: in minutes, before a change is taken, or in hours.
///
/// The environment variable `STINT_TIER` chooses it. A test whose meaning is lost at a small size takes the trait
/// `.enabled(if: Tier.current >= .gate)`.
public enum Tier: String, CaseIterable, Comparable, Sendable {
  /// What `swift test` runs: each property a few times, in a debug build.
  case unit
  /// What `.ci/run` runs, built for release.
  case gate
  /// What `.ci/long` runs: each property as often as its test says.
  case long

  /// The tier of this run of the tests; `unit` when `STINT_TIER` is unset or empty.
  public static let current: Tier = {
    let name = getenv("STINT_TIER").map { String(cString: $0) } ?? ""
    if name.isEmpty { return .unit }
    guard let tier = Tier(rawValue: name) else {
      preconditionFailure("STINT_TIER is unit, gate or long, not “\(name)”")
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

/// How often a test repeats a property: all of its rounds in the long tier, a tenth in the gate, a hundredth in the
/// unit tier.
///
/// The smaller tiers run the first rounds of the long tier, so that a seed that fails in one fails in all above it.
/// A fraction below `fewest` is raised to it, because a handful of rounds finds what is broken for every seed.
public struct Trials: Sendable {
  /// How many rounds this run does; at least one.
  public let count: Int
  private let full: Int

  /// Scales a number of rounds; it must be positive.
  public init(_ full: Int, fewest: Int = 10, in tier: Tier = .current) {
    precondition(full > 0 && fewest > 0, "a test has at least one round")
    let scaled =
      switch tier {
      case .unit: full / 100
      case .gate: full / 10
      case .long: full
      }
    count = min(full, max(scaled, fewest))
    self.full = full
  }

  /// The part of a total over all rounds that these rounds have to reach.
  public func share(of total: Int) -> Int { total * count / full }

  /// The rounds by number, from 0.
  public var rounds: Range<Int> { 0..<count }

  /// One seed a round, from 0.
  public var seeds: Range<UInt64> { 0..<UInt64(count) }
}
