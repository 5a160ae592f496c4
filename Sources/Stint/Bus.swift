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
  private let pace: LoopPace
  private let listeners: Listeners
  private let calls: ServiceCalls
  private let vocabulary: Vocabulary
  /// The facts that apps publish, by path.
  private let declared: [String: FactSchema]
  private var policies: [CheckedPolicy] = []
  private var attached: Set<String> = []
  /// Who published which fact last, by path.
  private var publishers: [String: String] = [:]
  private var nextDemand: Int64 = 1
  private var isClosed = false

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
  ///   - onOrder: does in the place of an app what a service of it wants done, such as carrying a transfer; what comes of
  ///     it is told to the service as a command.
  ///   - onSentence: shows the user a sentence in the name of an app.
  public init(
    plugins source: PluginSource, clock: Clock = .system, timeZone name: String? = nil,
    facts: [AppFact] = [], services file: String? = nil,
    onLaunch: (@Sendable (_ client: String, _ reason: String) -> Void)? = nil,
    onSentence: (@Sendable (_ client: String, _ sentence: String) -> Void)? = nil,
    onOrder: (@Sendable (_ client: String, _ service: String, _ order: any ServiceOrder) -> Void)? = nil
  ) async throws(BusError) {
    let timeZone = try Self.rules(of: name, clock)
    var schemas: [String: FactSchema] = [:]
    for fact in facts {
      guard schemas.updateValue(try fact.schema(), forKey: fact.path) == nil else {
        throw BusError(.badFact, "“\(fact.path)” is declared twice; remove one")
      }
    }
    declared = schemas
    do {
      thread = try LoopThread()
    } catch {
      throw BusError(.closed, "no thread for the bus: \(error)")
    }
    let start: Instant
    var paced: PacedClock?
    switch clock {
    case .system:
      start = SystemClock.wall()
      paced = PacedClock(start: start, anchor: SystemClock.monotonic())
    case .virtual(let from): start = .epoch + from.timeSpan
    }
    let listeners = Listeners()
    let pace = LoopPace(loop: thread.loop, clock: paced, start: start) { listeners.areReady }
    listeners.onChange { pace.reconsider() }
    let plugins = try Self.plugins(source) { pace.notify(.ready) }
    let devices = Vocabulary(manifests: plugins.manifests)
    for path in schemas.keys.sorted() where devices.fact(path) != nil {
      throw BusError(.badFact, "“\(path)” is a fact of a device; an app's needs another name")
    }
    vocabulary = Vocabulary(
      manifests: plugins.manifests, declared: schemas.values.sorted { $0.path < $1.path })
    let calls = ServiceCalls(onLaunch: onLaunch, onSentence: onSentence, onOrder: onOrder)
    let kept = try Self.services(file)
    let host = Host(
      governor: Governor(vocabulary: vocabulary, timeZone: timeZone, at: start), plugins: plugins,
      observer: calls)
    self.calls = calls
    self.pace = pace
    self.listeners = listeners
    self.host = host
    Spawner.start(on: thread.loop) {
      await host.open()
      if let kept { await host.serve(keeping: kept.file, recalling: kept.memory, at: start) }
      await host.run(until: .distantFuture, pace: pace) { _, _ in }
      await host.close(at: pace.now)
    }
    // Whoever holds a bus finds its devices open, or knows why they are not.
    await host.submit([Input]()) { pace.notify(.ready) }
  }

  /// Puts a policy file, an image of policies, or every policy of a folder, in force in place of what was.
  ///
  /// A policy with errors throws, and so does an image that is not safe for these devices; what was in force stays.
  public func load(policies path: String) async throws(BusError) {
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
    policies = loaded.policies
    let pace = pace
    await host.submit(program) { pace.notify(.ready) }
  }

  /// The file that keeps services, with what it kept.
  private static func services(
    _ path: String?
  ) throws(BusError) -> (file: ServicesFile, memory: MemoryValue?)? {
    guard let path else { return nil }
    let file = ServicesFile(path)
    do throws(FileError) {
      return (file, try file.recall())
    } catch {
      throw BusError(.unreadable, error.description)
    }
  }

  private static func files(at path: String) throws(BusError) -> [(path: String, bytes: [UInt8])] {
    var files: [(path: String, bytes: [UInt8])] = []
    do throws(FileError) {
      for file in try Folder.policies(at: path) {
        files.append((file, try FileText.beginning(of: file, atMost: PolicyLoader.mostBytes + 1)))
      }
    } catch {
      throw BusError(.unreadable, error.description)
    }
    return files
  }

  /// A place for an app, or a part of one, by a name that reports will use.
  ///
  /// What its services said while it was away waits in `Client.notices(of:)`.
  ///
  /// - Parameter mayBackground: whether the app was built to go on in the background.
  public func attach(
    _ name: String, authorized: Client.Authorization, mayBackground: Bool = true
  ) async throws(BusError) -> Client {
    guard !isClosed else { throw BusError(.closed, "the bus is closed; open a new one") }
    guard !name.isEmpty else { throw BusError(.notAuthorized, "a client needs a name; reports will use it") }
    attached.insert(name)
    await serve(
      .attach(ClientID(name), authorization: authorized.standing, mayBackground: mayBackground))
    return Client(name: name, authorization: authorized, bus: self)
  }

  /// Why the device is on or off now, and what would change that.
  public func why(_ device: String) async -> String {
    WhyReport(device: DeviceID(device), governor: await host.snapshot, policies: policies).text
  }

  /// Ends every demand, switches every device off and stops the bus's thread.
  public func close() async {
    guard !isClosed else { return }
    isClosed = true
    pace.notify(.stop)
  }

  // MARK: Facts

  func publish(_ path: String, _ value: AppFact.Value, by client: String) async throws(BusError) {
    guard !isClosed else { throw BusError(.closed, "the bus is closed; open a new one") }
    guard attached.contains(client) else {
      throw BusError(.detached, "“\(client)” is gone from the bus; attach it again")
    }
    guard let schema = declared[path], let fact = vocabulary.fact(path) else {
      throw BusError(.badFact, undeclared(path))
    }
    let believed = try value.believed(as: schema)
    publishers[path] = client
    let pace = pace
    await host.submit([Input.fact(fact, believed)]) { pace.notify(.ready) }
  }

  private func undeclared(_ path: String) -> String {
    if let device = vocabulary.schema(path)?.device { return "“\(path)” is for \(device) to say" }
    let known = declared.keys.sorted().joined(separator: ", ")
    return "nobody declared “\(path)”; declare it when the bus is opened"
      + (known.isEmpty ? "" : ", where there are \(known)")
  }

  /// The client goes; what it published is unknown with it.
  func detach(_ client: String) async {
    guard !isClosed else { return }
    attached.remove(client)
    let paths = publishers.filter { $0.value == client }.keys.sorted()
    for path in paths { publishers[path] = nil }
    let pace = pace
    let unknown = paths.compactMap { vocabulary.fact($0) }.map { Input.fact($0, .unknown) }
    if !unknown.isEmpty { await host.submit(unknown) { pace.notify(.ready) } }
    await serve(.detach(ClientID(client)))
  }

  func lease(_ request: DemandRequest, for client: String) async throws(BusError) -> Lease {
    guard !isClosed else { throw BusError(.closed, "the bus is closed; open a new one") }
    guard let manifest = vocabulary.manifest(request.target) else {
      let names = vocabulary.manifests.map(\.device.path).joined(separator: ", ")
      throw BusError(.noSuchDevice, "no device is called \(request.target); the bus has \(names)")
    }
    guard manifest.kind == .sensor else {
      throw BusError(.noSuchDevice, "\(request.target) yields no samples; it is a \(manifest.kind.rawValue)")
    }
    let id = DemandID(nextDemand)
    nextDemand += 1
    let listeners = listeners
    let channel = BatchChannel(
      .dropOldest(capacity: 1024), onTermination: { _ in listeners.remove(id) })
    await host.reserve(channel, for: id)
    let demand = Demand(id: id, client: ClientID(client), target: request.target, wants: request.wants)
    let pace = pace
    await host.submit([.raise(demand)]) { pace.notify(.ready) }
    let batches = Batches(
      stream: channel.stream(), request: request, now: { pace.now },
      asks: { isAsking in listeners.set(id, isAsking: isAsking) })
    return Lease(demand: id, batches: batches)
  }

  // MARK: Services

  func serve(_ input: ServiceInput) async {
    guard !isClosed else { return }
    let pace = pace
    await host.submit([input]) { pace.notify(.ready) }
  }

  func ask(_ id: ServiceID, _ request: any ServiceRequest) async throws(BusError) -> Notices {
    guard !isClosed else { throw BusError(.closed, "the bus is closed; open a new one") }
    let notices = notices(of: id)
    await serve(.ask(id, request, receivers: .both))
    guard let failure = calls.takeRefusal(id) else { return notices }
    throw BusError(BusError.Code(failure.code.name), failure.sentence)
  }

  func notices(of id: ServiceID) -> Notices {
    let listeners = listeners
    return Notices(box: calls.box(id)) { isAsking in listeners.set(id, isAsking: isAsking) }
  }

  func end(_ id: ServiceID) async {
    listeners.remove(id)
    await serve(.end(id))
    calls.close(id)
  }

  func end(_ lease: Lease) async {
    listeners.remove(lease.demand)
    let pace = pace
    await host.submit([.release(lease.demand)]) { pace.notify(.ready) }
  }

  private static func rules(of name: String?, _ clock: Clock) throws(BusError) -> TimeZoneRules {
    let fallback =
      switch clock {
      case .system: "host"
      case .virtual: "UTC"
      }
    do throws(FormatError) {
      return try TimeZoneChoice.rules(name ?? fallback)
    } catch {
      throw BusError(.badTimeZone, error.description)
    }
  }

  private static func plugins(
    _ source: PluginSource, onReady: @escaping @Sendable () -> Void
  ) throws(BusError) -> PluginSet {
    let plugins: [any DevicePlugin] =
      switch source {
      case .linked(let plugins): plugins
      case .directory(let path): try PluginFolder.read(path)
      }
    do throws(PluginSetError) {
      return try PluginSet(plugins) { _ in onReady() }
    } catch {
      throw BusError(.badPlugin, "\(error)")
    }
  }
}
