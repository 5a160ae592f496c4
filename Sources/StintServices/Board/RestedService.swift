import StintUnits

/// What a service of a rule remembered before a restart, waiting for the rule to have it run again.
struct RestedService: Hashable, Sendable {
  let kind: String
  let memory: MemoryValue
  /// Since when no rule has run it.
  let since: Instant

  /// How long it waits: a rule that has not wanted it for so long does not miss it.
  static let longest = TimeSpan.hours(7 * 24)
}
