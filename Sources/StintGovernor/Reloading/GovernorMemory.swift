public import StintMachine
public import StintModel
public import StintUnits

/// The state of a governor that survives a restart: the state of policies and the known facts, identified by
/// name.
///
/// Of the demands, only the ids are included, because clients raise their demands again. Settings are not
/// included, because devices report their states.
public struct GovernorMemory: Hashable, Sendable {
  /// A published fact.
  public struct Fact: Hashable, Sendable {
    /// The path of the fact.
    public var path: String
    /// The last value.
    public var value: FactValue
    /// The instant of the last value.
    public var instant: Instant

    /// Creates an entry.
    public init(path: String, value: FactValue, instant: Instant) {
      self.path = path
      self.value = value
      self.instant = instant
    }
  }

  /// The energy that devices consumed since a period began.
  public struct Meter: Hashable, Sendable {
    /// The path of the fact that is computed from this energy.
    public var path: String
    /// The energy consumed in the period.
    public var drawn: Energy
    /// The end of the period.
    public var end: Instant

    /// Creates an entry.
    public init(path: String, drawn: Energy, end: Instant) {
      self.path = path
      self.drawn = drawn
      self.end = end
    }
  }

  /// The instants of a counted event within the last hour, such as a device being switched on.
  public struct Wakeups: Hashable, Sendable {
    /// The path of the fact that counts the events.
    public var path: String
    /// The instants, oldest first.
    public var instants: [Instant]

    /// Creates an entry.
    public init(path: String, instants: [Instant]) {
      self.path = path
      self.instants = instants
    }
  }

  /// The state of a policy's state machine.
  public struct State: Hashable, Sendable {
    /// The path of the state machine's fact.
    public var path: String
    /// The name of the state.
    public var name: String
    /// The instant of the last transition; nil before the first transition.
    public var moved: Instant?

    /// Creates an entry.
    public init(path: String, name: String, moved: Instant?) {
      self.path = path
      self.name = name
      self.moved = moved
    }
  }

  /// The state of a zone.
  public struct Zone: Hashable, Sendable {
    /// The name of the zone as `POLICY/NAME`.
    public var name: String
    /// True when the host is inside; nil when unknown.
    public var isInside: Bool?
    /// The pending new value of `isInside`; nil without a pending change.
    public var candidate: Bool?
    /// The instant since which the change is pending; nil without a pending change.
    public var since: Instant?
    /// The instant of the last fix; nil before the first fix.
    public var lastFix: Instant?

    /// Creates an entry.
    public init(name: String, isInside: Bool?, candidate: Bool?, since: Instant?, lastFix: Instant?) {
      self.name = name
      self.isInside = isInside
      self.candidate = candidate
      self.since = since
      self.lastFix = lastFix
    }
  }

  /// The state of the per-demand rules for one demand.
  public struct PerDemandState: Hashable, Sendable {
    /// The id of the demand to which the state belongs.
    public var demand: DemandID
    /// The state of the demand's rule VM.
    public var machine: RuleVMSnapshot

    /// Creates an entry.
    public init(demand: DemandID, machine: RuleVMSnapshot) {
      self.demand = demand
      self.machine = machine
    }
  }

  /// The instant at which the state was saved.
  public var instant: Instant
  /// The state of the shared rule VM.
  public var machine = RuleVMSnapshot()
  /// The states of the per-demand rule VMs.
  public var perDemand: [PerDemandState] = []
  /// The known published facts.
  public var facts: [Fact] = []
  /// The meters of budgets and daily energies.
  public var meters: [Meter] = []
  /// The counted events of the last hour, such as the wake-ups of devices and of the processor.
  public var wakeups: [Wakeups] = []
  /// The states of state machines.
  public var states: [State] = []
  /// The states of zones.
  public var zones: [Zone] = []
  /// The ids of the existing demands, sorted.
  public var demands: [DemandID] = []

  /// Creates a memory without entries.
  public init(at instant: Instant) { self.instant = instant }
}
