import StintDaemon
import StintFormats
import StintGovernor
import StintLanguage
public import StintModel
import StintRuntime
public import StintServices
public import StintUnits

/// Runs sensors and radios under policies inside an app.
///
/// Several buses can exist in one process. Each has its own thread and shares no state with the other buses.
public actor Bus {
  private let thread: LoopThread
  let run: DaemonRun
  let time: BusTime
  let streams: ServiceCalls
  private let calls: BusCalls
  private var facts: PublishedFacts
  private var attachments = Attachments()
  private let topics = TopicRegistry()
  private var life = BusLife()

  /// The phase of the bus's life cycle. In every phase except `running`, throwing functions throw
  /// `Problem.Code.closed`.
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
  ///   - file: the path of the file that saves services which outlive the process; nil saves no services. A
  ///     damaged file is renamed to `PATH.refused`, and `onEvent` gets the problem. Throws when the file was
  ///     not written by Stint, and when another bus uses it.
  ///   - types: the app's own types of services and notices that the file may contain.
  ///   - files: the files that the bus watches or writes, and its socket.
  ///   - onLaunch: called with a client name and a reason when a service needs its client. The app then
  ///     attaches that client.
  ///   - onSentence: called to show a message of a client to the user.
  ///   - onOrder: called to carry out an order of a service, such as a transfer. The app sends the result to
  ///     the service with `Client.send(_:_:)`. Without this handler, sessions of transfers are refused.
  ///   - onAct: called when a rule performs `emit`, `tell` or `launch`, and when a requirement is violated.
  ///   - onEvent: called with each decision of the governor, each refusal and each message of the run.
  ///
  /// The handlers are called on threads of the bus and must not block. Calls about decisions, services and
  /// actions come in the order of events. Messages of `onEvent` about files may come at any time, also before
  /// this initializer returns.
  ///
  /// - Throws: `Problem`: `badTimeZone`, `badFact`, `unreadable`, `badPlugin`, `badPolicy`, `noSuchDevice`,
  ///   `invalid`, `inUse`, the problem of a file, or `closed` when the system cannot start a thread.
  public init(
    plugins source: PluginSource, clock: Clock = .system, timeZone name: String? = nil,
    facts: [AppFact] = [], services file: String? = nil, types: [any Persistent.Type] = [],
    files: Files = Files(),
    onLaunch: (@Sendable (_ client: String, _ reason: String) -> Void)? = nil,
    onSentence: (@Sendable (_ client: String, _ sentence: String) -> Void)? = nil,
    onOrder: (@Sendable (_ client: String, _ service: String, _ order: any ServiceOrder) -> Void)? = nil,
    onAct: (@Sendable (_ act: PolicyAct) -> Void)? = nil, onEvent: (@Sendable (_ event: Event) -> Void)? = nil
  ) async throws(Problem) {
    let parts = try BusParts(source, clock, timeZone: name, facts: facts, files: files, services: file)
    // Create the thread before the devices, because the devices notify it. When a later step fails, the
    // thread is shut down.
    let thread = try BusParts.thread()
    let handlers = BusHandlers(
      onLaunch: onLaunch, onSentence: onSentence, onOrder: onOrder, onAct: onAct)
    do throws(Problem) {
      (run, streams) = try parts.open(on: thread.loop, services: file, types, handlers, onEvent)
    } catch {
      thread.shutdown()
      throw error
    }
    self.thread = thread
    time = BusTime(run.time)
    self.facts = PublishedFacts(parts.declared, run.vocabulary, run.publishers)
    calls = BusCalls(run, time, streams, run.vocabulary)
    thread.start { [run, streams] in
      _ = await run.run()
      streams.close()
    }
    // Return after the first step. Then each device is open, has failed with a reason, or has had 100 ms to
    // open: a process of a plugin may need longer.
    await calls.publish([])
    life.run()
  }

  deinit {
    // A bus that is released without `close()` switches its devices off; its thread then ends by itself.
    guard life.state < .closing else { return }
    topics.close()
    streams.facts.close()
    time.stop()
    thread.abandon()
  }

  /// Ends all streams and demands, switches all devices off and ends the thread of the bus.
  ///
  /// Pending and later calls throw `Problem.Code.closed`. May be called several times: every call returns
  /// after the bus is closed.
  public func close() async {
    guard life.close() else {
      guard life.state < .closed else { return }
      return await withCheckedContinuation { life.wait($0) }
    }
    topics.close()
    streams.facts.close()
    // The next process of a client gets the notices that the client has not read.
    let unread = streams.unread
    if !unread.isEmpty { _ = await run.submit(unread) }
    time.stop()
    await thread.finish()
    for waiter in life.end() { waiter.resume() }
  }

  /// Keeps the bus open until the task is cancelled or `close()` is called, and returns after the bus is
  /// closed. Use it in an app whose life cycle consists of services that run until they are cancelled.
  public func run() async {
    let ended = Promise<Void>()
    guard life.notify(ended) else { return await close() }
    await withTaskCancellationHandler {
      await ended.value()
    } onCancel: {
      ended.fill(())
    }
    await close()
  }

  // MARK: Policies

  /// Loads policies and replaces the policies in force.
  ///
  /// The path names a policy file, a policy image or a folder of policy files. The bus checks and compiles
  /// the policies on a separate thread, so samples and demands continue. Concurrent calls take effect in the
  /// order of the calls.
  ///
  /// - Throws: `Problem`: `badPolicy` when a policy has errors, when a device with `required` is missing, or
  ///   when an image is not safe for these devices; `noSuchDevice` when no rule can have an effect because
  ///   its devices are missing; `unreadable` when a file cannot be read or a folder contains no policy;
  ///   `notSaved` when the policies cannot be saved in the state file; `closed`. After an error, the former
  ///   policies stay in force.
  public func load(policies path: String) async throws(Problem) {
    let texts = BusPolicies(run.vocabulary)
    try await change(.supplied { try texts.load(at: path) })
  }

  /// Loads one policy from its text, and replaces the policies in force, as `load(policies:)` does.
  ///
  /// - Parameters:
  ///   - text: the policy, in the language of policies.
  ///   - name: the file name in messages.
  /// - Throws: `Problem`: `badPolicy`, `noSuchDevice`, `notSaved` or `closed`, as in `load(policies:)`.
  public func load(text: String, named name: String = "app.stint") async throws(Problem) {
    let texts = BusPolicies(run.vocabulary)
    try await change(.supplied { try texts.load([(name, Array(text.utf8))]) })
  }

  /// The policies in force, such as `trail version 2`, in the order of their files.
  public nonisolated var policies: [String] {
    run.policies.loaded.policies.map { "\($0.name) version \($0.version)" }
  }

  /// Puts the previous generation of policies in force again.
  ///
  /// - Throws: `Problem`: `badPolicy` when there is no earlier generation; `notSaved` and `closed`, as in
  ///   `load(policies:)`.
  public func rollBack() async throws(Problem) { try await change(.rollback) }

  private func change(_ kind: PolicyEdit.Kind) async throws(Problem) {
    try mustRun()
    guard let outcome = await run.change(kind) else { throw .closed }
    guard !outcome.isDone else { return }
    throw outcome.cause ?? Problem(.badPolicy, cause: outcome.text)
  }

  // MARK: Time

  /// The current time of the bus, since 1970-01-01T00:00:00Z.
  public nonisolated var now: Duration { .nanoseconds(time.now.nanoseconds) }

  /// Advances virtual time by a span. No other call advances it.
  ///
  /// Returns when every event up to the new time has been handled. While a reader processes an element,
  /// virtual time does not advance. So the reader gets every element at the virtual time of the element's
  /// delivery. Virtual time does not wait for a reader that has left its loop or that calls this function. It
  /// waits for a reader for at most five seconds of real time. Returns early when the task is cancelled.
  ///
  /// A simulated phone needs about half a second for a day. The span must be from 0 s to 70 years.
  ///
  /// - Throws: `Problem`: `invalid` when the bus follows the system's clock or the span is out of range,
  ///   `closed` when the bus is closed or closes meanwhile.
  public func advance(by span: Duration) async throws(Problem) {
    try mustRun()
    try await time.advance(by: span)
    try mustRun()
  }

  /// Returns the topic with a name, for messages of one type between the parts of an app.
  ///
  /// - Throws: `Problem`: `invalid` when the topic exists with another type, or for an invalid name;
  ///   `closed`.
  public nonisolated func topic<Message: Sendable>(
    _ name: String, of type: Message.Type
  ) throws(Problem) -> Topic<Message> {
    if let rejectionReason = InputBounds.rejectionReason(forName: name) {
      throw Problem(.invalid, cause: "a topic: \(rejectionReason)")
    }
    return try topics.topic(name, of: type)
  }

  /// Subscribes to the values of a fact of a device, a policy or an app. The result is read like the messages
  /// of a `Topic`.
  ///
  /// The first element is the present value. When the present value is unknown, the first element is the next
  /// known value. Each further element differs from the previous element. When the value becomes unknown
  /// later, the element is `unknown`.
  ///
  /// A subscription turns no sensor on. While no value arrives, `FactReport.idleReason` gives the reason, for
  /// example that no demand uses the device of the fact.
  ///
  /// - Parameters:
  ///   - path: the name of the fact, such as `motion.activity`. Values have base units, as with `fact(_:)`.
  ///   - overflow: the unread values that the channel keeps for a slow reader; older values are dropped and
  ///     counted.
  /// - Throws: `Problem`: `invalid` when no fact has this name, `closed`. The values end with `closed`
  ///   when the bus closes.
  public func values(
    of path: String, keeping overflow: Topic<AppFact.Value>.Overflow = .newest(64)
  ) async throws(Problem) -> Messages<AppFact.Value> {
    try mustRun()
    let facts = streams.facts
    let values = await run.read { governor in
      governor.vocabulary.fact(path) == nil
        ? nil : facts.messages(of: path, in: governor, keeping: overflow)
    }
    // The bus may have closed while this call waited for the host.
    try mustRun()
    guard let values else {
      throw Problem(
        .invalid, cause: "no fact is called “\(Excerpt.text(path))”",
        remedy: "use a fact of a device, of a policy in force, or one that the bus declares")
    }
    return values
  }

  // MARK: Clients

  /// Attaches an app, or a part of an app, as a client. Reports contain the name of the client.
  ///
  /// Notices that the client's services produced while the client was detached are available from
  /// `Client.notices(of:)`.
  ///
  /// - Parameters:
  ///   - name: the name of the client: one line of at most 256 bytes, not empty.
  ///   - authorized: the user's decisions about this client, for example `.whenInUse`.
  ///   - mayBackground: whether the app is built to continue in the background.
  ///
  /// - Throws: `Problem`: `invalid` for an invalid name, `inUse` while another client of the app, a program
  ///   at the socket or a client of the site has the name, `closed`, `overloaded`.
  public func attach(
    _ name: String, authorized: Client.Permissions, mayBackground: Bool = true
  ) async throws(Problem) -> Client {
    try mustRun()
    if let rejectionReason = InputBounds.rejectionReason(forName: name) {
      throw Problem(.invalid, cause: "a client: \(rejectionReason)")
    }
    let client = ClientID(name)
    try run.claim(client)
    let made = Client(name: name, bus: self, attachment: attachments.add(name))
    facts.attach(name)
    streams.attach(client)
    do throws(Problem) {
      try Problem.check(
        await calls.serve(.attach(client, permissions: authorized, mayBackground: mayBackground)))
    } catch {
      attachments.remove(name)
      run.release(client)
      throw error
    }
    return made
  }

  /// Detaches a client: its streams end, and the facts whose last value it published become unknown. Returns
  /// when the client is detached, also when another task detaches it.
  func detach(_ client: Client) async {
    guard life.state == .running else { return }
    switch attachments.beginDetach(of: client.name, client.attachment) {
    case .over: return
    case .inProgress(let end): return await end.value()
    case .first(let lastCall): await lastCall.value()
    }
    let unknown = facts.detach(client.name)
    if !unknown.isEmpty { await calls.publish(unknown) }
    await calls.serve(.detach(client.id))
    streams.detach(client.id)
    run.release(client.id)
    attachments.remove(client.name)
  }

  func publish(_ path: String, _ value: AppFact.Value, by client: Client) async throws(Problem) {
    try await serve(client) { (calls) throws(Problem) in
      let value = try facts.note(path, value, by: client.name)
      try Problem.check(await calls.publish([value]))
    }
  }

  /// The calls of clients in any phase of the bus. The host of a closed bus refuses them.
  nonisolated var anyCalls: BusCalls { calls }

  /// Runs a call of a client. The client keeps its name until the call ends.
  ///
  /// - Throws: the problem of the call; `closed` when the bus does not run; `detached` when the client was
  ///   detached.
  func serve<Result: Sendable>(
    _ client: Client, _ call: (BusCalls) async throws(Problem) -> Result
  ) async throws(Problem) -> Result {
    try mustRun()
    guard attachments.beginCall(of: client.name, client.attachment) else {
      throw Problem(
        .detached, cause: "“\(client.name)” was detached", remedy: "use the client of a new attach")
    }
    defer { attachments.endCall(of: client.name) }
    return try await call(calls)
  }

  private func mustRun() throws(Problem) {
    guard life.state == .running else { throw .closed }
  }
}
