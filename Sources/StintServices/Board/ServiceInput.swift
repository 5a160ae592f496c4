public import StintModel
public import StintUnits

/// What the board hears: from clients, from the governor, from devices.
public enum ServiceInput: Sendable {
  // MARK: Clients
  /// A client's process came, for the first time or again; what was kept for it is handed over.
  case attach(ClientID, authorization: Authorization, mayBackground: Bool)
  /// A client's process is gone, in peace or not: its leases end, and what outlives it goes on.
  case detach(ClientID)
  /// The client is removed from the device: nothing of it goes on.
  case remove(ClientID)
  /// The user changed what the client may do.
  case authorize(ClientID, Authorization)
  /// The client wants something, under a name of its own; both its receivers must be there.
  case ask(ServiceID, any ServiceRequest, receivers: Receivers)
  /// The client ends what it asked for; unknown names are ignored, so ending twice is harmless.
  case end(ServiceID)
  /// The client tells one of its services something.
  case command(ServiceID, any ServiceCommand)

  /// What a board before this one remembered, after a restart; clients are not attached until they attach.
  case recall(MemoryValue, ServiceKinds)

  // MARK: Policies
  /// A rule has a service run.
  case lease(ServiceLease)
  /// It does so no more.
  case surrender(ServiceLease)
  /// What policies say where clients leave something open; in place of what they said before.
  case defaults([DeviceDefaults])

  // MARK: Below
  case batch(Batch, [DemandID])
  case granted(DemandID, Grant)
  case ended(DemandID)
  case part(DemandID, bytes: Int64)
  case carried(DemandID)
  case fact(String, FactValue)
  /// What was said before anybody listened, and when.
  case known(String, FactValue, since: Instant)
  case device(DeviceID, DeviceEvent)
  /// Memory is short from now on, or is not any more.
  case memory(isLow: Bool)

  /// Who hears what comes of a request.
  public struct Receivers: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The client reads the service's results.
    public static let updates = Receivers(rawValue: 1)
    /// The client reads the service's failures.
    public static let failures = Receivers(rawValue: 2)
    public static let both: Receivers = [.updates, .failures]
  }
}
