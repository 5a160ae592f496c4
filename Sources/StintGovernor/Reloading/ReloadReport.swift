/// The migration results of all state in a reload.
public struct ReloadReport: Hashable, Sendable {
  /// All pieces of state of the former policies: first the state of rules, then the state of computed facts.
  public var entries: [Entry] = []

  /// Creates a report.
  public init(entries: [Entry] = []) { self.entries = entries }

  /// The kind of expression or object that has a piece of state.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A `for`, an `in last`, an `every`, an `at most`, or the end of a directive.
    case timer
    /// A comparison with a `release`.
    case latch
    /// A statistic over a time window, or the wake-ups of the last hour.
    case window
    /// The energy that devices consumed in a period.
    case budget
    /// The number of activations of a directive with a doubling duration.
    case doubling
    /// The state of a state machine.
    case machine
    /// Whether the host is in a zone.
    case zone
  }

  /// The result of the migration of a piece of state.
  public enum MigrationResult: Hashable, Sendable {
    /// The state was kept.
    case kept
    /// The state was kept under a new name. The name belongs to the rule, budget, state machine or zone that
    /// owns the state now.
    case moved(to: String)
    /// The owner still exists, but its expression or definition changed. The state starts again.
    case reset
    /// The owner no longer exists, or it no longer has similar state.
    case dropped

    /// The result as a word: `kept`, `moved`, `reset` or `dropped`.
    public var name: String {
      switch self {
      case .kept: "kept"
      case .moved: "moved"
      case .reset: "reset"
      case .dropped: "dropped"
      }
    }
  }

  /// One piece of state.
  public struct Entry: Hashable, Sendable {
    /// The kind of expression or object that has the state.
    public var kind: Kind
    /// The rule, budget, state machine or zone that owned the state: `hiking/still`.
    public var owner: String
    /// The expression to which the state belongs.
    public var expression: String
    /// The range of the expression in the file of the former policy, in UTF-8 offsets. Nil for state outside
    /// of conditions.
    public var place: Range<Int>?
    /// The range of the same expression in the file of the new policy, in UTF-8 offsets. Nil for state that
    /// was not kept, and in a report with source texts, where `newExpression` has the text.
    public var newPlace: Range<Int>?
    /// The expression in the new policies; nil when it is equal or the state was not kept.
    public var newExpression: String?
    /// The durations of a kept expression before and after the reload, as text: `4 min, now 7 min`. Nil when
    /// they are equal. The text of the expression can be equal, because it may name a `param` or a `let`.
    public var changedSpan: String?
    /// The value of the state at the reload, as text: `true for 3 min`, `closed`, `is riding`.
    public var value: String
    /// The result of the migration.
    public var migration: MigrationResult

    /// Creates an entry.
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

    /// Returns the text for reports: the expression, and the new expression or duration if it has changed.
    ///
    /// - Parameter length: the maximum number of characters of each of the two expressions.
    public func fullExpression(upTo length: Int = .max) -> String {
      func cut(_ text: String) -> String { text.count <= length ? text : text.prefix(length - 1) + "…" }
      if let newExpression { return "\(cut(expression)), now \(cut(newExpression))" }
      return cut(expression) + (changedSpan.map { " (\($0))" } ?? "")
    }
  }

  /// Returns the number of entries with a migration result, given by its name.
  public func count(_ migration: String) -> Int { entries.count { $0.migration.name == migration } }

  /// The counts as text: `11 kept, 1 moved, 2 reset, 1 dropped`. Results with a count of 0 are omitted.
  public var summary: String {
    let parts = ["kept", "moved", "reset", "dropped"].compactMap { name in
      count(name) == 0 ? nil : "\(count(name)) \(name)"
    }
    return parts.isEmpty ? "no state to keep" : parts.joined(separator: ", ")
  }
}
