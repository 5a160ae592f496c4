public import StintModel
public import StintUnits

/// The data that a service may read while it handles an event.
public struct ServiceContext: Sendable {
  /// The instant of the event.
  public let instant: Instant
  /// The name of the service.
  public let id: ServiceID
  /// The current status of the service's client.
  public let client: ClientStatus
  let environment: ServiceEnvironment

  /// Returns the current value of a fact; unknown when it was never published or is too old.
  public func fact(_ path: String) -> FactValue { environment.fact(path, at: instant) }

  /// Returns the declaration of a fact; nil when the fact is not declared.
  public func schema(_ path: String) -> FactSchema? { environment.vocabulary.schema(path) }

  /// Returns the last published value of a fact, whatever its age, and the instant of its publication. Nil
  /// when the fact was never published, or when its last value is unknown.
  public func remembered(_ path: String) -> (value: FactValue, at: Instant)? {
    environment.remembered(path)
  }

  /// The devices by role.
  public var roles: DeviceRoles { environment.vocabulary.roles }

  /// Returns the preferred available device with a role; nil when none exists.
  public func device(for role: DeviceRole) -> DeviceID? { roles.devices(role).first(where: isAvailable) }

  /// Returns whether the device exists and is available.
  public func isAvailable(_ device: DeviceID) -> Bool { environment.isAvailable(device) }

  /// Returns the device's manifest; nil when there is no such device.
  public func manifest(_ device: DeviceID) -> Manifest? { environment.vocabulary.manifest(device) }

  /// Returns the policies' defaults for a device; nil when policies set no defaults. For a service, pass its
  /// name as the id, for example `orientation`.
  public func defaults(of device: DeviceID) -> DeviceDefaults? {
    environment.defaults.first { $0.device == device }
  }

  /// Returns whether a request is served in the background. Returns false for an app that does not declare
  /// background use. For other apps, the flag of the request decides. Without a flag, the policies' default
  /// for the device decides, and without a default the result is false.
  func isServedInBackground(_ flag: Bool?, on device: DeviceID?) -> Bool {
    guard client.mayBackground else { return false }
    return flag ?? device.flatMap { defaults(of: $0)?.wants.background } ?? false
  }

  /// Returns the policies' defaults for the requested device, merged with the defaults for the device that
  /// serves the demand.
  func defaults(of target: DeviceID?, servedBy provider: DeviceID?) -> ServiceDefaults {
    let target = target.flatMap { defaults(of: $0)?.services } ?? ServiceDefaults()
    return provider.flatMap { defaults(of: $0)?.services }.map(target.merged) ?? target
  }

  /// Returns the policies' defaults for a session of transfers, merged over all radios.
  func defaults(ofSession name: String) -> ServiceDefaults {
    environment.defaults.map(\.services).reduce(ServiceDefaults()) { joined, next in
      next.session == nil || next.session == name ? joined.merged(with: next) : joined
    }
  }

  /// Returns whether rules allow a session to begin tasks that its client has not resumed. Also returns
  /// whether these tasks begin without waiting for a good moment.
  func starts(ofSession name: String) -> (any: Bool, atOnce: Bool) {
    let reaching = environment.starts.values.filter { $0.reaches(name, of: id.client) }
    return (!reaching.isEmpty, reaching.contains(where: \.isAtOnce))
  }

  /// Whether the client is in the background. Its own presence decides. Without a presence, `app.state`
  /// decides. False while the presence and `app.state` are unknown.
  public var isInBackground: Bool {
    if let presence = client.presence { return presence == .background }
    return environment.backgroundState != .unknown && fact("app.state") == environment.backgroundState
  }
}

/// An event for a service.
public enum ServiceEvent: Sendable {
  /// Samples of the device that serves this demand of the service.
  case batch(Batch, DemandID)
  /// The grant of a demand of the service changed.
  case granted(DemandID, Grant)
  /// A demand of the service ended, after all its held samples arrived.
  case ended(DemandID)
  /// The service withdrew a transfer in progress. This number of bytes was transferred until then.
  case part(DemandID, bytes: Int64)
  /// A radio starts the transfer of a demand of the service.
  case started(DemandID, on: DeviceID)
  /// A transfer of the service is complete.
  case carried(DemandID)
  /// A published fact, by its full path.
  case fact(String, FactValue)
  /// A device reported a change of its own state.
  case device(DeviceID, DeviceEvent)
  /// Memory became low, or is no longer low. While memory is low, services must free all memory that
  /// they can.
  case memory(isLow: Bool)
  /// The permissions of the client changed. When they no longer satisfy the need of the service, the board
  /// ends the service after this event.
  case permissions(Permissions)
  /// The client's process attached or detached.
  case client(isAttached: Bool)
  /// The presence of the client changed.
  case presence(Presence?)
  /// The policies' defaults have changed.
  case defaults
  /// The rules now allow other transfer tasks to begin than before.
  case starts
  /// A command of the client.
  case command(any ServiceCommand)
  /// The instant of `nextTimer` was reached.
  case timer
}

/// A device's report of its own state.
public enum DeviceEvent: Hashable, Sendable {
  /// The name of the current power state, and whether the device is on in this state.
  case state(String, isOn: Bool)
  /// The device became available or unavailable.
  case available(Bool)
  /// The device reported a fault with this text.
  case fault(String)
}

/// The requests of a service to the board, in order.
public struct ServiceOutbox: Sendable {
  enum Item: Sendable {
    indirect case raise(Demand)
    case release(DemandID)
    case notice(any ServiceNotice)
    case order(any ServiceOrder)
    case launch(LaunchReason)
    case notifyUser(String)
    case wake(DemandID)
    case askUser(Capability, String)
    case setHasConsumer(DemandID, Bool)
    case signal(ServiceSignal)
    case finish
    case fail(ServiceFailure)
  }

  let client: ClientID
  var nextDemand: Int64
  /// The origin of the demands: the service and its rule; nil for a service that policies cannot name.
  let mark: ServiceOrigin?
  private(set) var items: [Item]

  /// - Parameter items: an empty array whose memory the outbox uses.
  init(client: ClientID, nextDemand: Int64, mark: ServiceOrigin? = nil, items: [Item] = []) {
    self.items = items
    self.mark = mark
    self.client = client
    self.nextDemand = nextDemand
  }

  /// Removes all requests. Returns the empty array, with its memory if there were at most 16 requests.
  mutating func emptied() -> [Item] {
    var emptied: [Item] = []
    swap(&emptied, &items)
    emptied.removeAll(keepingCapacity: emptied.count <= 16)
    return emptied
  }

  /// Raises a demand on a device on behalf of the client and returns its id.
  public mutating func raise(_ target: DeviceID, _ wants: DemandSettings = DemandSettings()) -> DemandID {
    let id = DemandID(nextDemand)
    nextDemand += 1
    items.append(.raise(Demand(id: id, client: client, target: target, wants: wants, service: mark)))
    return id
  }

  /// Raises a demand that only the target may serve, and returns its id.
  mutating func raise(onlyOn target: DeviceID, _ wants: DemandSettings) -> DemandID {
    let id = DemandID(nextDemand)
    nextDemand += 1
    raise(target, wants, as: id, isForTargetOnly: true)
    return id
  }

  /// Raises a demand with an id that the caller chooses. No other demand may have used this id.
  mutating func raise(
    _ target: DeviceID, _ wants: DemandSettings, as id: DemandID, isForTargetOnly: Bool
  ) {
    let demand = Demand(
      id: id, client: client, target: target, wants: wants, service: mark, isForTargetOnly: isForTargetOnly)
    items.append(.raise(demand))
  }

  /// Releases a demand of this service.
  public mutating func release(_ demand: DemandID) { items.append(.release(demand)) }

  /// Sends a notice to the client. While the client is detached, notices of a service that outlives its
  /// client are queued.
  public mutating func notify(_ notice: some ServiceNotice) { items.append(.notice(notice)) }

  /// Sends an order to the process that works on behalf of the client, such as the process that
  /// carries transfers.
  public mutating func order(_ order: some ServiceOrder) { items.append(.order(order)) }

  /// Launches the client's process unless it is running.
  public mutating func launch(_ reason: LaunchReason) { items.append(.launch(reason)) }

  /// Shows the user a sentence.
  public mutating func notifyUser(_ sentence: String) { items.append(.notifyUser(sentence)) }

  /// Wakes the processor for a moment on behalf of a demand of this service. Used for work that needs
  /// no sample.
  public mutating func wake(_ demand: DemandID) { items.append(.wake(demand)) }
  /// Asks the user a question on behalf of the client. The user is asked only once per client and capability.
  public mutating func askUser(_ capability: Capability, _ question: String) {
    items.append(.askUser(capability, question))
  }

  /// Sets whether the client uses the samples of a demand now; by default, it does. Policies test this
  /// with `heard(DEVICE)`.
  public mutating func setHasConsumer(_ demand: DemandID, _ hasConsumer: Bool) {
    items.append(.setHasConsumer(demand, hasConsumer))
  }

  /// Publishes a signal that is true only at this instant, for policies to read.
  public mutating func signal(_ signal: ServiceSignal) { items.append(.signal(signal)) }

  /// Ends the service because it is complete; its demands end with it.
  public mutating func finish() { items.append(.finish) }

  /// Ends the service because it cannot continue. The client gets the failure once, and the demands of the
  /// service end.
  public mutating func fail(_ failure: ServiceFailure) { items.append(.fail(failure)) }
}
