public import StintModel
public import StintUnits

/// All services of all clients, between them and the governor: a value without clock, thread or I/O.
///
/// Give it inputs with `step`, do what the effects say, and call `step` again at `nextTimer` when nothing came before.
/// What it demands goes to the governor, which grants within the policies; what the governor and the devices say comes
/// back as inputs. The same inputs at the same instants give the same effects.
public struct ServiceBoard: Sendable {
  /// The number of the first demand that a board raises; smaller ones are other people's.
  public static let firstDemand: Int64 = 1 << 40

  /// Clients that have attached at least once, sorted.
  public internal(set) var clients: [ClientStatus] = []
  var environment: ServiceEnvironment
  /// Sorted by name, so that all happens in one order.
  var services: [ServiceID: RunningService] = [:]
  var order: [ServiceID] = []
  var owners: [DemandID: ServiceID] = [:]
  /// Ended by their clients, and waiting for what is held for them.
  var ending: Set<ServiceID> = []
  var nextDemand = ServiceBoard.firstDemand
  /// The notices that wait for clients that are away. Only services that outlive their clients have any here.
  var kept: [ClientID: NoticeQueue] = [:]
  /// How many notices were dropped since the board was made, because a queue of them was full or memory was short.
  public internal(set) var droppedNotices = 0
  var launches: [ClientID: PendingLaunch] = [:]
  /// What waits until it is kept, in order, with what came behind it from the same services.
  var withheld: [DeferredOutput] = []
  var effects: [ServiceEffect] = []
  var now: Instant
  /// What rules have run.
  var leases: [ServiceID: ServiceLease] = [:]
  /// What services of rules remembered before a restart, until their rules have them run again.
  var suspended: [ServiceID: SuspendedService] = [:]
  /// The declared facts of `signalPaths`, and the last published value of each.
  let declaredSignals: [(path: String, schema: FactSchema)]
  var signalled: [String: FactValue] = [:]
  /// The last value of each lasting signal that the governor got.
  var lastSignals: [ServiceSignal: FactValue] = [:]
  /// Set when persistent state changed; the caller clears it after saving.
  public var mustRemember = false

  /// A board on which nothing is asked yet.
  public init(_ vocabulary: Vocabulary, at instant: Instant) {
    environment = ServiceEnvironment(vocabulary)
    declaredSignals = Self.signalPaths.compactMap { path in vocabulary.schema(path).map { (path, $0) } }
    now = instant
  }

  /// Whether there is no service and no pending launch, so that the board needs facts only.
  public var isEmpty: Bool { services.isEmpty && launches.isEmpty }

  /// The names of the services that stand, sorted.
  public var runningServices: [ServiceID] { order }

  /// Whether a demand was raised by this board.
  public func owns(_ demand: DemandID) -> Bool { owners[demand] != nil }

  /// Whose a demand is; nil for those that are other people's.
  public func owner(of demand: DemandID) -> ServiceID? { owners[demand] }

  /// The greatest age at which a service's notice counts as current when it is read; nil without the service.
  public func maxAge(of id: ServiceID) -> TimeSpan? { services[id]?.service.maxAge }

  /// The next instant at which something happens by itself.
  public var nextTimer: Instant {
    var next = Instant.distantFuture
    for running in services.values { next = min(next, running.service.nextTimer) }
    for launch in launches.values { next = min(next, launch.next) }
    return next
  }

  /// Takes inputs that belong to one instant, in order, and says what is to be done now. No inputs: a timer.
  public mutating func step(_ inputs: [ServiceInput], at instant: Instant) -> [ServiceEffect] {
    now = max(now, instant)
    effects.removeAll(keepingCapacity: true)
    for input in inputs { apply(input) }
    ringTimers()
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
    case .ask(let id, let request, let receivers): ask(id, request, receivers)
    case .end(let id): end(id)
    case .command(let id, let command):
      // A client that left commands nothing; reports come from the process that carries its transfers.
      if status(of: id.client)?.isAttached == true || command.isReport { dispatch(id, .command(command)) }
    case .restore(let memory, let kinds): restore(memory, kinds)
    case .lease(let lease): self.lease(lease)
    case .revokeLease(let lease): revokeLease(lease)
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
    case .carried(let demand): if let id = owners[demand] { dispatch(id, .carried(demand)) }
    case .fact(let path, let value):
      environment.note(path, value, at: now)
      for id in order { dispatch(id, .fact(path, value)) }
    case .known(let path, let value, let since): environment.note(path, value, at: since)
    case .memory(let isLow): for id in order { dispatch(id, .memory(isLow: isLow)) }
    case .device(let device, let event):
      if case .available(let isThere) = event { environment.note(device, isAvailable: isThere) }
      for id in order { dispatch(id, .device(device, event)) }
    }
  }

  private mutating func ringTimers() {
    for id in order where services[id].map({ $0.service.nextTimer <= now }) == true { dispatch(id, .timer) }
    for client in launches.keys.sorted() where launches[client].map({ $0.next <= now }) == true {
      launches[client]?.retry(at: now)
      if let reason = launches[client]?.reason { effects.append(.launch(client, reason)) }
    }
  }

  /// Has a service take an event, and does what it wants.
  mutating func dispatch(_ id: ServiceID, _ event: ServiceEvent) {
    guard var running = services[id], let context = context(id) else { return }
    var outbox = outbox(for: id, running.service)
    services[id] = nil
    if running.isPersistent { mustRemember = true }
    running.service.handle(event, context, &outbox)
    services[id] = running
    perform(outbox, for: id)
  }

  func context(_ id: ServiceID) -> ServiceContext? {
    guard let client = status(of: id.client) else { return nil }
    return ServiceContext(instant: now, id: id, client: client, environment: environment)
  }

  /// The client as it stands; nil when it never attached.
  public func status(of client: ClientID) -> ClientStatus? { clients.first { $0.id == client } }
}
