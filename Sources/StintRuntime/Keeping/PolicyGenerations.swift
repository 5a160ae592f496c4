public import StintUnits

/// The policies in force and those before them, the last good ones of each: what a rollback goes back to.
public struct PolicyGenerations: Hashable, Sendable {
  /// How many former generations are kept.
  public static let most = 10

  public private(set) var current: PolicyGeneration?
  /// Oldest first, `most` at most.
  public private(set) var earlier: [PolicyGeneration]

  /// Starts with these.
  public init(current: PolicyGeneration? = nil, earlier: [PolicyGeneration] = []) {
    self.current = current
    self.earlier = Array(earlier.suffix(Self.most))
  }

  /// Notes that other policies are in force; the same texts again are no new generation.
  public mutating func enter(_ generation: PolicyGeneration) {
    guard generation.policies != current?.policies else { return }
    if let current { earlier = Array((earlier + [current]).suffix(Self.most)) }
    current = generation
  }

  /// What a rollback would go back to.
  public var previous: PolicyGeneration? { earlier.last }

  /// Notes that the generation before is in force again; the one that was is forgotten.
  public mutating func rollBack(at instant: Instant) {
    guard var last = earlier.popLast() else { return }
    last.origin = .rollback
    last.since = instant
    current = last
  }
}
