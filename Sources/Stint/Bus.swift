import StintBus
import StintFormats
import StintGovernor
import StintLanguage
import StintModel
import StintPluginHost
public import StintPluginKit
import StintRuntime
public import StintServices
import StintUnits

/// Runs sensors and radios under policies inside a host app.
///
/// Several buses can exist in one process. Each has its own thread and shares no state with the other buses.
public actor Bus {
  /// The source of the devices.
  public enum PluginSource: Sendable {
    /// Plugins that are linked into the app.
    case linked([any DevicePlugin])
    /// The path of a folder with one subfolder per plugin. The bus reads only their manifests, to check
    /// policies. Their devices are unavailable because the code is not linked, so demands on them fail with
    /// that reason.
    case directory(String)
  }

  /// The time source of a bus.
  public enum Clock: Sendable {
    /// The clock of the operating system.
    case system
    /// Virtual time that starts at this time since 1970-01-01T00:00:00Z. It advances while there are readers
    /// and all of them wait for data; while a reader is busy, it stops.
    case virtual(from: Duration)

    /// Virtual time that starts at 1970-01-01T00:00:00Z.
    public static let virtual = Clock.virtual(from: .zero)
  }

  /// An active demand and the stream of its batches.
  struct Lease: Sendable {
    let demand: DemandID
    let batches: Batches
  }

  private let thread: LoopThread
  private let host: Host
  private let pace: LoopPacer
  private let listeners: Listeners
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

  /// The phase of the bus's life cycle. In every phase except `running`, calls throw `BusError.closed`.
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
  ///   - onLaunch: called with a client name and a reason when a service needs its app to run; the app then
  ///     attaches.
  ///   - onSentence: called to show a message of a client to the user.
  ///   - onOrder: called to carry out an order of a service, such as a transfer. The app sends the result to
  ///     the service with `Client.send(_:_:)`.
  ///
  /// - Throws: `BusError`: `badTimeZone`, `badFact`, `unreadable`, `badPlugin`, or `closed` when no thread
  ///   can be started.
  public init(
    plugins source: PluginSource, clock: Clock = .system, timeZone name: String? = nil,
    facts: [AppFact] = [], services file: String? = nil,
    onLaunch: (@Sendable (_ client: String, _ reason: String) -> Void)? = nil,
    onSentence: (@Sendable (_ client: String, _ sentence: String) -> Void)? = nil,
    onOrder: (@Sendable (_ client: String, _ service: String, _ order: any ServiceOrder) -> Void)? = nil
  ) async throws(BusError) {
    let timeZone = try Self.rules(of: name, clock)
    let schemas = try Self.schemas(of: facts)
    let kept = try Self.services(file)
    // Create the thread before the devices, because they notify it. A later error shuts the thread down.
    let thread = try Self.thread()
    let start: Instant
    var paced: RunClock?
    switch clock {
    case .system:
      start = SystemClock.wall()
      paced = RunClock(start: start, anchor: SystemClock.monotonic())
    case .virtual(let from): start = .epoch + from.timeSpan
    }
    let listeners = Listeners()
    let wallClock = paced.map { WallClock(timeZone, clock: $0) }
    let pace = LoopPacer(loop: thread.loop, clock: paced, start: start, wallClock: wallClock) {
      listeners.areReady
    }
    listeners.onChange { pace.reconsider() }
    let plugins: PluginSet
    do throws(BusError) {
      plugins = try Self.plugins(source) { pace.notify(.ready) }
      try Self.check(schemas, against: plugins)
    } catch {
      thread.shutdown()
      throw error
    }
    declared = schemas
    vocabulary = Vocabulary(
      manifests: plugins.manifests, declared: schemas.values.sorted { $0.path < $1.path })
    let calls = ServiceCalls(onLaunch: onLaunch, onSentence: onSentence, onOrder: onOrder)
    let host = Host(
      governor: Governor(vocabulary: vocabulary, timeZone: timeZone, at: start), plugins: plugins,
      observer: calls)
    self.calls = calls
    self.pace = pace
    self.listeners = listeners
    self.host = host
    self.thread = thread
    thread.start {
      await host.open()
      if let kept { await host.serve(keeping: kept.file, recalling: kept.memory, at: start) }
      await host.run(until: .distantFuture, pace: pace) { _, _ in }
      await host.close(at: pace.now)
      calls.close()
    }
    // Return only when every device is open or has failed with a reason.
    await host.submit([Input]()) { pace.notify(.ready) }
    life.run()
  }

  deinit {
    // A bus that is released without `close()` switches its devices off; its thread ends on its own.
    guard life.state < .closing else { return }
    pace.notify(.stop)
    thread.abandon()
  }

  /// Ends all streams and demands, switches all devices off and ends the thread of the bus.
  ///
  /// Pending and later calls throw `BusError.closed`. May be called several times: every call returns after
  /// the bus is closed.
  public func close() async {
    guard life.close() else {
      await closed()
      return
    }
    pace.notify(.stop)
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
  /// them on a separate thread, so samples and demands continue. Concurrent calls take effect in the order of
  /// the calls.
  ///
  /// - Throws: `BusError`: `badPolicy` when a policy has errors or an image is not safe for these devices,
  ///   `unreadable` when a file cannot be read. The policies in force then stay.
  public func load(policies path: String) async throws(BusError) {
    try mustRun()
    // Loads take effect in the order of the calls, so the last call determines the policies in force.
    let before = lastLoad
    let done = CompletionEvent()
    lastLoad = done
    let vocabulary = vocabulary
    let governor = await host.snapshot
    let result = await Spawner.runOnThread { () -> Result<(PolicyLoader.Loaded, PreparedProgram), BusError> in
      Result { () throws(BusError) in try Self.prepared(path, vocabulary, governor) }
    }
    await before?.comes()
    defer { done.end() }
    let (loaded, program) = try result.get()
    try mustRun()
    try BusError.check(await submit { host, notify in await host.submit(program, notify: notify) })
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
  /// - Throws: `BusError`: `badRequest` for an invalid name, `closed`.
  public func attach(
    _ name: String, authorized: Client.Authorization, mayBackground: Bool = true
  ) async throws(BusError) -> Client {
    try mustRun()
    if let rejectionReason = InputBounds.rejectionReason(forName: name) {
      throw BusError(.badRequest, "a client: \(rejectionReason)")
    }
    attached.insert(name)
    let status = authorized.status
    try BusError.check(
      await serve(.attach(ClientID(name), authorization: status, mayBackground: mayBackground)))
    return Client(name: name, bus: self)
  }

  /// Returns why a device is on or off now, and which changes would switch it. A closed bus reports its last
  /// state.
  public func why(_ device: String) async -> String {
    WhyReport(device: DeviceID(device), governor: await host.snapshot, policies: policies).text
  }

  // MARK: Calls

  private func mustRun() throws(BusError) {
    guard life.state == .running else { throw .closed }
  }

  /// Submits work to the host and waits until the host has processed it.
  private func submit(
    _ hand: @Sendable (Host, @escaping @Sendable () -> Void) async -> SubmissionOutcome
  ) async -> SubmissionOutcome {
    guard life.state == .running else { return .closed }
    let pace = pace
    return await hand(host) { pace.notify(.ready) }
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

  func publish(_ path: String, _ value: AppFact.Value, by client: String) async throws(BusError) {
    try mustRun()
    guard attached.contains(client) else {
      throw BusError(.detached, "“\(client)” is detached from the bus; attach it again")
    }
    guard let schema = declared[path], let fact = vocabulary.fact(path) else {
      throw BusError(.badFact, undeclared(path))
    }
    let believed = try value.converted(as: schema)
    publishers[path] = client
    try BusError.check(await submit([Input.fact(fact, believed)]))
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
  private static let demandMark = "#"

  /// Raises a demand for a client. Throws when the client may not have it.
  func open(_ request: DemandRequest, for client: String) async throws(BusError) -> SampleStream {
    try mustRun()
    guard let manifest = vocabulary.manifest(request.target) else {
      let names = vocabulary.manifests.map(\.device.path).joined(separator: ", ")
      throw BusError(.noSuchDevice, "no device is called \(request.target); the devices are \(names)")
    }
    guard manifest.kind == .sensor else {
      throw BusError(.noSuchDevice, "\(request.target) has no samples; it is a \(manifest.kind.rawValue)")
    }
    if let rejectionReason = request.rejectionReason { throw BusError(.badRequest, rejectionReason) }
    let demand = DemandID(nextDemand)
    nextDemand += 1
    let id = ServiceID(ClientID(client), "\(Self.demandMark)\(demand.number)")
    let (listeners, pace) = (listeners, pace)
    let channel = BatchChannel(
      .dropOldest(capacity: 1024), onAwait: { listeners.noteChange() },
      onTermination: { _ in listeners.remove(id) })
    calls.open(channel, for: id)
    await host.reserve(channel, for: demand)
    let asked = SampleRequest(demand, target: request.target, wants: request.wants)
    let outcome = await serve(.ask(id, asked, receivers: .both))
    do throws(BusError) {
      try BusError.check(outcome)
      if let refusal = calls.consumeRefusal(id) { throw BusError.refusal(refusal) }
      if case .failed(let failure) = channel.end { throw BusError(failure) }
    } catch {
      calls.closeChannel(of: id)
      await host.cancelReservation(of: demand)
      throw error
    }
    let batches = Batches(
      channel: channel, stream: channel.stream(), request: request, now: { pace.now },
      reads: { isReading in
        if isReading {
          listeners.add(id) { channel.isAwaited }
        } else {
          listeners.remove(id)
        }
      })
    return SampleStream(service: id, batches: batches)
  }

  func end(_ stream: SampleStream) async {
    listeners.remove(stream.service)
    await serve(.end(stream.service))
    calls.closeChannel(of: stream.service)
    listeners.remove(stream.service)
  }

  // MARK: Services

  func ask(_ id: ServiceID, _ request: any ServiceRequest) async throws(BusError) -> Notices {
    try mustRun()
    guard !id.name.hasPrefix(Self.demandMark) else {
      throw BusError(.invalid, "“\(id.name)” begins with “\(Self.demandMark)”, which is reserved for demands")
    }
    let box = calls.prepare(id, maxAge: request.makeService().maxAge)
    let outcome = await serve(.ask(id, request, receivers: .both))
    let taken = calls.box(id, preparedAs: box)
    try BusError.check(outcome)
    if let refusal = calls.consumeRefusal(id) { throw BusError(refusal) }
    return notices(taken, of: id)
  }

  func send(_ id: ServiceID, _ command: any ServiceCommand) async throws(BusError) {
    try mustRun()
    try BusError.check(await serve(.command(id, command)))
    if let refusal = calls.consumeRefusal(id) { throw BusError(refusal) }
  }

  /// Returns the notices of a service, also of one that an earlier process of the client requested.
  func notices(of id: ServiceID) async -> Notices {
    let maxAge = await host.serviceBoard.maxAge(of: id)
    let box = calls.claimBox(id, isStanding: maxAge != nil)
    if let maxAge { box.maxAge = maxAge }
    return notices(box, of: id)
  }

  private func notices(_ box: NoticeBox, of id: ServiceID) -> Notices {
    let (listeners, pace) = (listeners, pace)
    return Notices(
      box: box, now: { pace.now }, asks: { isAsking in listeners.set(id, isAsking: isAsking) })
  }

  func end(_ id: ServiceID) async {
    listeners.remove(id)
    await serve(.end(id))
  }
}
