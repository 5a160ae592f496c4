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
