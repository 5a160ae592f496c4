import StintGovernor
import StintModel
import StintPluginHost
import StintRuntime
import StintServices
import StintSimulation
import StintUnits
import Testing

/// Random clients on the simulated phone. At random times, clients attach, make requests, lose and regain
/// permission, change their presence, detach, return, and are removed.
@Suite("Lifetimes of clients") struct ClientLifetimeTests {
  /// The number of clients that one phone serves. All phones together serve 10,000 clients.
  private static let lifetimes = 100
  private static let phones = UInt64(100)

  @Test(
    "random clients get samples only with permission, each service ends once, and at the end all sensors are off",
    arguments: 0..<phones)
  func lifetimes(seed: UInt64) async throws {
    var stage = try await LifetimeStage(seed: seed)
    for _ in 0..<Self.lifetimes { await stage.live() }
    await stage.finish()
    #expect(stage.watch.violations.isEmpty, "seed \(seed): \(stage.watch.violations.prefix(5))")
    #expect(stage.watch.samples > 300, "seed \(seed): only \(stage.watch.samples) samples")
    #expect(stage.watch.refusals > 10, "seed \(seed): only \(stage.watch.refusals) refusals")
  }
}

/// A phone with up to five clients at a time.
private struct LifetimeStage {
  let watch = LifetimeWatch()
  private let host: Host
  private let vocabulary: Vocabulary
  private var random: SeededRandom
  private var clients: [ClientID] = []
  private var nextClient = 0
  private var nextDemand: Int64 = 1

  init(seed: UInt64) async throws {
    let origin = try #require(Coordinate(latitude: 47.05, longitude: 8.31))
    let legs = [
      Leg(activity: .walking, duration: .minutes(20), speed: 1.4, heading: 40),
      Leg(activity: .still, duration: .minutes(10), speed: 0, heading: 0),
    ]
    let scenario = Scenario(
      name: "lifetimes", start: Phone.start, duration: .hours(100), origin: origin,
      legs: Array(repeating: legs, count: 40).flatMap(\.self))
    let plugins = try PluginSet(ReferencePhone(scenario, seed: seed, meter: EnergyMeter()).plugins())
    vocabulary = Vocabulary(manifests: plugins.manifests)
    random = SeededRandom(Int(seed))
    host = Host(
      governor: Governor(vocabulary: vocabulary, at: Phone.start), plugins: plugins, observer: watch)
    await host.open()
  }

  private func serve(_ inputs: ServiceInput...) async { await host.serve(inputs, at: await host.now) }

  private mutating func chance(_ part: Double) -> Bool { Double.random(in: 0..<1, using: &random) < part }

  private mutating func pick<Value>(_ values: [Value]) -> Value { random.pick(values) }

  /// Attaches a new client, and lets random clients act for a while. Then removes the oldest clients until at
  /// most four remain, and sometimes further clients.
  mutating func live() async {
    nextClient += 1
    let client = ClientID("app\(nextClient)")
    clients.append(client)
    await attach(client)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      await act(pick(clients))
      await wait(Double.random(in: 0...20, using: &random))
    }
    while clients.count > 4 || chance(0.2), let first = clients.first {
      clients.removeFirst()
      await remove(first)
    }
  }

  /// Removes all clients. All sensors must be off 180 s later, after the linger time.
  mutating func finish() async {
    for client in clients { await remove(client) }
    clients = []
    await wait(180)
    let governor = await host.snapshot
    let board = await host.serviceBoard
    watch.note(board.isEmpty && board.clients.isEmpty, "the board still has \(board.runningServices)")
    watch.note(governor.unexplained(at: await host.now) == .zero, "a device worked without a cause")
    watch.note(governor.ledger(at: await host.now).isBalanced, "the ledger is not balanced")
    for manifest in vocabulary.manifests where manifest.kind == .sensor {
      let isOn = vocabulary.fact("\(manifest.device.path).on").map { governor.facts.value($0) } ?? .unknown
      watch.note(isOn != .boolean(true), "\(manifest.device) is still on")
    }
    watch.finish()
    await host.close(at: await host.now)
  }

  private func wait(_ seconds: Double) async { await host.run(until: await host.now + .of(seconds: seconds)) }

  // MARK: Clients

  private mutating func attach(_ client: ClientID) async {
    let permissions = chance(0.7) ? .always : permissions()
    watch.attach(client, permissions)
    await serve(.attach(client, permissions: permissions, mayBackground: chance(0.6)))
  }

  private mutating func permissions() -> Permissions {
    Permissions(
      location: pick(Authorization.allCases), precision: pick(Precision.allCases),
      motion: pick(Consent.allCases), network: pick(Consent.allCases))
  }

  private func remove(_ client: ClientID) async {
    watch.remove(client)
    await serve(.remove(client))
  }

  private mutating func act(_ client: ClientID) async {
    let names = await host.serviceBoard.runningServices.filter { $0.client == client }
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      let permissions = chance(0.4) ? .always : permissions()
      watch.authorize(client, permissions)
      await serve(.authorize(client, permissions))
    case 1: await serve(.presence(client, pick([.foreground, .foreground, .background, nil])))
    case 2:
      watch.detach(client)
      await serve(.detach(client))
    case 3: await attach(client)
    case 4, 5: if let id = names.first { await serve(.end(id)) }
    case 6: if let id = names.last { await serve(.command(id, pick(Self.commands))) }
    default: await ask(client)
    }
  }

  private static let commands: [any ServiceCommand] = [
    MotionCommand.read, MotionCommand.stop, MotionCommand.receiverGone, OrientationCommand.begin,
    OrientationCommand.end, OrientationCommand.observe, LocationCommand.setAccuracy(.meters(500)),
    LocationCommand.setFilter(.meters(20)),
  ]

  private mutating func ask(_ client: ClientID) async {
    let request = request()
    let name = (request as? SampleRequest).map { "demand \($0.demand)" } ?? pick(["a", "b", "c"])
    watch.ask(ServiceID(client, name), request, vocabulary.roles)
    await serve(.ask(ServiceID(client, name), request, receivers: chance(0.95) ? .both : .updates))
  }

  private mutating func request() -> any ServiceRequest {
    let background = chance(0.4)
    let period = pick([nil, TimeSpan.seconds(1), .seconds(5), .seconds(30)])
    let target = pick(vocabulary.manifests.filter { $0.kind == .sensor }.map(\.device) + ["no.such"])
    let wants = DemandSettings(
      period: period, latency: pick([nil, .seconds(10), .minutes(5)]), background: background)
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1:
      nextDemand += 1
      return SampleRequest(DemandID(nextDemand), target: target, wants: wants)
    case 2: return RawSamples(target, wants: wants)
    case 3:
      return FixRequest(
        accuracy: pick([.meters(10), .meters(100), .kilometers(3)]), timeout: .seconds(20),
        background: background)
    case 4, 5:
      return LocationUpdates(
        accuracy: pick([.meters(10), .meters(100), .kilometers(3)]), filter: pick([nil, .meters(30)]),
        period: period?.duration, background: background,
        pausing: chance(0.5))
    case 6:
      return MotionRequest(
        pick([.acceleration, .rotation, .deviceMotion]), pick([.push, .push(latency: .seconds(10)), .pull]),
        interval: pick([.milliseconds(200), .seconds(1)]), background: background,
        outlivesReceiver: chance(0.5))
    case 7: return OrientationRequest()
    case 8: return VisitsRequest()
    case 9: return MovesRequest()
    case 10: return PermissionRequest(pick(Capability.allCases), purpose: "to test")
    default:
      guard let centre = Coordinate(latitude: 47.05, longitude: 8.31) else { return VisitsRequest() }
      return RegionsRequest([Region("home", centre: centre, radius: .meters(200))])
    }
  }
}

/// Checks that samples are delivered only with permission, and that each service that has begun ends once.
private final class LifetimeWatch: HostObserver {
  private struct State {
    var permissions: [ClientID: Permissions] = [:]
    var attached: Set<ClientID> = []
    var running: Set<ServiceID> = []
    var violations: [String] = []
    var samples = 0
    var refusals = 0
    var needs: [ServiceID: PermissionNeed] = [:]
    var services: [DemandID: ServiceID] = [:]
  }

  private let state = Locked(State())

  var violations: [String] { state.withLock { $0.violations } }
  var samples: Int { state.withLock { $0.samples } }
  var refusals: Int { state.withLock { $0.refusals } }

  // MARK: The test

  func attach(_ client: ClientID, _ permissions: Permissions) {
    state.withLock { state in
      state.attached.insert(client)
      state.permissions[client] = permissions
    }
  }

  func authorize(_ client: ClientID, _ permissions: Permissions) {
    state.withLock { $0.permissions[client] = permissions }
  }

  func detach(_ client: ClientID) { _ = state.withLock { $0.attached.remove(client) } }

  func remove(_ client: ClientID) {
    state.withLock { state in
      state.attached.remove(client)
      state.permissions[client] = nil
    }
  }

  func ask(_ id: ServiceID, _ request: any ServiceRequest, _ roles: DeviceRoles) {
    state.withLock { state in
      if !state.running.contains(id) { state.needs[id] = request.makeService().need(roles) }
    }
  }

  func note(_ isTrue: Bool, _ sentence: @autoclosure () -> String) {
    if !isTrue { state.withLock { $0.violations.append(sentence()) } }
  }

  func finish() { note(state.withLock { $0.running.isEmpty }, "a service has no end") }

  // MARK: The host

  func demanded(_ demand: Demand, by service: ServiceID, at instant: Instant) {
    state.withLock { $0.services[demand.id] = service }
  }

  func delivered(_ batch: Batch, to demand: Demand, at instant: Instant) {
    state.withLock { state in
      state.samples += batch.samples.count
      let permissions = state.permissions[demand.client] ?? .denied
      let need = state.services[demand.id].flatMap { state.needs[$0] } ?? .location(.always)
      if !permissions.allow(need) {
        state.violations.append("\(instant - Phone.start): \(demand) gets samples without \(need)")
      }
      // Demands that a client has raised itself end when the client detaches. Services such as visits
      // continue.
      if demand.id.number < ServiceBoard.firstDemand, !state.attached.contains(demand.client) {
        state.violations.append("\(instant - Phone.start): \(demand) gets samples while detached")
      }
    }
  }

  func served(_ effect: ServiceEffect, at instant: Instant) {
    state.withLock { state in
      switch effect {
      case .accepted(let id):
        if !state.running.insert(id).inserted { state.violations.append("\(id) begins twice") }
      case .over(let id, _):
        if state.running.remove(id) == nil { state.violations.append("\(id) ends although it has not begun") }
      case .refused: state.refusals += 1
      case .notice(let id, LocationNotice.fixes(let fixes)):
        if state.permissions[id.client]?.precision == .coarse, fixes.contains(where: { $0.accuracy < 3000 }) {
          state.violations.append("\(id) gets a precise position with coarse precision")
        }
      default: return
      }
    }
  }
}
