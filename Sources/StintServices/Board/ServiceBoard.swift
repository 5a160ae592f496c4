public import StintModel
public import StintUnits

/// The services of all clients, between the clients and the governor. The board is a value without clock,
/// threads or I/O.
///
/// Pass inputs to `step`, carry out the effects that `step` returns, and call `step` again at `nextTimer`
/// unless inputs arrive earlier. The demands of the board go to the governor, which grants them within the
/// policies. Events of the governor and of devices are inputs of the board. The same inputs at the same
/// instants give the same effects.
public struct ServiceBoard: Sendable {
  /// The first demand id of the board. Smaller ids belong to demands that clients raise directly.
  public static let firstDemand: Int64 = 1 << 40

  /// The clients that have attached at least once, sorted.
  public internal(set) var clients: [ClientStatus] = []
  var environment: ServiceEnvironment
  /// The services by name. Steps process services in the order of their names, so steps are deterministic.
  var services: [ServiceID: RunningService] = [:]
  /// The names of the services, sorted.
  var order: [ServiceID] = []
  /// The service that raised each demand.
  var owners: [DemandID: ServiceID] = [:]
  /// The services that their clients ended and that still wait for held output.
  var ending: Set<ServiceID> = []
  var nextDemand = ServiceBoard.firstDemand
  /// The queued notices of detached clients. Only services that outlive their clients have queued notices.
  var kept: [ClientID: NoticeQueue] = [:]
  /// The number of notices dropped until now, because a queue was full or memory was low.
  public internal(set) var droppedNotices = 0
  var launches: [ClientID: PendingLaunch] = [:]
  /// The output that must not be delivered before the services are saved, in order. Includes the later output
  /// of the same services.
  var withheld: [DeferredOutput] = []
  /// The effects of the current step.
  var effects: [ServiceEffect] = []
  var now: Instant
  /// The services that rules run, with their leases.
  var leases: [ServiceID: ServiceLease] = [:]
  /// The state of rules' services from before a restart, until their rules start them again.
  var suspended: [ServiceID: SuspendedService] = [:]
  /// The signals of `signalPaths` that are declared as facts.
  let declaredSignals: [(path: String, schema: FactSchema)]
  /// The last published value of each declared signal, by path.
  var signalled: [String: FactValue] = [:]
  /// The `app.state` that follows from the presences of the clients; unknown while no client has one.
  var derivedAppState = FactValue.unknown
  /// The last published value of each lasting signal.
  var lastSignals: [ServiceSignal: FactValue] = [:]
  /// True when the caller of the board carries out `TransferOrder`. Otherwise requests that need a carrier
  /// are refused, unless a device is one.
  public var carriesTransfers = true
  /// True when persistent state has changed since the last save. The caller sets it to false after saving.
  public var needsSave = false

  /// Makes a board without clients and services.
  public init(_ vocabulary: Vocabulary, at instant: Instant) {
    environment = ServiceEnvironment(vocabulary)
    declaredSignals = Self.signalPaths.compactMap { path in vocabulary.schema(path).map { (path, $0) } }
    now = instant
  }

  /// The union of the interests of all running services. When no service handles facts, the board needs no
  /// facts until the next request or lease.
  public private(set) var interests: ServiceInterests = []

  /// Updates `interests` after the set of services changed.
  mutating func noteInterests() {
    interests = services.values.reduce([]) { $0.union($1.interests) }
  }

  /// Whether the service of a demand handles its samples and grants.
  public func handles(_ demand: DemandID) -> Bool {
    owners[demand].flatMap { services[$0]?.interests.contains(.demands) } ?? false
  }

  /// True when there is no service and no pending launch. The board then needs facts only.
  public var isEmpty: Bool { services.isEmpty && launches.isEmpty }

  /// The names of the running services, sorted.
  public var runningServices: [ServiceID] { order }

  /// Returns whether a device exists and is available.
  public func isAvailable(_ device: DeviceID) -> Bool { environment.isAvailable(device) }

  /// Returns whether this board raised a demand.
  public func owns(_ demand: DemandID) -> Bool { owners[demand] != nil }

  /// Returns the service that raised a demand; nil for demands that clients raised directly.
  public func owner(of demand: DemandID) -> ServiceID? { owners[demand] }

  /// Returns the largest age at which a service's notice counts as current on delivery; nil without such a
  /// service.
  public func maxAge(of id: ServiceID) -> TimeSpan? { services[id]?.service.maxAge }

  /// The next instant at which `step` must be called even without inputs.
  public var nextTimer: Instant {
    var next = Instant.distantFuture
    for running in services.values { next = min(next, running.service.nextTimer) }
    for launch in launches.values { next = min(next, launch.next) }
    return next
  }

  /// Processes the inputs of one instant in order and returns the effects to carry out now. Pass an empty
  /// array at `nextTimer`.
  public mutating func step(_ inputs: [ServiceInput], at instant: Instant) -> [ServiceEffect] {
    now = max(now, instant)
    effects.removeAll(keepingCapacity: true)
    for input in inputs { apply(input) }
    handleTimers()
    publishSignals()
    return effects
  }

  private mutating func apply(_ input: ServiceInput) {
    switch input {
    case .attach(let client, let authorization, let mayBackground):
      attach(client, authorization, mayBackground)
    case .detach(let client): detach(client)
    case .remove(let client): remove(client)
    case .authorize(let client, let authorization): authorize(client, authorization)
    case .presence(let client, let presence): setPresence(presence, of: client)
    case .ask(let id, let request, let receivers): ask(id, request, receivers)
    case .end(let id): end(id)
    case .command(let id, let command):
      if let rejectionReason = rejectionReason(for: command, to: id) {
        effects.append(.refused(id, rejectionReason))
      } else {
        dispatch(id, .command(command))
      }
    case .restore(let saved): restore(saved)
    case .lease(let lease): self.lease(lease)
    case .releaseLease(let lease): releaseLease(lease)
    case .defaults(let defaults): environment.defaults = defaults
    case .batch(let batch, let demands):
      for demand in demands { if let id = owners[demand] { dispatch(id, .batch(batch, demand)) } }
    case .granted(let demand, let grant): if let id = owners[demand] { dispatch(id, .granted(demand, grant)) }
    case .ended(let demand):
      let owner = owners[demand]
      forget(demand)
      if let owner { dispatch(owner, .ended(demand)) }
      if let owner, ending.contains(owner), services[owner]?.demands.isEmpty == true {
        discard(owner, .ended)
      }
    case .part(let demand, let bytes):
      if let id = owners[demand] { dispatch(id, .part(demand, bytes: bytes)) }
    case .started(let demand, let radio):
      if let id = owners[demand] { dispatch(id, .started(demand, on: radio)) }
    case .carried(let demand): if let id = owners[demand] { dispatch(id, .carried(demand)) }
    case .fact(let path, let value):
      environment.note(path, value, at: now)
      for id in order where services[id]?.interests.contains(.facts) == true {
        dispatch(id, .fact(path, value))
      }
    case .known(let path, let value, let since): environment.note(path, value, at: since)
    case .memory(let isLow): for id in order { dispatch(id, .memory(isLow: isLow)) }
    case .device(let device, let event):
      if case .available(let isThere) = event { environment.note(device, isAvailable: isThere) }
      for id in order where services[id]?.interests.contains(.devices) == true {
        dispatch(id, .device(device, event))
      }
    }
  }

  /// Returns the reason to reject a command; nil when its service receives it. Reports are never rejected,
  /// because the process that carries transfers sends them even while the client is detached and after the
  /// session has ended.
  private func rejectionReason(for command: any ServiceCommand, to id: ServiceID) -> ServiceFailure? {
    if command.isReport { return nil }
    guard status(of: id.client)?.isAttached == true else {
      return ServiceFailure(.detached, "“\(id.client)” is not attached; attach it first")
    }
    guard services[id] != nil, !ending.contains(id) else {
      return ServiceFailure(.over, "“\(id.client)” has no running “\(id.name)”; request it first")
    }
    return nil
  }

  private mutating func handleTimers() {
    for id in order where services[id].map({ $0.service.nextTimer <= now }) == true { dispatch(id, .timer) }
    for client in launches.keys.sorted() where launches[client].map({ $0.next <= now }) == true {
      launches[client]?.retry(at: now)
      if let reason = launches[client]?.reason { effects.append(.launch(client, reason)) }
    }
  }

  /// Passes an event to a service and carries out its requests.
  mutating func dispatch(_ id: ServiceID, _ event: ServiceEvent) {
    guard var running = services[id], let context = context(id) else { return }
    var outbox = outbox(for: id, running.service)
    services[id] = nil
    if running.isPersistent { needsSave = true }
    running.service.handle(event, context, &outbox)
    services[id] = running
    perform(outbox, for: id)
  }

  func context(_ id: ServiceID) -> ServiceContext? {
    guard let client = status(of: id.client) else { return nil }
    return ServiceContext(instant: now, id: id, client: client, environment: environment)
  }

  /// Returns the current status of a client; nil when it never attached.
  public func status(of client: ClientID) -> ClientStatus? { clients.first { $0.id == client } }
}
