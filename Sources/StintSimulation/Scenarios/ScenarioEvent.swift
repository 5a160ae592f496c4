public import StintModel
public import StintUnits

/// Something that a scenario makes happen.
public struct ScenarioEvent: Hashable, Sendable {
  /// What happens.
  public enum Action: Hashable, Sendable {
    /// A fact takes a value, as the scenario spells it.
    case set(FactAssignment)
    /// A client raises a demand, for samples or for one transfer.
    case raise(Demand)
    /// A client gives a demand up.
    case release(DemandID)
    /// A client asks for a service.
    case ask(ClientID, ScenarioService)
    /// A client ends a service, by its name.
    case end(ClientID, String)
  }

  public var at: Instant
  public var action: Action
}
