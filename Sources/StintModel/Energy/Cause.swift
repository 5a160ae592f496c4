import StintUnits

/// Why a device draws power: client → demand → rules → grant → setting, for each demand that it serves.
public struct Cause: Hashable, Sendable {
  /// One demand's part in it.
  public struct Link: Hashable, Sendable {
    public var client: ClientID
    public var demand: DemandID
    /// The rules that shaped the grant, sorted; empty when it was granted as asked.
    public var rules: [RuleID]
    public var grant: Grant
    /// The service that raised the demand.
    public var service: ServiceWord?

    /// Makes a link.
    public init(
      client: ClientID, demand: DemandID, rules: [RuleID], grant: Grant, service: ServiceWord? = nil
    ) {
      self.service = service
      self.client = client
      self.demand = demand
      self.rules = rules
      self.grant = grant
    }
  }

  public var device: DeviceID
  /// Sorted by demand; empty only for floor power.
  public var links: [Link]
  public var setting: Setting

  /// Makes a cause.
  public init(device: DeviceID, links: [Link], setting: Setting) {
    self.device = device
    self.links = links
    self.setting = setting
  }

  /// Whether the chain reaches from a client to a setting that turned the device on.
  public var isComplete: Bool { !links.isEmpty && setting.isOn }
}
