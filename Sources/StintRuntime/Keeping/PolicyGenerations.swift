public import StintUnits

/// The policies in force and previous policies, to which a rollback returns.
public struct PolicyGenerations: Hashable, Sendable {
  /// The maximum number of previous generations.
  public static let most = 10

  /// The policies in force; nil before the first policies come into force.
  public private(set) var current: PolicyGeneration?
  /// The previous generations, oldest first; at most `most`.
  public private(set) var earlier: [PolicyGeneration]

  /// Creates a history.
  public init(current: PolicyGeneration? = nil, earlier: [PolicyGeneration] = []) {
    self.current = current
    self.earlier = Array(earlier.suffix(Self.most))
  }

  /// Adds the policies that came into force. Policies with unchanged texts are not a new generation.
  public mutating func enter(_ generation: PolicyGeneration) {
    guard generation.policies != current?.policies else { return }
    if let current { earlier = Array((earlier + [current]).suffix(Self.most)) }
    current = generation
  }

  /// Adds policies that come into force. For the origin `rollback`, returns to the previous
  /// generation instead.
  public mutating func note(
    _ policies: [JournalPolicy], _ origin: PolicyGeneration.Origin, at instant: Instant
  ) {
    guard origin != .rollback else { return rollBack(at: instant) }
    enter(PolicyGeneration(policies: policies, origin: origin, since: instant))
  }

  /// The generation to which a rollback returns; nil when there is no previous generation.
  public var previous: PolicyGeneration? { earlier.last }

  /// Makes the previous generation current. The generation that was current is removed. Does nothing without
  /// a previous generation.
  public mutating func rollBack(at instant: Instant) {
    guard var last = earlier.popLast() else { return }
    last.origin = .rollback
    last.since = instant
    current = last
  }
}
