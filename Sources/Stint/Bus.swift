import StintBus
import StintFormats
import StintGovernor
import StintLanguage
public import StintModel
import StintPluginHost
import StintRuntime
public import StintServices
public import StintUnits

/// Runs sensors and radios under policies inside a host app.
///
/// Several buses can exist in one process. Each has its own thread and shares no state with the other buses.
public actor Bus {
  private let thread: LoopThread
  private let host: Host
  private let time: BusTime
  private let calls: ServiceCalls
  private let vocabulary: Vocabulary
  /// The facts that apps publish, by path.
  private let declared: [String: FactSchema]
  private var policies: [CheckedPolicy] = []
  /// The completion of the most recent call of `load(policies:)`.
  private var lastLoad: CompletionEvent?
  private var attached: Set<String> = []
  /// The client that published each fact last, by path of the fact.
  private var publishers: [String: String] = [:]
  private var nextDemand: Int64 = 1
  private var life = BusLife()

  /// The phase of the bus's life cycle. In every phase except `running`, throwing functions throw
  /// `Problem.closed`.
  public var state: State { life.state }

  /// Opens a bus and its devices. The app must call `close()` when it no longer needs the bus.
  ///
  /// Schedules and budgets use local time, with correct lengths of days when the clocks change. Time zones
  /// have the format of `stint run --time-zone`: `host`, `UTC+1`, `Europe/Berlin`,
  /// `CET-1CEST,M3.5.0,M10.5.0/3`. The default is `host` for the system clock and `UTC` for virtual time.
  ///
  /// - Parameters:
  ///   - source: the devices.
  ///   - clock: the time source.
  ///   - name: the time zone; nil for the default.
  ///   - facts: the facts that apps publish with `Client.publish(_:_:)` and that policies may read.
  ///   - file: the path of the file that saves services which outlive the process; nil saves no services.
  ///   - types: the app's own types of services and notices that the file may contain.
  ///   - onLaunch: called with a client name and a reason when a service needs its client. The app then
  ///     attaches that client.
  ///   - onSentence: called to show a message of a client to the user.
  ///   - onOrder: called to carry out an order of a service, such as a transfer. The app sends the result to
  ///     the service with `Client.send(_:_:)`. Without this handler, sessions of transfers are refused.
  ///   - onAct: called when a rule performs `emit`, `tell` or `launch`, and when a requirement is violated.
  ///
  /// The handlers are called on the thread of the bus, in the order of events. They must not block.
  ///
  /// - Throws: `Problem`: `badTimeZone`, `badFact`, `unreadable`, `badPlugin`, or `closed` when the system
  ///   cannot start a thread.
  public init(
    plugins source: PluginSource, clock: Clock = .system, timeZone name: String? = nil,
    facts: [AppFact] = [], services file: String? = nil, types: [any Persistent.Type] = [],
    onLaunch: (@Sendable (_ client: String, _ reason: String) -> Void)? = nil,
    onSentence: (@Sendable (_ client: String, _ sentence: String) -> Void)? = nil,
    onOrder: (@Sendable (_ client: String, _ service: String, _ order: any ServiceOrder) -> Void)? = nil,
    onAct: (@Sendable (_ act: PolicyAct) -> Void)? = nil
  ) async throws(Problem) {
    let timeZone = try Self.rules(of: name, clock)
    let schemas = try Self.schemas(of: facts)
    let services = try Self.services(file, types)
    // Create the thread before the devices, because the devices notify it. When a later step fails, the
    // thread is shut down.
    let thread = try Self.thread()
    let time = BusTime(clock, timeZone, on: thread.loop)
    let plugins: PluginSet
    do throws(Problem) {
      plugins = try Self.plugins(source, onReady: time.notification())
      try Self.check(schemas, against: plugins)
    } catch {
      thread.shutdown()
      throw error
    }
    declared = schemas
    vocabulary = Self.vocabulary(plugins.manifests, schemas)
    let handlers = BusHandlers(
      onLaunch: onLaunch, onSentence: onSentence, onOrder: onOrder, onAct: onAct)
    let calls = ServiceCalls(plugins, handlers)
    let host = Host(
      governor: Governor(vocabulary: vocabulary, timeZone: timeZone, at: time.start), plugins: plugins,
      observer: calls)
    calls.connect(host)
    self.calls = calls
    self.time = time
    self.host = host
    self.thread = thread
    thread.start {
      await host.open()
      if let services {
        await host.serve(keeping: services.file, restoring: services.saved, at: time.start)
      }
      await time.run(host)
      await host.close(at: time.now)
      calls.close()
    }
    // Return only when every device is open or has failed with a reason.
    await host.submit([Input](), notify: time.notify)
    life.run()
  }

  deinit {
    // A bus that is released without `close()` switches its devices off; its thread ends on its own.
    guard life.state < .closing else { return }
    time.stop()
    thread.abandon()
  }

  /// Ends all streams and demands, switches all devices off and ends the thread of the bus.
  ///
  /// Pending and later calls throw `Problem.closed`. May be called several times: every call returns after
  /// the bus is closed.
  public func close() async {
    guard life.close() else {
      await closed()
      return
    }
    time.stop()
    await thread.finish()
    for waiter in life.end() { waiter.resume() }
  }

  private func closed() async {
    guard life.state < .closed else { return }
    await withCheckedContinuation { life.wait($0) }
  }

  /// Loads policies and replaces the policies in force.
  ///
  /// The path names a policy file, a policy image or a folder of policy files. The bus checks and compiles
  /// the policies on a separate thread, so samples and demands continue. Concurrent calls take effect in the
  /// order of the calls.
  ///
  /// - Throws: `Problem`: `badPolicy` when a policy has errors or an image is not safe for these devices,
  ///   `unreadable` when a file cannot be read. After an error, the former policies stay in force.
  public func load(policies path: String) async throws(Problem) {
    try await load { vocabulary, governor throws(Problem) in
      try Self.prepared(path, Self.files(at: path), vocabulary, governor)
    }
  }

  /// Loads one policy from its text, and replaces the policies in force, as `load(policies:)` does.
  ///
  /// - Parameter name: the file name in messages.
  /// - Throws: `Problem.Code.badPolicy` when the policy has errors. The policies in force then stay.
  public func load(text: String, named name: String = "app.stint") async throws(Problem) {
    try await load { vocabulary, governor throws(Problem) in
      try Self.prepared(name, [(name, Array(text.utf8))], vocabulary, governor)
    }
  }

  private func load(
    _ prepare:
      @escaping @Sendable (Vocabulary, Governor) throws(Problem) -> (
        PolicyLoader.Loaded, PreparedProgram
      )
  ) async throws(Problem) {
    try mustRun()
    // Loads take effect in the order of the calls, so the last call determines the policies in force.
    let before = lastLoad
    let done = CompletionEvent()
    lastLoad = done
    let vocabulary = vocabulary
    let governor = await host.snapshot
    let result = await Spawner.runOnThread { () -> Result<(PolicyLoader.Loaded, PreparedProgram), Problem> in
      Result { () throws(Problem) in try prepare(vocabulary, governor) }
    }
    await before?.wait()
    defer { done.end() }
    let (loaded, program) = try result.get()
    try mustRun()
    try Problem.check(await submit { host, notify in await host.submit(program, notify: notify) })
    policies = loaded.policies
  }

  /// Attaches an app, or a part of an app, as a client. Reports use its name.
  ///
  /// Notices that its services produced while it was detached are available from `Client.notices(of:)`.
  ///
  /// - Parameters:
  ///   - name: the name of the client: one line of at most 256 bytes, not empty.
  ///   - authorized: the user's decision about this client.
  ///   - mayBackground: whether the app is built to continue in the background.
  ///
  /// - Throws: `Problem`: `badRequest` for an invalid name, `closed`.
  public func attach(
    _ name: String, authorized: Client.Authorization, mayBackground: Bool = true
  ) async throws(Problem) -> Client {
    try mustRun()
    if let rejectionReason = InputBounds.rejectionReason(forName: name) {
      throw Problem(.badRequest, cause: "a client: \(rejectionReason)")
    }
    attached.insert(name)
    try Problem.check(
      await serve(.attach(ClientID(name), authorization: authorized, mayBackground: mayBackground)))
    return Client(name: name, bus: self)
  }

  /// Returns why a device is on or off now, and which changes would switch it. A closed bus reports its last
  /// state.
  public func why(_ device: String) async -> String {
    WhyReport(device: DeviceID(device), governor: await host.snapshot, policies: policies).text
  }

  /// The current time of the bus, since 1970-01-01T00:00:00Z.
  public nonisolated var now: Duration { .nanoseconds(time.now.nanoseconds) }

  /// Advances virtual time by a span. No other call advances it.
  ///
  /// Returns when every event up to the new time has been handled. While a reader processes an element,
  /// virtual time does not advance. So the reader gets every element at the virtual time of the element's
  /// delivery. Virtual time does not wait for a reader that has left its loop or that calls this function. It
  /// does not advance for at most one second of the system's clock. Returns early when the task is cancelled.
  ///
  /// - Throws: `Problem`: `badRequest` when the bus follows the system's clock or the span is negative,
  ///   `closed` when the bus is closed or closes meanwhile.
  public func advance(by span: Duration) async throws(Problem) {
    try mustRun()
    try await time.advance(by: span)
    try mustRun()
  }

  // MARK: Calls

  private func mustRun() throws(Problem) {
    guard life.state == .running else { throw .closed }
  }

  /// Submits work to the host and waits until the host has processed it.
  private func submit(
    _ work: @Sendable (Host, @escaping @Sendable () -> Void) async -> SubmissionOutcome
  ) async -> SubmissionOutcome {
    guard life.state == .running else { return .closed }
    return await work(host, time.notify)
  }

  private func submit(_ inputs: [Input]) async -> SubmissionOutcome {
    await submit { host, notify in await host.submit(inputs, notify: notify) }
  }

  /// Sends an input to the services. Does nothing when the bus is not running.
  @discardableResult
  func serve(_ input: ServiceInput) async -> SubmissionOutcome {
    await submit { host, notify in await host.submit([input], notify: notify) }
  }

  // MARK: Facts

  func publish(_ path: String, _ value: AppFact.Value, by client: String) async throws(Problem) {
    try mustRun()
    guard attached.contains(client) else {
      throw Problem(.detached, cause: "“\(client)” is detached from the bus", remedy: "attach it again")
    }
    guard path != AppFact.state.path else {
      throw Problem(
        .badFact, cause: "“\(path)” follows from the presence of the clients", remedy: "call setPresence")
    }
    guard let schema = declared[path], let fact = vocabulary.fact(path) else {
      throw Problem(.badFact, cause: undeclared(path))
    }
    let factValue = try value.converted(as: schema)
    publishers[path] = client
    try Problem.check(await submit([Input.fact(fact, factValue)]))
  }

  private func undeclared(_ path: String) -> String {
    if let device = vocabulary.schema(path)?.device {
      return "“\(path)” is published by \(device), not by apps"
    }
    let known = declared.keys.sorted().joined(separator: ", ")
    return "“\(path)” is not declared; add it to the facts of the bus"
      + (known.isEmpty ? "" : "; declared facts: \(known)")
  }

  /// Detaches a client: its streams end, and the facts that it published become unknown.
  func detach(_ client: String) async {
    guard life.state == .running else { return }
    attached.remove(client)
    let paths = publishers.filter { $0.value == client }.keys.sorted()
    for path in paths { publishers[path] = nil }
    let unknown = paths.compactMap { vocabulary.fact($0) }.map { Input.fact($0, .unknown) }
    if !unknown.isEmpty { _ = await submit(unknown) }
    await serve(.detach(ClientID(client)))
    calls.detach(ClientID(client))
  }

  // MARK: Demands

  /// The samples of one demand and the service that holds the demand.
  struct SampleStream: Sendable {
    let service: ServiceID
    let batches: Batches
  }

  /// The prefix of the names of services that the bus creates to hold demands.
  private static let demandPrefix = "#"

  /// Raises a demand for a client. Throws when the device has no samples, the request is invalid, or the
  /// client lacks permission.
  func open(_ request: DemandRequest, for client: String) async throws(Problem) -> SampleStream {
    try mustRun()
    let device = try request.target.device(in: vocabulary, isLost: calls.isLost)
    if let rejectionReason = request.rejectionReason { throw Problem(.badRequest, cause: rejectionReason) }
    let demand = DemandID(nextDemand)
    nextDemand += 1
    let id = ServiceID(ClientID(client), "\(Self.demandPrefix)\(demand.number)")
    let feed = DemandFeed(onWait: time.readerWaits)
    calls.open(feed, for: id)
    await host.reserve(feed.channel, for: demand)
    let sampleRequest = SampleRequest(demand, target: device, wants: request.wants)
    let outcome = await serve(.ask(id, sampleRequest, receivers: .both))
    do throws(Problem) {
      try Problem.check(outcome)
      if let refusal = calls.consumeRefusal(id) { throw Problem.refusal(refusal) }
      if case .failed(let failure) = feed.channel.end { throw failure }
      if case .unavailable(let reason) = feed.status { throw Problem(.unavailable, cause: reason) }
    } catch {
      await serve(.end(id))
      calls.closeFeed(of: id)
      await host.cancelReservation(of: demand)
      throw error
    }
    let events = DemandEvents(feed, request: request, time: time)
    return SampleStream(service: id, batches: Batches(events: events))
  }

  func end(_ stream: SampleStream) async {
    await serve(.end(stream.service))
    calls.closeFeed(of: stream.service)
  }

  // MARK: Services

  func ask(_ id: ServiceID, _ request: any ServiceRequest) async throws(Problem) -> Notices {
    try mustRun()
    guard !id.name.hasPrefix(Self.demandPrefix) else {
      throw Problem(
        .invalid, cause: "“\(id.name)” begins with “\(Self.demandPrefix)”, which is reserved for demands")
    }
    let box = calls.prepare(id, maxAge: request.makeService().maxAge)
    let outcome = await serve(.ask(id, request, receivers: .both))
    let currentBox = calls.box(id, preparedAs: box)
    try Problem.check(outcome)
    if let refusal = calls.consumeRefusal(id) {
      let devices = request.makeService().candidates(vocabulary.roles)
      guard refusal.code == .unavailable, !devices.isEmpty else { throw Problem(refusal) }
      throw Problem(.unavailable, cause: calls.unavailability(of: devices))
    }
    return Notices(box: currentBox, time: time)
  }

  func send(_ id: ServiceID, _ command: any ServiceCommand) async throws(Problem) {
    try mustRun()
    try Problem.check(await serve(.command(id, command)))
    if let refusal = calls.consumeRefusal(id) { throw Problem(refusal) }
  }

  /// Returns the notices of a service. An earlier process of the client may have requested the service.
  func notices(of id: ServiceID) async -> Notices {
    let maxAge = await host.serviceBoard.maxAge(of: id)
    let box = calls.claimBox(id, isStanding: maxAge != nil)
    if let maxAge { box.maxAge = maxAge }
    return Notices(box: box, time: time)
  }

  func end(_ id: ServiceID) async { await serve(.end(id)) }
}
