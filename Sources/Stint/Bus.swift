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

/// Sensors and radios, governed by policies, inside a host app.
///
/// Several buses may live in one process; each has a thread of its own and shares nothing.
public actor Bus {
  /// Where the devices come from.
  public enum PluginSource: Sendable {
    /// Plugins that are linked into the app.
    case linked([any DevicePlugin])
    /// A folder with one folder a plugin. Their manifests are read, so policies can be checked against them;
    /// a
    /// device whose code is not linked in is unavailable, and demands on it say so.
    case directory(String)
  }

  /// What time it is.
  public enum Clock: Sendable {
    /// The machine's clock.
    case system
    /// Virtual time from this moment on (since 1970-01-01T00:00:00Z): it passes at once while a client
    /// listens and
    /// keeps up, and stands still otherwise.
    case virtual(from: Duration)

    /// Virtual time from the epoch on.
    public static let virtual = Clock.virtual(from: .zero)
  }

  /// A demand that stands, with the channel of its batches.
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
  /// The load that was asked for last.
  private var lastLoad: CompletionEvent?
  private var attached: Set<String> = []
  /// Who published which fact last, by path.
  private var publishers: [String: String] = [:]
  private var nextDemand: Int64 = 1
  private var life = BusLife()

  /// How far the bus has come in its life. Only a running bus serves calls; the others throw `BusError.closed`.
  public var state: State { life.state }

  /// Opens a bus. Close it when the app is done with it; devices are off after that.
  ///
  /// Schedules and budgets go by local time, on days that are an hour longer or shorter as well. Time zones are
  /// named as in `stint run --time-zone`: `host`, `UTC+1`, `Europe/Berlin`, `CET-1CEST,M3.5.0,M10.5.0/3`. Without
  /// a name it is the machine's with its clock, and UTC in virtual time.
  ///
  /// - Parameters:
  ///   - facts: what apps publish with `Client.publish(_:_:)`; policies may name it.
  ///   - services: a file in which services that outlive their process are kept; nil keeps none.
  ///   - onLaunch: starts an app for which a service has something, by name and reason; the app attaches then.
  ///   - onOrder: carries out an order of a service for its app, such as a transfer; send the result to the
  ///     service as a command.
  ///   - onSentence: shows the user a sentence in the name of an app.
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
    // The thread comes before the devices, which tell it that they have something; what fails after it ends it.
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
    // Return only after every device is open or has failed with a reason.
    await host.submit([Input]()) { pace.notify(.ready) }
    life.run()
  }

  deinit {
    // A bus that is dropped open switches its devices off, and its thread ends by itself.
    guard life.state < .closing else { return }
    pace.notify(.stop)
    thread.abandon()
  }

  /// Ends every stream and every demand, switches every device off, and ends the bus's thread.
  ///
  /// Calls that wait are answered with `BusError.closed`, and so is every later one. Returns when all of that is done,
  /// to each of its callers.
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

  /// Puts a policy file, an image of policies, or every policy of a folder, in force in place of what was.
  ///
  /// Checking and compiling happen on a thread of their own: samples and demands go on meanwhile. Of several calls at
  /// once the last one stays in force.
  ///
  /// A policy with errors throws, and so does an image that is not safe for these devices; what was in force stays.
  public func load(policies path: String) async throws(BusError) {
    try mustRun()
    // Loads come into force in the order of the calls, so that of several the last one stays.
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

  /// Reads, checks, compiles and prepares what is at a path, or loads an image of it; on a thread of its own.
  private static func prepared(
    _ path: String, _ vocabulary: Vocabulary, _ governor: Governor
  ) throws(BusError) -> (PolicyLoader.Loaded, PreparedProgram) {
    let loader = PolicyLoader(vocabulary: vocabulary)
    let files = try Self.files(at: path)
    let loaded: PolicyLoader.Loaded
    if let image = files.first, files.count == 1, PolicyLoader.isImage(image.bytes) {
      do { loaded = try loader.load(image: image.bytes) } catch {
        throw BusError(.badPolicy, "\(image.path): \(error)")
      }
    } else {
      loaded = loader.load(files.map { SourceText(file: $0.path, bytes: $0.bytes) })
    }
    guard let program = loaded.program else {
      throw BusError(
        .badPolicy, DiagnosticRenderer.text(loaded.diagnostics, sources: loaded.sources))
    }
    do { return (loaded, try governor.prepare(program)) } catch {
      throw BusError(.badPolicy, "\(path): \(error)")
    }
  }

  /// A place for an app, or a part of one, by a name that reports will use.
  ///
  /// What its services said while it was away waits in `Client.notices(of:)`.
  ///
  /// - Parameter mayBackground: whether the app was built to go on in the background.
  public func attach(
    _ name: String, authorized: Client.Authorization, mayBackground: Bool = true
  ) async throws(BusError) -> Client {
    try mustRun()
    guard !name.isEmpty else { throw BusError(.notAuthorized, "a client needs a name; reports will use it") }
    attached.insert(name)
    let status = authorized.status
    try BusError.check(
      await serve(.attach(ClientID(name), authorization: status, mayBackground: mayBackground)))
    return Client(name: name, bus: self)
  }

  /// Why the device is on or off now, and what would change that; of a closed bus, as it was at the end.
  public func why(_ device: String) async -> String {
    WhyReport(device: DeviceID(device), governor: await host.snapshot, policies: policies).text
  }

  // MARK: Calls

  private func mustRun() throws(BusError) {
    guard life.state == .running else { throw .closed }
  }

  /// Hands the host something and waits until it is done.
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

  /// Tells the services something; does nothing on a bus that is closed.
  @discardableResult
  func serve(_ input: ServiceInput) async -> SubmissionOutcome {
    await submit { host, notify in await host.submit([input], notify: notify) }
  }

  // MARK: Facts

  func publish(_ path: String, _ value: AppFact.Value, by client: String) async throws(BusError) {
    try mustRun()
    guard attached.contains(client) else {
      throw BusError(.detached, "“\(client)” is gone from the bus; attach it again")
    }
    guard let schema = declared[path], let fact = vocabulary.fact(path) else {
      throw BusError(.badFact, undeclared(path))
    }
    let believed = try value.converted(as: schema)
    publishers[path] = client
    try BusError.check(await submit([Input.fact(fact, believed)]))
  }

  private func undeclared(_ path: String) -> String {
    if let device = vocabulary.schema(path)?.device { return "“\(path)” is for \(device) to say" }
    let known = declared.keys.sorted().joined(separator: ", ")
    return "“\(path)” is not declared; declare it when the bus is opened"
      + (known.isEmpty ? "" : ", where there are \(known)")
  }

  /// The client goes: its streams end, and what it published is unknown with it.
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

  /// The samples of one demand, with the service that holds it.
  struct SampleStream: Sendable {
    let service: ServiceID
    let batches: Batches
  }

  /// Names of services that begin with this are the bus's own: they hold demands.
  private static let demandMark = "#"

  /// Raises a demand in a client's name, as long as the client may have it.
  func open(_ request: DemandRequest, for client: String) async throws(BusError) -> SampleStream {
    try mustRun()
    guard let manifest = vocabulary.manifest(request.target) else {
      let names = vocabulary.manifests.map(\.device.path).joined(separator: ", ")
      throw BusError(.noSuchDevice, "no device is called \(request.target); the bus has \(names)")
    }
    guard manifest.kind == .sensor else {
      throw BusError(.noSuchDevice, "\(request.target) yields no samples; it is a \(manifest.kind.rawValue)")
    }
    if let rejectionReason = request.wants.rejectionReason { throw BusError(.badRequest, rejectionReason) }
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
      throw BusError(.invalid, "“\(id.name)” begins with “\(Self.demandMark)”, which marks demands")
    }
    let box = calls.prepare(id, maxAge: request.makeService().maxAge)
    let outcome = await serve(.ask(id, request, receivers: .both))
    let taken = calls.box(id, preparedAs: box)
    try BusError.check(outcome)
    if let refusal = calls.consumeRefusal(id) { throw BusError(refusal) }
    return notices(taken, of: id)
  }

  /// The notices of a service that may have been asked for before this process began.
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
