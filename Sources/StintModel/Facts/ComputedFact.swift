public import StintUnits

/// A fact that the governor computes from its own state, because no device publishes it. A vocabulary
/// contains such a fact only while a policy uses it.
///
/// The vocabulary contains computed facts after all published facts.
public struct ComputedFact: Hashable, Sendable {
  /// The source of the value.
  public enum Source: Hashable, Sendable {
    /// The number of times within the last hour that a device was switched on.
    case wakeups(DeviceID)
    /// The energy of a device since local midnight.
    case energy(DeviceID)
    /// The remaining time for which the device is expected to stay within `bound` metres of its last
    /// delivered position.
    case respite(DeviceID, bound: Double)
    /// The time for which devices have been on without a complete cause.
    case unexplained
    /// The used share of a budget.
    case budget(Budget)
    /// The position of the host relative to a zone, as far as a positioning device or a beacon determines it.
    case zone(Zone, ZoneQuery)
    /// Whether a rule is in force; only policy tests use it.
    case rule(RuleID)
    /// The state of a policy's state machine. `initial` is the index of its initial state.
    case machine(initial: Int)
    /// A fact of the client; known only in per-demand rules.
    case client(ClientFact)
    /// A part of the grant of a demand; only policy tests use it.
    case grant(GrantFact)
    /// An observation by the governor of a device or a service.
    case observed(Observation)
    /// No computation: a policy names this fact of a family. The vocabulary contains it as a published fact,
    /// so it is never in `Vocabulary.computed`.
    case keyed
  }

  /// A published fact that a computed fact reads. A rule that reads the computed fact needs the sensor that
  /// publishes this fact.
  public struct SensedInput: Hashable, Sendable {
    /// The path of the published fact.
    public var path: String
    /// The time over which the published fact is collected; nil when only its present value counts.
    public var window: TimeSpan?
  }

  /// The path, type and meaning of the fact.
  public var schema: FactSchema
  /// The source of the value.
  public var source: Source

  /// The fact that a sensor must publish for this fact: the signal of a beacon, or the positions of `spread`.
  /// Nil for other facts.
  ///
  /// The validity of a position (`respite`) has no input. Like `age`, it describes the last delivered
  /// position, and another reading would change the result.
  public var sensedInput: SensedInput? {
    switch source {
    case .zone(let zone, _): zone.beaconFact.map { SensedInput(path: $0) }
    case .observed(.spread(let device, let window)):
      SensedInput(path: "\(device.path).longitude", window: window)
    default: nil
    }
  }

  /// True when the fact is known only in per-demand rules.
  public var isOfClient: Bool {
    if case .client = source { true } else { false }
  }

  /// True for a fact of a family, which a device publishes.
  public var isKeyed: Bool { source == .keyed }

  /// True when the fact is true for one step only.
  package var isPulse: Bool {
    switch source {
    case .zone(_, let query): query == .enter || query == .exit
    case .observed(.batchDone): true
    case .observed(.signal(let signal)): signal.isPulse
    default: false
    }
  }

  /// Makes a computed fact.
  public init(schema: FactSchema, source: Source) {
    self.schema = schema
    self.source = source
  }
}

/// A transition of a policy's state machine, performed when its rule is active.
public struct StateTransition: Hashable, Sendable {
  /// The rule with the condition of the transition.
  public var rule: RuleID
  /// The path of the state machine's fact: `POLICY/NAME`.
  public var machine: String
  /// The index of the target state.
  public var target: Int

  /// Makes a transition.
  public init(rule: RuleID, machine: String, target: Int) {
    self.rule = rule
    self.machine = machine
    self.target = target
  }
}

/// A zone that policies refer to.
public struct Zone: Hashable, Sendable {
  /// The extent of the zone.
  public enum Shape: Hashable, Sendable {
    /// All positions within `radius` metres of a coordinate.
    case circle(Coordinate, radius: Double)
    /// All positions at which this beacon is received.
    case beacon(identity: String, major: Int?, minor: Int?)
  }

  /// The extent of the zone.
  public var shape: Shape
  /// How long the host must be inside before it counts as inside.
  public var enterAfter: TimeSpan
  /// How long the host must be outside before it counts as outside.
  public var exitAfter: TimeSpan

  /// Returns whether both zones have the same centre or beacon. Their radii and delays may differ.
  public func hasSamePlace(as other: Zone) -> Bool {
    if case (.circle(let centre, _), .circle(let otherCentre, _)) = (shape, other.shape) {
      return centre == otherCentre
    }
    return shape == other.shape
  }

  /// The fact that publishes whether the zone's beacon is received; nil for a circle.
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

/// The property of a zone that is read by a policy.
public enum ZoneQuery: String, Hashable, Sendable, CaseIterable {
  /// Whether the host is inside; unknown before the first fix or signal.
  case inside
  /// True for one step, when the host enters the zone.
  case enter
  /// True for one step, when the host leaves the zone.
  case exit
  /// Whether the zone's beacon was received recently; only for beacons.
  case heard

  /// Returns the path of the fact about the zone `POLICY/NAME`: `inside(hiking/home)`.
  public func path(ofZone zone: String) -> String { "\(rawValue)(\(zone))" }
}
