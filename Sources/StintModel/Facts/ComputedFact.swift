public import StintUnits

/// A fact that no device publishes: it is worked out of what the governor itself knows, for policies that ask.
///
/// Its number in the vocabulary lies behind those of all published facts.
public struct ComputedFact: Hashable, Sendable {
  /// What it is worked out of.
  public enum Source: Hashable, Sendable {
    /// How often a device went on within the last hour.
    case wakeups(DeviceID)
    /// What a device drew since local midnight.
    case energy(DeviceID)
    /// For how long the last position that a device handed over stays within this many metres.
    case respite(DeviceID, bound: Double)
    /// The time that devices have been on without a complete cause.
    case unexplained
    /// The used share of a budget.
    case budget(Budget)
    /// Where the phone is, as far as a positioning device or a beacon's signal tells.
    case zone(Zone, ZoneQuestion)
    /// Whether a rule is in force; only tests ask.
    case rule(RuleID)
    /// The state of a policy's machine, kept by the rule machine; the word in which it begins.
    case machine(initial: Int)
    /// A fact of the client; only per-demand rules know it.
    case client(ClientFact)
    /// What a demand is granted; only tests ask.
    case grant(GrantFact)
    /// What the governor notes of devices and of services.
    case observed(Observation)
  }

  public var schema: FactSchema
  public var source: Source

  /// Whether only rules that each demand is asked know it.
  public var isOfClient: Bool {
    if case .client = source { true } else { false }
  }

  /// Makes a computed fact.
  public init(schema: FactSchema, source: Source) {
    self.schema = schema
    self.source = source
  }
}

/// A way from one state of a policy's machine to another, taken while its rule holds.
public struct StateTransition: Hashable, Sendable {
  /// The rule whose condition says when.
  public var rule: RuleID
  /// The path of the machine's fact: `POLICY/NAME`.
  public var machine: String
  /// The number of the state that it leads to.
  public var target: Int

  /// Makes a move.
  public init(rule: RuleID, machine: String, target: Int) {
    self.rule = rule
    self.machine = machine
    self.target = target
  }
}

/// A place that policies speak of.
public struct Zone: Hashable, Sendable {
  /// What the place is made of.
  public enum Shape: Hashable, Sendable {
    /// All positions within `radius` metres.
    case circle(Coordinate, radius: Double)
    /// Wherever this beacon is heard.
    case beacon(identity: String, major: Int?, minor: Int?)
  }

  public var shape: Shape
  /// How long one must be inside before it counts.
  public var enterAfter: TimeSpan
  /// How long one must be outside before it counts.
  public var exitAfter: TimeSpan

  /// The fact that says whether the zone's beacon is heard; nil for a circle.
  public var beaconFact: String? {
    guard case .beacon(let identity, let major, let minor) = shape else { return nil }
    return (["beacon", identity] + [major, minor].compactMap { $0.map(String.init) }).joined(separator: ".")
  }

  /// Makes a zone.
  public init(shape: Shape, enterAfter: TimeSpan = .zero, exitAfter: TimeSpan = .zero) {
    self.shape = shape
    self.enterAfter = enterAfter
    self.exitAfter = exitAfter
  }
}

/// What policies ask about a zone.
public enum ZoneQuestion: String, Hashable, Sendable, CaseIterable {
  /// Whether the phone is inside; unknown until something tells.
  case inside
  /// True for the one step in which the phone came to be inside.
  case enter
  /// True for the one step in which it came to be outside.
  case exit
  /// Whether the zone's beacon was heard lately; only for beacons.
  case heard
}
