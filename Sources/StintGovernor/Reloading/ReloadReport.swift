/// What became of each piece of state when policies were put in force in place of others.
public struct ReloadReport: Hashable, Sendable {
  /// Every piece of state that there was, in the order of the former policies.
  public var entries: [Entry] = []

  /// Makes a report.
  public init(entries: [Entry] = []) { self.entries = entries }

  /// What a piece of state was for.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A `for`, an `in last`, an `every`, an `at most`, or the end of a directive.
    case timer
    /// A comparison with a `release`.
    case latch
    /// A statistic over the last minutes, or wake-ups of the last hour.
    case window
    /// What devices drew in a period.
    case budget
    /// How often a directive ran, each time for longer.
    case doubling
    /// The state of a machine.
    case machine
    /// Whether the phone is in a zone.
    case zone
  }

  /// What became of it.
  public enum MigrationResult: Hashable, Sendable {
    /// It goes on.
    case kept
    /// It goes on under another name: that of the rule, budget, machine or zone that owns it now.
    case moved(to: String)
    /// Its owner is still there, but says something else: it begins again.
    case reset
    /// Its owner is gone.
    case dropped

    /// `kept`, `moved`, `reset` or `dropped`.
    public var name: String {
      switch self {
      case .kept: "kept"
      case .moved: "moved"
      case .reset: "reset"
      case .dropped: "dropped"
      }
    }

    /// Whether the state is still there.
    public var isAlive: Bool {
      switch self {
      case .kept, .moved: true
      case .reset, .dropped: false
      }
    }
  }

  /// One piece of state.
  public struct Entry: Hashable, Sendable {
    public var kind: Kind
    /// The rule, budget, machine or zone that owned it: `hiking/still`.
    public var owner: String
    /// The expression that it belongs to.
    public var expression: String
    /// Where that stands in the file of the former policy, in UTF-8 offsets; nil for what is named by its owner.
    public var place: Range<Int>?
    /// What it was worth when the others came into force, as `true since`, `closed`, `is riding`.
    public var value: String
    public var migration: MigrationResult

    /// Makes an entry.
    public init(
      kind: Kind, owner: String, expression: String, place: Range<Int>? = nil, value: String,
      migration: MigrationResult
    ) {
      self.kind = kind
      self.owner = owner
      self.expression = expression
      self.place = place
      self.value = value
      self.migration = migration
    }
  }

  /// How many pieces of state had a fate, by its name.
  public func count(_ migration: String) -> Int { entries.count { $0.migration.name == migration } }

  /// `11 kept, 1 moved, 2 reset, 1 dropped`; fates that nothing had are left out.
  public var summary: String {
    let parts = ["kept", "moved", "reset", "dropped"].compactMap { name in
      count(name) == 0 ? nil : "\(count(name)) \(name)"
    }
    return parts.isEmpty ? "no state to keep" : parts.joined(separator: ", ")
  }
}
