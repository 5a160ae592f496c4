import StintFormats
public import StintGovernor
public import StintModel
import StintPluginKit
public import StintRuntime
public import StintServices
public import StintUnits

/// The client programs that are connected to a daemon through its socket.
///
/// Client programs make requests to the service board like all other clients, so the same rules for
/// permission, background and rate apply. Messages become inputs of the board, and effects of the board
/// become lines. When a connection ends for any reason, all requests of its client end in the same step.
public final class ClientConnections: HostObserver {
  /// The maximum number of attached client programs.
  public static let maxClients = 256
  /// The maximum number of running requests of a client program.
  static let maxRequests = 64

  private struct Guest {
    let connection: ControlConnection
    var session: ClientSession
    let permission: ClientAccess.Permission
  }

  private struct State {
    var guests: [ClientID: Guest] = [:]
    /// The request that raised each demand of a client program.
    var owners: [DemandID: ServiceID] = [:]
    var outlooks = OutlookQueue()
    /// True after `close`: no client is attached, and none can attach.
    var isClosed = false
  }

  private let access: ClientAccess
  private let vocabulary: Vocabulary
  private let declared: Set<String>
  let names: ClientNames
  private let states: DemandStates
  private let loop: LoopExecutor
  private let log: RunLog
  private let notify: @Sendable () -> Void
  let unreceived: UnreceivedEvents
  /// The publishers of facts, including the facts that an app publishes.
  let publishers = FactPublishers()
  private let state = Locked(State())

  /// Makes the connections without attached clients.
  ///
  /// - Parameters:
  ///   - declared: the paths of the facts that clients may publish.
  ///   - reserved: the names of the clients in the site or scenario, which no program may use.
  ///   - ends: determines the instant at which the status of a demand ends.
  ///   - loop: sends the outlooks that other threads calculate.
  ///   - notify: makes the host call `attend`; may be called from any thread.
  ///   - log: receives a line when a client attaches or leaves.
  init(
    _ access: ClientAccess, vocabulary: Vocabulary, declared: Set<String>, reserved: Set<ClientID>,
    states: DemandStates, on loop: LoopExecutor, log: RunLog, notify: @escaping @Sendable () -> Void
  ) {
    self.access = access
    self.states = states
    self.vocabulary = vocabulary
    self.declared = declared
    names = ClientNames(reserved)
    self.loop = loop
    self.log = log
    unreceived = UnreceivedEvents(log)
    self.notify = notify
  }

  /// The number of attached client programs.
  public var count: Int { state.withLock { $0.guests.count } }

  // MARK: Connections

  /// Attaches the client of a connection whose first line was `line`. When the client is refused, sends the
  /// reason and closes the connection.
  public func open(
    _ connection: ControlConnection, first line: String, _ host: isolated Host, at instant: Instant
  ) async {
    do throws(Problem) {
      guard line.utf8.count <= ControlConnection.maxLine else { throw Self.tooLarge }
      let client = try ClientMessageReader.firstMessage(of: line, requests: .all)
      // A program that was killed and started again may attach before the end of its first connection has
      // been processed.
      await attend(client, host, at: instant)
      guard !state.withLock({ $0.isClosed }) else {
        throw Problem(.closed, cause: "the daemon ends", remedy: "attach to its successor")
      }
      let permission = try permission(of: client, connection, host)
      try names.claim(client, as: .program)
      let guest = Guest(connection: connection, session: ClientSession(client), permission: permission)
      state.withLock { $0.guests[client] = guest }
      log("“\(client)” attached\(connection.user.map { " as user \($0)" } ?? "")", about: .attached(client))
      let attachment = ServiceInput.attach(
        client, permissions: permission.permissions, mayBackground: permission.mayBackground)
      await host.serve([attachment], at: instant)
      let permissions = host.serviceBoard.status(of: client)?.permissions ?? permission.permissions
      connection.send(.attached(client, permissions))
    } catch {
      connection.send(.problem(error.ofRequest, nil))
      connection.finish()
    }
  }

  private static let tooLarge = Problem(
    .tooLarge, cause: "a message is longer than 1 MiB", remedy: "send shorter messages")

  private func permission(
    of client: ClientID, _ connection: ControlConnection, _ host: isolated Host
  ) throws(Problem) -> ClientAccess.Permission {
    guard count < Self.maxClients else {
      throw Problem(
        .tooMany, cause: "\(Self.maxClients) client programs are attached", remedy: "end one of them")
    }
    guard names.owner(of: client) != nil || host.serviceBoard.status(of: client) == nil else {
      // The app detached this client; a program must get neither its services nor its notices.
      throw Problem(
        .inUse, cause: "“\(client)” is the name of a client of the app or of a policy",
        remedy: "use another name")
    }
    return try access.permission(
      for: client, user: connection.user, isTrusted: connection.isTrusted, declared: declared)
  }

  /// Processes the received messages of all clients, and detaches the clients whose connections have ended.
  ///
  /// - Parameter policies: the policies of the run, for outlooks.
  func attend(_ host: isolated Host, _ policies: PolicyStore, at instant: Instant) async {
    for client in state.withLock({ $0.guests.keys.sorted() }) { await attend(client, host, at: instant) }
    while let (client, device) = state.withLock({ $0.outlooks.begin() }) {
      calculateOutlook(device, client, policies, host, at: instant)
    }
  }

  /// Calculates an outlook on another thread. On the thread of the loop, the calculation would delay steps
  /// and other answers.
  private func calculateOutlook(
    _ device: DeviceID, _ client: ClientID, _ policies: PolicyStore, _ host: isolated Host,
    at instant: Instant
  ) {
    guard let connection = state.withLock({ $0.guests[client]?.connection }),
      let question = OutlookQuestion(
        device, of: client, policies: policies.loaded.policies, host, at: instant)
    else { return state.withLock { $0.outlooks.finish() } }
    Spawner.start(on: loop) { [self] in
      let answer = await Spawner.runOnThread { question.message }
      state.withLock { $0.outlooks.finish() }
      connection.send(answer)
      notify()
    }
  }

  /// Detaches all clients, and refuses later clients, because the daemon ends.
  public func close(_ host: isolated Host, at instant: Instant) async {
    state.withLock { $0.isClosed = true }
    for client in state.withLock({ $0.guests.keys.sorted() }) {
      await leave(client, end: .closed, host, at: instant)
    }
  }

  /// Processes the received messages of a client, and detaches it when its connection has ended.
  private func attend(_ client: ClientID, _ host: isolated Host, at instant: Instant) async {
    guard let connection = state.withLock({ $0.guests[client] })?.connection else { return }
    for line in connection.drainLines() { await handle(line, of: client, host, at: instant) }
    if connection.isEnded { await leave(client, host, at: instant) }
  }

  /// Detaches a client. When `end` is not nil, the client gets `end` as the last message about each request.
  private func leave(
    _ client: ClientID, end: ServiceEnd? = nil, _ host: isolated Host, at instant: Instant
  ) async {
    guard let guest = state.withLock({ $0.guests[client] }) else { return }
    if guest.connection.isOverlong {
      send(Self.tooLarge, nil, to: guest)
    }
    discardFiles(guest, host)
    if let end {
      for number in guest.session.numbers { served(.over(guest.session.service(number), end), at: instant) }
    }
    // Removing the client also ends services that would outlive the process of an app: the daemon cannot
    // start a client program again for them.
    await host.serve([.remove(client)], at: instant)
    await host.publish(
      publishers.remove(client).compactMap { path in vocabulary.fact(path).map { ($0, .unknown) } },
      at: instant)
    guest.connection.finish { [unreceived] in unreceived.add($0, of: client) }
    state.withLock {
      $0.guests[client] = nil
      $0.outlooks.remove(client)
    }
    names.release(client)
    log("“\(client)” left", about: .left(client))
  }

  // MARK: Messages

  private func handle(_ line: String, of client: ClientID, _ host: isolated Host, at instant: Instant) async {
    guard let guest = state.withLock({ $0.guests[client] }) else { return }
    do throws(Problem) {
      switch try ClientMessageReader.message(of: line, requests: .all) {
      case .attach:
        throw Problem(.order, cause: "this connection is attached already", remedy: "open another connection")
      case .request(let number, let request): try await ask(number, request, guest, host, at: instant)
      case .command(let number, let command):
        try guest.session.requireRunning(number)
        let service = guest.session.service(number)
        let commands = try commands(command, number, guest, host).map { ServiceInput.command(service, $0) }
        // “received” contains no command for the session, but the host must take a step. Without a step, the
        // carrier would get the order to remove the file only with the next event, perhaps hours later.
        await host.serve(commands, at: instant)
      case .end(let number):
        try guest.session.requireRunning(number)
        discardFiles(guest, host) { $0 == number }
        await host.serve([.end(guest.session.service(number))], at: instant)
      case .presence(let inForeground):
        await host.serve([.presence(client, inForeground ? .foreground : .background)], at: instant)
      case .outlook(let device):
        try state.withLock { state throws(Problem) in try state.outlooks.add(client, device) }
      case .publish(let facts): try await publish(facts, guest, host, at: instant)
      }
    } catch {
      send(error.ofRequest, ClientMessageReader.number(in: line), to: guest)
    }
  }

  /// Returns the commands in a message. For a “received” command, also discards the file of the task.
  private func commands(
    _ command: JSONValue, _ number: Int64, _ guest: Guest, _ host: Host
  ) throws(Problem) -> [any ServiceCommand] {
    let message = try ClientCommands.message(command, to: guest.session.commandType(to: number))
    switch message as? TransferClientCommand {
    case .task(_, let request):
      if case .upload = request.kind, !guest.connection.isTrusted {
        // The carrier may be able to read files that the user of the program cannot read.
        throw Problem(
          .notPermitted, cause: "only root and the daemon's own user may upload files",
          remedy: "run the program as this user")
      }
    case .received(let task):
      let file = state.withLock {
        $0.guests[guest.session.client]?.session.removeFile(of: task, for: number)
      }
      guard let file else {
        throw Problem(.absent, cause: "task “\(task)” has no file", remedy: "wait for its “finished”")
      }
      host.queue(.discard(file), of: guest.session.service(number))
    case .cancel, .promote, .credentials, nil: break
    }
    return message.commands
  }

  /// Discards the unread files of the requests for which `isMeant` returns true.
  private func discardFiles(_ guest: Guest, _ host: Host, of isMeant: (Int64) -> Bool = { _ in true }) {
    for (number, file) in guest.session.files where isMeant(number) {
      host.queue(.discard(file), of: guest.session.service(number))
    }
  }

  private func ask(
    _ number: Int64, _ request: any ClientRequest, _ guest: Guest, _ host: isolated Host, at instant: Instant
  ) async throws(Problem) {
    guard !guest.session.isRunning(number) else {
      throw Problem(
        .duplicate, cause: "request \(number) is running", remedy: "use another number, or end it")
    }
    guard guest.session.count < Self.maxRequests else {
      throw Problem(
        .full, cause: "“\(guest.session.client)” has \(Self.maxRequests) requests",
        remedy: "end one of them")
    }
    guard let request = request as? any NamedRequest else {
      throw Problem(.unknownName, cause: "no service handles requests of this kind")
    }
    if let samples = request as? RawSamples { _ = try vocabulary.sensor(named: samples.target) }
    guard !request.needsCarrier || !vocabulary.roles.devices(.carrier).isEmpty else {
      throw Problem(
        .unavailable, cause: "nothing carries out the transfers of programs",
        remedy: "add the plugin of a carrier")
    }
    await host.serve([.ask(guest.session.service(number), request, receivers: .both)], at: instant)
    state.withLock { $0.guests[guest.session.client]?.session.setCommandType(of: request, to: number) }
  }

  private func publish(
    _ facts: [FactAssignment], _ guest: Guest, _ host: isolated Host, at instant: Instant
  ) async throws(Problem) {
    var values: [(fact: Int, value: FactValue)] = []
    for assignment in facts {
      guard let fact = vocabulary.fact(assignment.path), declared.contains(assignment.path) else {
        throw vocabulary.undeclared(assignment.path, declared: declared)
      }
      guard guest.permission.facts.contains(assignment.path) else {
        let known = guest.permission.facts.sorted().joined(separator: ", ")
        throw Problem(
          .notPermitted, place: assignment.path, cause: "“\(guest.session.client)” may not publish this fact",
          remedy: known.isEmpty ? "declare it in the site" : "it may publish \(known)")
      }
      values.append((fact, try assignment.value(of: vocabulary.facts[fact])))
    }
    for assignment in facts { publishers.record(assignment.path, by: guest.session.client) }
    await host.publish(values, at: instant)
  }

  // MARK: Effects

  public var observesDeliveries: Bool { false }

  public func served(_ effect: ServiceEffect, at instant: Instant) {
    switch effect {
    case .accepted(let id):
      change(id) { guest, number in
        guest.session.addRequest(number)
        return DaemonMessage(accepted: .init(id: number))
      }
    case .refused(let id, let failure), .refusedCommand(let id, let failure):
      let failure = states.explained(failure, at: instant)
      change(id) { _, number in DaemonMessage(problem: .init(failure, of: number)) }
    case .notice(let id, let notice):
      // The requests of programs have numbers as names.
      guard Int64(id.name) != nil, names.isOfApp(id.client) == false,
        let content = ClientEvent.content(of: notice, vocabulary)
      else { return }
      if case TransferNotice.finished(let task, let file?) = notice {
        change(id) { guest, number in
          guest.session.keep(file, of: task, for: number)
          return nil
        }
      }
      event(content, id, isPromised: notice.promisesPersistence)
    case .over(let id, let end):
      change(id) { guest, number in
        guard guest.session.isRunning(number) else { return nil }
        Self.sendLost(number, &guest)
        guest.session.removeRequest(number)
        return .ended(number, end)
      }
    // The user must decide about a permission, or is informed that a client has lost a permission.
    case .notifyUser(let client, let sentence):
      if names.isOfApp(client) == false { log("to the user: \(sentence)") }
    case .permissions(let client, let permissions):
      guard let guest = state.withLock({ $0.guests[client] }) else { return }
      guest.connection.send(DaemonMessage(permissions: permissions))
    default: return
    }
  }

  public func demanded(_ demand: Demand, by service: ServiceID, at instant: Instant) {
    state.withLock { if $0.guests[service.client] != nil { $0.owners[demand.id] = service } }
  }

  public func granted(_ grant: Grant, to demand: Demand, in governor: borrowing Governor, at now: Instant) {
    guard let id = state.withLock({ $0.owners[demand.id] }) else { return }
    let status = StatusEvent(states.state(of: grant, to: demand, governor, at: now))
    change(id) { guest, number in
      guest.session.storeStatus(status, of: demand.target, for: number) ? .event(number, status) : nil
    }
  }

  public func released(_ demand: Demand, at instant: Instant) {
    state.withLock { $0.owners[demand.id] = nil }
  }

  /// Sends an event, or drops and counts it when the client reads too slowly. The acceptance and the result
  /// of a task are not dropped; a client that does not read at all is disconnected.
  private func event(_ content: any ClientEventContent, _ id: ServiceID, isPromised: Bool) {
    change(id) { guest, number in
      guard guest.connection.hasRoom || isPromised else {
        guest.session.lose(number)
        unreceived.addDropped()
        return nil
      }
      Self.sendLost(number, &guest)
      return .event(number, content)
    }
  }

  private static func sendLost(_ number: Int64, _ guest: inout Guest) {
    let lost = guest.session.takeLost(number)
    if lost > 0 { guest.connection.send(.event(number, LostEvent(lost: Int64(lost)))) }
  }

  /// Changes the session of a request's client, and sends the returned message.
  private func change(_ id: ServiceID, _ body: (inout Guest, Int64) -> DaemonMessage?) {
    guard let number = Int64(id.name) else { return }
    let (connection, message) = state.withLock { state -> (ControlConnection?, DaemonMessage?) in
      guard var guest = state.guests[id.client] else { return (nil, nil) }
      let message = body(&guest, number)
      state.guests[id.client] = guest
      return (guest.connection, message)
    }
    if let connection, let message { connection.send(message) }
  }

  private func send(_ problem: Problem, _ number: Int64?, to guest: Guest) {
    guest.connection.send(.problem(problem, number))
  }
}
