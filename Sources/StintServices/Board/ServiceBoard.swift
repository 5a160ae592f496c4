public import StintModel
public import StintUnits

/// The board that runs the services of all clients and rules. It is a value without clock, threads or I/O.
///
/// Pass inputs to `step`, carry out the effects that `step` returns, and call `step` again at `nextTimer`
/// unless inputs arrive earlier. The demands of the board go to the governor, which grants them within the
/// policies. Events of the governor and of devices are inputs of the board. The same inputs at the same
/// instants give the same effects.
public struct ServiceBoard: Sendable {
  /// The first demand id of the board. Smaller ids belong to demands that clients raise directly.
  public static let firstDemand: Int64 = 1 << 40

  // The parts of the board. Each part changes only its own state.
  var clientTable = ClientTable()
  var environment: ServiceEnvironment
  var table = ServiceTable()
  var notices = NoticeStore()
  var launchTable = LaunchTable()
  var ruleServices = RuleServiceTable()
  var declared = DeclaredRequests()
  private var signals: SignalTable
  /// An empty array whose memory the next outbox reuses.
  private var spareItems: [ServiceOutbox.Item] = []
  /// The effects of the current step.
  private var effects: [ServiceEffect] = []
  private(set) var now: Instant
  /// True when the caller of the board carries out the orders of transfer sessions (`TransferOrder`). When
  /// false, requests for such sessions are refused, except when a device has the role of a carrier.
  public var carriesTransfers = true
  /// True when persistent state has changed since the last save. The caller sets it to false with each save.
  public var needsSave = false

  /// Makes a board without clients and services.
  public init(_ vocabulary: Vocabulary, at instant: Instant) {
    environment = ServiceEnvironment(vocabulary)
    signals = SignalTable(vocabulary)
    now = instant
  }

  // MARK: Queries

  /// The clients that have attached at least once, and the policies whose rules run services; sorted.
  public var clients: [ClientStatus] { clientTable.all }

  /// Returns the current status of a client or a policy; nil when `clients` does not contain it.
  public func status(of client: ClientID) -> ClientStatus? { clientTable[client] }

  /// The paths of the services' lasting signals, sorted. Scenarios, sites and manifests may declare these
  /// signals as facts.
  ///
  /// The value of a quantity is the sum of the values from all services. A Boolean is true when the sum of
  /// these values is above 0.
  public static var signalPaths: [String] { SignalTable.paths }

  /// The kinds of events that at least one running service handles. When no service handles facts, the board
  /// needs no facts until a client or a rule starts the next service.
  public var interests: ServiceInterests { table.interests }

  /// The number of notices dropped until now, because a queue was full or memory was low.
  public var droppedNotices: Int { notices.dropped }

  /// Returns whether the service of a demand handles the samples and grants of the demand.
  public func handles(_ demand: DemandID) -> Bool { table.handles(demand) }

  /// Returns whether batches that wait for the service of a demand may be joined to one batch.
  public func joinsBatches(_ demand: DemandID) -> Bool { table.joinsBatches(demand) }

  /// True when there is no service, no pending launch and no request to repeat after a fault.
  public var isEmpty: Bool { table.isEmpty && launchTable.isEmpty && declared.nextTimer == .distantFuture }

  /// The names of the running services, sorted.
  public var runningServices: [ServiceID] { table.order }

  /// The waiting requests from files, each with its reason to wait. The reason is a missing permission, a
  /// missing device, or a fault of the device.
  public var waitingRequests: [(id: ServiceID, reason: ServiceFailure)] { declared.waiting }

  /// Returns whether a device exists and is available.
  public func isAvailable(_ device: DeviceID) -> Bool { environment.isAvailable(device) }

  var roles: DeviceRoles { environment.vocabulary.roles }

  /// Returns whether this board raised a demand.
  public func owns(_ demand: DemandID) -> Bool { table.owner(of: demand) != nil }

  /// Returns the service that raised a demand; nil for demands that clients raised directly.
  public func owner(of demand: DemandID) -> ServiceID? { table.owner(of: demand) }

  /// Returns the largest age at which a notice of a service counts as current on delivery. Nil when there is
  /// no service with this name.
  public func maxAge(of id: ServiceID) -> TimeSpan? { table[id]?.service.maxAge }

  /// The next instant at which `step` must be called even without inputs.
  public var nextTimer: Instant { min(table.nextTimer, launchTable.nextTimer, declared.nextTimer) }

  // MARK: Steps

  /// Processes the inputs of one instant in order and returns the effects to carry out now. Pass an empty
  /// array at `nextTimer`.
  public mutating func step(_ inputs: [ServiceInput], at instant: Instant) -> [ServiceEffect] {
    now = max(now, instant)
    effects.removeAll(keepingCapacity: true)
    for input in inputs { apply(input) }
    handleTimers()
    effects += signals.changes(of: table)
    return effects
  }

  private mutating func apply(_ input: ServiceInput) {
    switch input {
    case .attach(let client, let permissions, let mayBackground):
      attach(client, permissions, mayBackground)
    case .detach(let client): detach(client)
    case .remove(let client): remove(client)
    case .authorize(let client, let permissions): authorize(client, permissions)
    case .decide(let client, let decision): decide(client, decision)
    case .presence(let client, let presence): setPresence(presence, of: client)
    case .ask(let id, let request, let receivers): ask(id, request, receivers)
    case .end(let id):
      declared.remove(id)
      end(id)
    case .command(let id, let command):
      if let rejectionReason = rejectionReason(for: command, to: id) {
        effects.append(.refusedCommand(id, rejectionReason))
      } else {
        dispatch(id, .command(command))
      }
    case .unread(let id, let notices):
      for notice in notices where notice is any PersistentNotice { keep(id, notice) }
    case .restore(let saved): restore(saved)
    case .startRuleService(let ruleService): self.startRuleService(ruleService)
    case .endRuleService(let ruleService): endRuleService(ruleService)
    case .defaults(let defaults):
      guard environment.defaults != defaults else { return }
      environment.defaults = defaults
      for id in table.order { dispatch(id, .defaults) }
    case .batch(let batch, let demands):
      for demand in demands { pass(.batch(batch, demand), to: demand) }
    case .granted(let demand, let grant): pass(.granted(demand, grant), to: demand)
    case .ended(let demand):
      guard let owner = table.forget(demand) else { return }
      dispatch(owner, .ended(demand))
      if table.isDrained(owner) { discard(owner, .ended) }
    case .part(let demand, let bytes): pass(.part(demand, bytes: bytes), to: demand)
    case .started(let demand, let radio): pass(.started(demand, on: radio), to: demand)
    case .carried(let demand): pass(.carried(demand), to: demand)
    case .fact(let path, let value):
      environment.note(path, value, at: now)
      for id in table.handling(.facts) { dispatch(id, .fact(path, value)) }
    case .known(let path, let value, let since): environment.note(path, value, at: since)
    case .memory(let isLow): for id in table.order { dispatch(id, .memory(isLow: isLow)) }
    case .device(let device, let event):
      if case .available(let isThere) = event { environment.note(device, isAvailable: isThere) }
      for id in table.handling(.devices) { dispatch(id, .device(device, event)) }
      if case .available(true) = event { beginWaiting() }
    }
  }

  /// Returns the reason to reject a command; nil when the service receives it. Reports are never rejected:
  /// the process that carries transfers sends reports even while the client is detached, and after the
  /// session has ended.
  private func rejectionReason(for command: any ServiceCommand, to id: ServiceID) -> ServiceFailure? {
    if command.isReport { return nil }
    guard status(of: id.client)?.isAttached == true else {
      return ServiceFailure(.detached, "“\(id.client)” is not attached", remedy: "attach it first")
    }
    guard let service = table[id]?.service, !table.isEnding(id) else {
      return .ended("“\(id.client)” has no running “\(id.name)”", remedy: "request it first")
    }
    guard let kind = service.commandType else {
      return ServiceFailure(
        .invalid, "“\(id.name)” accepts no commands, found “\(type(of: command))”",
        remedy: "end it and request it again")
    }
    guard kind == type(of: command) else {
      return ServiceFailure(
        .invalid, "“\(id.name)” accepts only “\(kind)”, found “\(type(of: command))”",
        remedy: "send a command of the accepted kind")
    }
    if command.needsBackground, status(of: id.client)?.mayBackground == false {
      return .lacksBackground(id.client)
    }
    return service.rejectionReason(of: command)
  }

  private mutating func handleTimers() {
    for id in table.due(at: now) { dispatch(id, .timer) }
    if declared.nextTimer <= now { beginWaiting() }
    for launch in launchTable.repeatDue(at: now) { emit(.launch(launch.client, launch.reason)) }
  }

  private mutating func pass(_ event: ServiceEvent, to demand: DemandID) {
    if let slot = table.slot(owning: demand) { dispatch(slot, event) }
  }

  // MARK: Services

  /// Passes an event to a service and carries out the requests that the service then makes.
  mutating func dispatch(_ id: ServiceID, _ event: ServiceEvent) {
    if let slot = table.slot(of: id) { dispatch(slot, event) }
  }

  private mutating func dispatch(_ slot: ServiceTable.Slot, _ event: ServiceEvent) {
    if run(slot, { $0.handle(event, $1, &$2) }), table.isPersistent(in: slot) { needsSave = true }
  }

  /// Runs a function of a service and carries out the requests that the service then makes.
  ///
  /// - Returns: false when the service or its client is unknown.
  @discardableResult
  mutating func run(
    _ id: ServiceID, _ body: (inout any Service, ServiceContext, inout ServiceOutbox) -> Void
  ) -> Bool {
    table.slot(of: id).map { run($0, body) } ?? false
  }

  private mutating func run(
    _ slot: ServiceTable.Slot, _ body: (inout any Service, ServiceContext, inout ServiceOutbox) -> Void
  ) -> Bool {
    guard let id = table.id(in: slot), let context = context(of: id) else { return false }
    var items: [ServiceOutbox.Item] = []
    swap(&items, &spareItems)
    var outbox = outbox(of: id, in: slot, items)
    items = []
    table.change(slot) { body(&$0, context, &outbox) }
    perform(outbox, for: id)
    spareItems = outbox.emptied()
    return true
  }

  /// Runs a function of a service. The function may refuse; then the service and the board are unchanged.
  ///
  /// - Returns: false when the function refuses, or when the service or its client is unknown.
  mutating func attempt(
    _ id: ServiceID, _ body: (inout any Service, ServiceContext, inout ServiceOutbox) -> Bool
  ) -> Bool {
    guard let slot = table.slot(of: id), var service = table[id]?.service, let context = context(of: id)
    else { return false }
    var outbox = outbox(of: id, in: slot)
    guard body(&service, context, &outbox) else { return false }
    table.change(slot) { $0 = service }
    perform(outbox, for: id)
    return true
  }

  private func context(of id: ServiceID) -> ServiceContext? {
    status(of: id.client).map { ServiceContext(instant: now, id: id, client: $0, environment: environment) }
  }

  private func outbox(
    of id: ServiceID, in slot: ServiceTable.Slot, _ items: [ServiceOutbox.Item] = []
  ) -> ServiceOutbox {
    let mark = table.word(in: slot).map { ServiceOrigin($0, rule: ruleServices[id]?.rule) }
    return ServiceOutbox(client: id.client, nextDemand: table.nextDemand, mark: mark, items: items)
  }

  /// Adds a service without beginning it.
  mutating func add(_ service: any Service, as id: ServiceID) {
    if service is any PersistentService { needsSave = true }
    table.add(service, as: id)
  }

  /// Removes a service at once, releases its demands and reports its end.
  mutating func discard(_ id: ServiceID, _ end: ServiceEnd, isReaderGone: Bool = false) {
    guard let running = table.remove(id) else { return }
    if running.isPersistent { needsSave = true }
    for demand in running.demands {
      emit(isReaderGone || end.revokes ? .withdraw(demand) : .release(demand))
    }
    emit(.over(id, end))
  }

  /// Releases the demands of a service that its client has ended. The service ends when all held samples of
  /// devices for these demands have arrived.
  mutating func drain(_ id: ServiceID, _ demands: [DemandID]) {
    table.markEnding(id)
    for demand in demands { emit(.release(demand)) }
  }

  // MARK: Parts

  /// Records that persistent state has changed.
  mutating func saveLater() { needsSave = true }

  /// Adds an effect to the current step.
  mutating func emit(_ effect: ServiceEffect) { effects.append(effect) }

  /// Shows the user a sentence on behalf of a client. Equal sentences for one client are shown once per step.
  mutating func notifyUser(_ client: ClientID, _ sentence: String) {
    let isShown = effects.contains { effect in
      if case .notifyUser(client, sentence) = effect { true } else { false }
    }
    if !isShown { emit(.notifyUser(client, sentence)) }
  }

  /// Queues a notice until its client attaches again.
  mutating func keep(_ id: ServiceID, _ notice: any ServiceNotice) {
    needsSave = true
    if let (lost, order) = notices.keep(id, notice) { emit(.order(lost, order)) }
  }

  mutating func launch(_ client: ClientID, _ reason: LaunchReason) {
    guard status(of: client)?.isAttached == false, launchTable.add(client, reason, at: now) else { return }
    needsSave = true
    emit(.launch(client, reason))
  }
}
