import StintModel
import StintRuntime
import StintServices
import StintUnits

/// Runs transfer sessions on a service board, without a host.
///
/// The bench grants demands; a demand for Wi-Fi waits while there is no Wi-Fi. The bench simulates radios
/// that all have the rate `rate`, and plays the server with the script that `server` returns.
///
/// Millions of steps run in a minute. Tests with `Phone` cover policies and the radios of the simulated
/// phone.
struct TransferBench {
  struct Told: Hashable, Sendable {
    var second: Double
    var client: ClientID
    var notice: TransferNotice
  }

  private struct Due {
    var at: Instant
    var order: Int
    var input: ServiceInput
    /// The demand of the input. The input is dropped when the demand ends.
    var demand: DemandID?
  }

  private struct Flight {
    var demand: Demand
    var radio: DeviceID
    var began: Instant
  }

  var board: ServiceBoard
  private(set) var now = Instant.epoch
  private(set) var hasWiFi: Bool
  /// The rate of both radios, in bytes a second.
  var rate: Int64 = 500_000
  /// The script of the server for an attempt; by default the attempt succeeds.
  var server: (TransferExchange) -> ServerScript = { _ in .good }
  private var due: [Due] = []
  private var count = 0
  private var waiting: [DemandID: Demand] = [:]
  private var flights: [DemandID: Flight] = [:]

  // MARK: Results

  private(set) var told: [Told] = []
  private(set) var failures: [ServiceFailure] = []
  private(set) var refusals: [ServiceFailure] = []
  private(set) var launches: [String] = []
  private(set) var attempts: [(second: Double, exchange: TransferExchange)] = []
  /// The attempts that ended without success, and whether the transferred part is kept.
  private(set) var closed: [(exchange: TransferExchange, keepsPart: Bool)] = []
  /// The radios on which attempts started, in order.
  private(set) var started: [DeviceID] = []
  private(set) var bytes: [DeviceID: Int64] = [:]
  /// The idempotency keys of the tasks that the server completed. All attempts of a task have the same key.
  private(set) var done: Set<String> = []
  var files: Set<String> = []
  /// The client's handler for a notice; it may change the set of existing files.
  var receive: (TransferNotice, inout Set<String>) -> Void = { _, _ in }

  init(wifi: Bool = true, power: String = "battery") {
    hasWiFi = wifi
    board = ServiceBoard(Self.vocabulary, at: .epoch)
    step(
      .fact("net.kind", .symbol(wifi ? 2 : 1)), .fact("power.source", .symbol(power == "external" ? 1 : 0)))
    if !wifi { step(.device("radio.wifi", .available(false))) }
  }

  static let vocabulary: Vocabulary = {
    func radio(_ name: String, rank: Int, rate: Double) -> Manifest {
      Manifest(
        device: DeviceID("radio.\(name)"), kind: .radio, title: name,
        ladder: LadderRank(name: "radio", rank: rank, serves: nil),
        states: [PowerState(name: "idle", power: .zero, isOn: false)],
        figures: ["link_rate": Quantity(rate, .throughput)])
    }
    return Vocabulary(
      manifests: [radio("cellular", rank: 1, rate: 500_000), radio("wifi", rank: 0, rate: 4_000_000)],
      declared: [
        FactSchema(path: "net.kind", type: .symbol(["none", "cellular", "wifi"])),
        FactSchema(path: "power.source", type: .symbol(["battery", "external"])),
        FactSchema(path: "net.throughput", type: .quantity(.throughput)),
        FactSchema(path: "app.state", type: .symbol(["foreground", "background"])),
      ])
  }()

  var second: Double { (now - .epoch).seconds }

  // MARK: Actions of tests

  mutating func attach(_ client: ClientID = "mail") {
    step(.attach(client, permissions: .always, mayBackground: true))
  }

  mutating func ask(
    _ configuration: TransferConfiguration = TransferConfiguration(), _ client: ClientID = "mail",
    _ name: String = "sync"
  ) {
    step(.ask(ServiceID(client, name), configuration, receivers: .both))
  }

  mutating func tell(_ command: TransferCommand, _ client: ClientID = "mail", _ name: String = "sync") {
    step(.command(ServiceID(client, name), command))
  }

  /// Creates and resumes a task of an attached client.
  mutating func submit(_ task: String, _ request: TransferRequest, _ client: ClientID = "mail") {
    tell(.create(task, request), client)
    tell(.resume(task), client)
  }

  mutating func setWiFi(_ isThere: Bool) {
    guard isThere != hasWiFi else { return }
    hasWiFi = isThere
    step(.device("radio.wifi", .available(isThere)), .fact("net.kind", .symbol(isThere ? 2 : 1)))
    for demand in waiting.keys.sorted() { if let entry = waiting[demand] { grant(entry) } }
    settle()
  }

  /// Restarts the host, which keeps only the saved state of the board.
  mutating func restart() throws {
    let content = try ServicesFile.content(for: board.saved)
    let saved = try ServicesFile("services.json").services(in: content)
    board = ServiceBoard(Self.vocabulary, at: now)
    due.removeAll()
    waiting.removeAll()
    flights.removeAll()
    step(
      .fact("net.kind", .symbol(hasWiFi ? 2 : 1)), .fact("power.source", .symbol(0)),
      .restore(saved))
  }

  /// Lets time pass.
  mutating func run(until second: Double) {
    let end = Instant.epoch + (TimeSpan(seconds: second) ?? .zero)
    while true {
      let next = min(board.nextTimer, due.first?.at ?? .distantFuture)
      guard next <= end else { break }
      now = max(now, next)
      settle()
      perform(board.step([], at: now))
      settle()
    }
    now = max(now, end)
  }

  mutating func step(_ inputs: ServiceInput...) {
    perform(board.step(inputs, at: now))
    settle()
  }

  // MARK: The world

  private mutating func settle() {
    while let first = due.first, first.at <= now {
      due.removeFirst()
      if case .carried(let demand) = first.input {
        complete(demand)
      } else {
        perform(board.step([first.input], at: now))
      }
    }
  }

  private mutating func schedule(_ input: ServiceInput, after span: TimeSpan, for demand: DemandID? = nil) {
    count += 1
    let entry = Due(at: now + span, order: count, input: input, demand: demand)
    let place = due.firstIndex { $0.at > entry.at } ?? due.count
    due.insert(entry, at: place)
  }

  private mutating func perform(_ effects: [ServiceEffect]) {
    for effect in effects {
      switch effect {
      case .raise(let demand): grant(demand)
      case .release(let demand), .withdraw(let demand): release(demand)
      case .order(let id, let order as TransferOrder): obey(order, id)
      case .notice(let id, let notice as TransferNotice):
        told.append(Told(second: second, client: id.client, notice: notice))
        receive(notice, &files)
        if let order = notice.consequence as? TransferOrder { obey(order, id) }
      case .notice(_, let failure as ServiceFailure): failures.append(failure)
      case .launch(let client, let reason): launches.append("\(client) \(reason)")
      case .refused(_, let failure), .refusedCommand(_, let failure): refusals.append(failure)
      default: break
      }
    }
  }

  private mutating func grant(_ demand: Demand) {
    let radio: DeviceID? = hasWiFi ? "radio.wifi" : demand.target == "radio.wifi" ? nil : "radio.cellular"
    guard let radio else {
      waiting[demand.id] = demand
      return
    }
    waiting[demand.id] = nil
    flights[demand.id] = Flight(demand: demand, radio: radio, began: now)
    schedule(.granted(demand.id, Grant(status: .served, provider: radio)), after: .zero, for: demand.id)
    schedule(.started(demand.id, on: radio), after: .zero, for: demand.id)
    let span = TimeSpan(seconds: Double(demand.wants.transfer?.bytes ?? 0) / Double(rate)) ?? .zero
    schedule(.carried(demand.id), after: span, for: demand.id)
  }

  private mutating func release(_ demand: DemandID) {
    waiting[demand] = nil
    due.removeAll { $0.demand == demand }
    guard let flight = flights.removeValue(forKey: demand) else {
      schedule(.ended(demand), after: .zero)
      return
    }
    let total = flight.demand.wants.transfer?.bytes ?? 0
    let sent = min(total, Int64((now - flight.began).seconds * Double(rate)))
    bytes[flight.radio, default: 0] += sent
    schedule(.part(demand, bytes: sent), after: .zero)
    schedule(.ended(demand), after: .zero)
  }

  private mutating func complete(_ demand: DemandID) {
    guard let flight = flights.removeValue(forKey: demand) else { return }
    bytes[flight.radio, default: 0] += flight.demand.wants.transfer?.bytes ?? 0
    perform(board.step([.carried(demand), .ended(demand)], at: now))
  }

  private mutating func obey(_ order: TransferOrder, _ id: ServiceID) {
    switch order {
    case .open(let exchange):
      attempts.append((second, exchange))
      play(server(exchange).atOnce, exchange, id)
    case .start(_, let radio): started.append(radio)
    case .complete(let exchange): play(server(exchange).atEnd, exchange, id)
    case .close(let exchange, let keepsPart): closed.append((exchange, keepsPart))
    case .discard(let file): files.remove(file)
    }
  }

  private mutating func play(_ acts: [ServerAct], _ exchange: TransferExchange, _ id: ServiceID) {
    var wait = TimeSpan.zero
    for act in acts {
      let report: TransferReport
      switch act {
      case .pause(let span):
        wait += span
        continue
      case .reply(let status): report = .reply(status)
      case .fail(let fault): report = .failed(fault)
      case .report(let other): report = other
      case .finish:
        done.insert(exchange.key)
        var file: String?
        if case .download = exchange.request.kind {
          file = "/staging/\(exchange.task)"
          files.insert("/staging/\(exchange.task)")
        }
        report = .finished(file: file)
      }
      let command = TransferCommand.report(exchange.task, attempt: exchange.attempt, report)
      schedule(.command(id, command), after: wait)
    }
  }
}
