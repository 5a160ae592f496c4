public import StintMachine
public import StintModel
public import StintUnits

/// What of a governor outlives its process: the state that policies own, and what was believed; by name.
///
/// Demands and settings are not part of it: clients ask again, and devices tell what they do.
public struct GovernorMemory: Hashable, Sendable {
  /// A published fact.
  public struct Fact: Hashable, Sendable {
    public var path: String
    public var value: FactValue
    public var instant: Instant

    /// Makes an entry.
    public init(path: String, value: FactValue, instant: Instant) {
      self.path = path
      self.value = value
      self.instant = instant
    }
  }

  /// What devices drew since a period began.
  public struct Meter: Hashable, Sendable {
    public var path: String
    public var drawn: Energy
    public var end: Instant

    /// Makes an entry.
    public init(path: String, drawn: Energy, end: Instant) {
      self.path = path
      self.drawn = drawn
      self.end = end
    }
  }

  /// When a device went on within the last hour.
  public struct Wakeups: Hashable, Sendable {
    public var path: String
    public var instants: [Instant]

    /// Makes an entry.
    public init(path: String, instants: [Instant]) {
      self.path = path
      self.instants = instants
    }
  }

  /// The state of a policy's machine, by its name, and when it moved last.
  public struct State: Hashable, Sendable {
    public var path: String
    public var name: String
    public var moved: Instant?

    /// Makes an entry.
    public init(path: String, name: String, moved: Instant?) {
      self.path = path
      self.name = name
      self.moved = moved
    }
  }

  /// Where the phone is as to a zone, and what fixes say since when while that differs.
  public struct Zone: Hashable, Sendable {
    public var name: String
    public var isInside: Bool?
    public var candidate: Bool?
    public var since: Instant?
    public var lastFix: Instant?

    /// Makes an entry.
    public init(name: String, isInside: Bool?, candidate: Bool?, since: Instant?, lastFix: Instant?) {
      self.name = name
      self.isInside = isInside
      self.candidate = candidate
      self.since = since
      self.lastFix = lastFix
    }
  }

  /// What the rules that a demand is asked remember.
  public struct PerDemandState: Hashable, Sendable {
    public var demand: DemandID
    public var machine: RuleVMMemory

    /// Makes an entry.
    public init(demand: DemandID, machine: RuleVMMemory) {
      self.demand = demand
      self.machine = machine
    }
  }

  public var instant: Instant
  public var machine = RuleVMMemory()
  public var perDemand: [PerDemandState] = []
  public var facts: [Fact] = []
  public var meters: [Meter] = []
  public var wakeups: [Wakeups] = []
  public var states: [State] = []
  public var zones: [Zone] = []
  /// The demands that stood, sorted.
  public var demands: [DemandID] = []

  /// Makes a memory of nothing.
  public init(at instant: Instant) { self.instant = instant }
}
