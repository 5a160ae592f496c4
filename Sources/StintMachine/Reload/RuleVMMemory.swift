public import StintModel
public import StintUnits

/// Everything that a machine remembers beside facts, by what owns it: for reports, and to outlive a process.
public struct RuleVMMemory: Hashable, Sendable {
  /// What a temporal operator remembers.
  public struct Slot: Hashable, Sendable {
    public var key: SlotKey
    /// Latch: whether it is closed. In last: whether the operand was true when last looked at.
    public var isClosed = false
    /// Held for: since when the operand is true. In last: when it was true last.
    public var since: Instant?
    /// Held for: since when the operand is unknown, within what is tolerated.
    public var gap: Instant?
    /// Window: when values were published, and what they were, oldest first.
    public var instants: [Instant] = []
    public var values: [Double] = []

    /// Makes an entry that remembers nothing.
    public init(key: SlotKey) { self.key = key }
  }

  /// What a rule remembers.
  public struct Rule: Hashable, Sendable {
    public var id: RuleID
    /// The structure of its trigger.
    public var structure: String
    public var truth = Truth.no
    public var isHeld = false
    public var lastFired: Instant?
    /// When its period is over; nil for other rules.
    public var nextPeriod: Instant?
    /// One for each directive.
    public var runs: [Run] = []

    /// Makes an entry that remembers nothing.
    public init(id: RuleID, structure: String) {
      self.id = id
      self.structure = structure
    }
  }

  /// What a directive remembers.
  public struct Run: Hashable, Sendable {
    public var isInForce = false
    /// When it ends by itself.
    public var end: Instant?
    /// How often it has run since the run began.
    public var count = 0
    public var lastEnd: Instant?

    /// Makes an entry that remembers nothing.
    public init() {}
  }

  /// In the order of the image.
  public var slots: [Slot] = []
  public var rules: [Rule] = []

  /// Makes a memory of nothing.
  public init() {}
}

extension RuleVM {
  /// Everything that it remembers beside facts.
  public var memory: RuleVMMemory {
    var memory = RuleVMMemory()
    memory.slots = zip(image.slots, slots).map { entry, state in
      var slot = RuleVMMemory.Slot(key: entry.key)
      slot.isClosed = state.isClosed
      slot.since = state.since
      slot.gap = state.gap
      (slot.instants, slot.values) = state.window.content
      return slot
    }
    memory.rules = image.rules.enumerated().map { number, entry in
      let state = rules[number]
      var rule = RuleVMMemory.Rule(id: entry.id, structure: entry.structure)
      rule.truth = truth(of: number)
      rule.isHeld = isHeld(rule: number)
      rule.lastFired = state.lastFired
      rule.nextPeriod = state.nextPeriod == .distantFuture ? nil : state.nextPeriod
      rule.runs = entry.directives.map { place in
        var run = RuleVMMemory.Run()
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
