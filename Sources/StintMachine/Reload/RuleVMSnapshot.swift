public import StintModel
public import StintUnits

/// The saved state of a VM except its facts. Each entry is identified by its rule or by the key of its slot.
/// The state is used for reports and to survive a restart.
public struct RuleVMSnapshot: Hashable, Sendable {
  /// The state of a temporal operator.
  public struct Slot: Hashable, Sendable {
    /// The key of the slot.
    public var key: SlotKey
    /// Latch (a comparison with a `release`): whether it is closed, that is, true. `in last`: whether the
    /// operand was true at the last evaluation.
    public var isClosed = false
    /// `for`: the instant since which the operand is true. `in last`: the instant at which the operand was
    /// last true.
    public var since: Instant?
    /// `for`: the instant since which the operand is unknown, within the tolerated time.
    public var gap: Instant?
    /// Window: the instants of its samples, oldest first.
    public var instants: [Instant] = []
    /// Window: the values of its samples, one for each instant.
    public var values: [Double] = []

    /// Creates an entry without state.
    public init(key: SlotKey) { self.key = key }
  }

  /// The state of a rule.
  public struct Rule: Hashable, Sendable {
    /// The identifier of the rule.
    public var id: RuleID
    /// The structure of the rule's trigger as a string, see `ImageRule.structure`.
    public var structure: String
    /// The result of the condition at its last evaluation.
    public var truth = Truth.no
    /// True when the rule is active.
    public var isActive = false
    /// The instant of the last action of a `when` rule; nil when the rule has not acted.
    public var lastFired: Instant?
    /// The end of the present period; nil for a rule without a period.
    public var nextPeriod: Instant?
    /// The state of each directive of the rule.
    public var runs: [Run] = []

    /// Creates an entry without state.
    public init(id: RuleID, structure: String) {
      self.id = id
      self.structure = structure
    }
  }

  /// The state of a directive.
  public struct Run: Hashable, Sendable {
    /// True when the directive is in force.
    public var isInForce = false
    /// The instant at which the directive expires; nil when it does not expire.
    public var end: Instant?
    /// The number of activations since the count last restarted at 0.
    public var count = 0
    /// The end of the last run; nil before the first end.
    public var lastEnd: Instant?

    /// Creates an entry without state.
    public init() {}
  }

  /// The temporal operators, in the order of the image.
  public var slots: [Slot] = []
  /// The rules, in the order of the image.
  public var rules: [Rule] = []

  /// Creates a saved state without entries.
  public init() {}
}

extension RuleVM {
  /// The state of the VM except its facts.
  public var memory: RuleVMSnapshot {
    var memory = RuleVMSnapshot()
    memory.slots = zip(image.slots, slots).map { entry, state in
      var slot = RuleVMSnapshot.Slot(key: entry.key)
      slot.isClosed = state.isClosed
      slot.since = state.since
      slot.gap = state.gap
      (slot.instants, slot.values) = state.window.content
      return slot
    }
    memory.rules = image.rules.enumerated().map { number, entry in
      let state = rules[number]
      var rule = RuleVMSnapshot.Rule(id: entry.id, structure: entry.structure)
      rule.truth = truth(of: number)
      rule.isActive = isActive(rule: number)
      rule.lastFired = state.lastFired
      rule.nextPeriod = state.nextPeriod == .distantFuture ? nil : state.nextPeriod
      rule.runs = entry.directives.map { place in
        var run = RuleVMSnapshot.Run()
        run.isInForce = runs[place].isInForce
        run.end = runs[place].end == .distantFuture ? nil : runs[place].end
        run.count = runs[place].count
        run.lastEnd = runs[place].lastEnd
        return run
      }
      return rule
    }
    return memory
  }
}
