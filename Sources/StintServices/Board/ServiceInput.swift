public import StintModel
public import StintUnits

/// An input of the service board, from clients, policies, the governor or devices.
public enum ServiceInput: Sendable {
  // MARK: Clients
  /// A client's process attached, for the first time or again. The board delivers the notices that waited for
  /// the client.
  case attach(ClientID, permissions: Permissions, mayBackground: Bool)
  /// A client's process has ended, normally or by a crash. Its services end, except those that outlive
  /// their client.
  case detach(ClientID)
  /// The client was uninstalled: all its services end.
  case remove(ClientID)
  /// The app that embeds the bus changed the permissions of the client.
  case authorize(ClientID, Permissions)
  /// An operator decided about the client. The decision also applies to later attachments, and survives the
  /// removal of the client. Nil revokes the decision.
  case decide(ClientID, PermissionDecision?)
  /// The client is in the foreground or in the background from now on; nil when its presence is unknown.
  case presence(ClientID, Presence?)
  /// The client makes a request under a name of its choice. The client must have a receiver for results and a
  /// receiver for failures, see `Receivers`.
  case ask(ServiceID, any ServiceRequest, receivers: Receivers)
  /// The client ends a service. The board ignores an unknown name, so a service may be ended twice.
  case end(ServiceID)
  /// The client sends a command to one of its services.
  case command(ServiceID, any ServiceCommand)

  /// Notices of a service that the client's process had not read when the process ended. The next process of
  /// the client gets the notices that can be saved.
  case unread(ServiceID, [any ServiceNotice])

  /// The saved state of a previous board, after a restart. Its clients are detached until they attach.
  case restore(SavedServices)

  // MARK: Policies
  /// A rule starts a service, or allows transfer tasks to begin.
  case startRuleService(RuleService)
  /// The rule ends its service, or no longer allows the transfer tasks to begin.
  case endRuleService(RuleService)
  /// The policies' defaults for options that clients do not set. They replace the previous defaults.
  case defaults([DeviceDefaults])

  // MARK: Governor and devices
  /// Samples for these demands.
  case batch(Batch, [DemandID])
  /// The grant of a demand of a service changed.
  case granted(DemandID, Grant)
  /// The demand has ended. All its samples have arrived before.
  case ended(DemandID)
  /// The transfer of the demand was cancelled after this number of bytes.
  case part(DemandID, bytes: Int64)
  /// A radio starts the transfer of the demand.
  case started(DemandID, on: DeviceID)
  /// The transfer of the demand is complete.
  case carried(DemandID)
  /// The fact with this path has this value from now on.
  case fact(String, FactValue)
  /// The present value of a published fact, and the instant of its publication. When the board begins to
  /// receive facts, it gets one such input for each published fact.
  case known(String, FactValue, since: Instant)
  /// A device reported a change of its own state.
  case device(DeviceID, DeviceEvent)
  /// Memory became low, or is no longer low.
  case memory(isLow: Bool)

  /// The receivers that the client has for the results of a request.
  public struct Receivers: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The client reads the service's results.
    public static let updates = Receivers(rawValue: 1)
    /// The client reads the service's failures.
    public static let failures = Receivers(rawValue: 2)
    /// The client reads results and failures.
    public static let both: Receivers = [.updates, .failures]
    /// The client is declared in a file, and its results and failures are always read. Its request waits
    /// while its permission or its device is missing, and begins when the permission is granted and the
    /// device is available.
    public static let file: Receivers = [.updates, .failures, Receivers(rawValue: 4)]
  }
}

/// An action that the caller of the board must carry out, in the order of the array.
public enum ServiceEffect: Sendable {
  /// Raise this demand with the governor.
  indirect case raise(Demand)
  /// Release this demand. Its held samples still arrive.
  case release(DemandID)
  /// Release this demand and deliver none of its held samples. Permission was withdrawn, or no client is left
  /// to read the samples.
  case withdraw(DemandID)
  /// Wake the processor for a moment on behalf of this demand.
  case wake(DemandID)
  /// Deliver a notice of a service to its client. When the client has read it, carry out its `consequence`.
  case notice(ServiceID, any ServiceNotice)
  /// The request is accepted and its service begins. This effect precedes all output of the service.
  case accepted(ServiceID)
  /// The service has ended. This effect occurs once, after all output of the service.
  case over(ServiceID, ServiceEnd)
  /// Carry out an order on behalf of the client. The result arrives later, as a `command` input.
  case order(ServiceID, any ServiceOrder)
  /// The permissions of this client have changed.
  case permissions(ClientID, Permissions)
  /// Set the presence of this client in the governor.
  case presence(ClientID, Presence?)
  /// Publish a signal of the services as this fact, because its value has changed.
  case publish(String, FactValue)
  /// Set a signal of the services in the governor, for policies to read.
  case publishSignal(ServiceSignal, FactValue)
  /// Set whether a receiver reads the samples of this demand.
  case setHasConsumer(DemandID, Bool)
  /// Launch the client's process, which then attaches.
  case launch(ClientID, LaunchReason)
  /// Show the user a sentence on behalf of the client.
  case notifyUser(ClientID, String)
  /// The request is rejected. No device was powered for it.
  case refused(ServiceID, ServiceFailure)
  /// A command to a service is rejected. The service, if there is one, continues unchanged.
  case refusedCommand(ServiceID, ServiceFailure)
}

extension ServiceEffect {
  /// The sentence about a refused request or command, or a failed service; nil for other effects.
  public var refusal: String? {
    switch self {
    case .refused(let id, let failure), .refusedCommand(let id, let failure),
      .over(let id, .failed(let failure)):
      "“\(id.client)”, “\(id.name)”: \(failure.text)"
    default: nil
    }
  }
}

extension ServiceEffect {
  /// The effect as a `RunEvent`: a refused request or command, or a failed service; `message` for other
  /// effects.
  public var event: RunEvent {
    switch self {
    case .refused(let id, let failure):
      .refusedRequest(id.client, request: id.name, failure.problem(of: id.name))
    case .refusedCommand(let id, let failure):
      .refusedCommand(id.client, request: id.name, failure.problem(of: id.name))
    case .over(let id, .failed(let failure)):
      .failedRequest(id.client, request: id.name, failure.problem(of: id.name))
    default: .message
    }
  }
}

/// The reason for the end of a service. The board reports the end once, as the last effect for the service.
public enum ServiceEnd: Hashable, Sendable {
  /// The service is complete. For example, a request for one fix is complete after its answer.
  case finished
  /// The service cannot continue. Its client gets a notice with the same failure.
  case failed(ServiceFailure)
  /// The client or the rule ended the service.
  case ended
  /// The client detached, and the service does not outlive its client.
  case detached
  /// Another service replaces the service. Its client made a request under the same name, or a rule's service
  /// is restored from saved state.
  case replaced
  /// The host was closed. A service that outlives its client resumes with the next host.
  case closed

  /// True when unread results must be withdrawn from the client: permission was withdrawn, or the
  /// client detached.
  public var revokes: Bool {
    switch self {
    case .failed(let failure): failure.code == .denied || failure.code == .undecided
    case .detached: true
    case .finished, .ended, .replaced, .closed: false
    }
  }
}
