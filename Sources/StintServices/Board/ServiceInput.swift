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
  case restore(MemoryValue, ServiceKinds)

  // MARK: Policies
  /// A rule has a service run.
  case lease(ServiceLease)
  /// It does so no more.
  case revokeLease(ServiceLease)
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

/// What the board wants done, in this order.
public enum ServiceEffect: Sendable {
  /// Raise this demand with the governor.
  case raise(Demand)
  /// Release it.
  case release(DemandID)
  /// Wake the processor for a moment, on account of this demand.
  case wake(DemandID)
  /// Hand the client what its service says.
  case notice(ServiceID, any ServiceNotice)
  /// The request is accepted and its service begins; comes before all that the service says.
  case accepted(ServiceID)
  /// The service is over; comes once, behind all that the service says.
  case over(ServiceID, ServiceEnd)
  /// Do this in the client's place; what comes of it comes back as a command.
  case order(ServiceID, any ServiceOrder)
  /// Publish this fact: what services make of it has changed.
  case publish(String, FactValue)
  /// Tell the governor what services say, for policies to read.
  case publishSignal(ServiceSignal, FactValue)
  /// Whether a receiver reads the samples of this demand.
  case setHasConsumer(DemandID, Bool)
  /// Start the client's process; it attaches when it is there.
  case launch(ClientID, LaunchReason)
  /// Show the user a sentence in the client's name.
  case notifyUser(ClientID, String)
  /// The request was not accepted; nothing was powered.
  case refused(ServiceID, ServiceFailure)
}

/// Why a service is over: the last thing that the board says of it, once.
public enum ServiceEnd: Hashable, Sendable {
  /// The service has nothing left to do, such as a request for one fix that is answered.
  case finished
  /// The service cannot go on; its client gets the same failure.
  case failed(ServiceFailure)
  /// Its client, or its rule, ended it.
  case ended
  /// Its client left, and the service does not outlive its client.
  case detached
  /// Its client asked for another service under the same name.
  case replaced
  /// The host was closed; a service that outlives its client goes on with the next host.
  case closed

  /// Whether its client may no longer see what waits to be read: permission was withdrawn, or the client left.
  public var revokes: Bool {
    switch self {
    case .failed(let failure): failure.code == .denied || failure.code == .undecided
    case .detached: true
    case .finished, .ended, .replaced, .closed: false
    }
  }
}
