import StintModel
import StintPluginKit
import StintRuntime
import StintServices
import StintUnits

/// Transfers on the simulated phone: the radios move the bytes, and a scripted server answers. Time passes
/// from one event of the phone or the server to the next, so every answer comes at its exact instant.
struct PhoneTransferBench {
  static let devices: [DeviceID] = ["radio.cellular", "radio.wifi", "power.battery", "host.app"]

  let phone: Phone
  /// The path that each report of a finished transfer contains; nil when the reports contain no path.
  var file: String?
  var server: (TransferExchange) -> ServerScript = { _ in .good }
  private var handledOrders = 0
  private var due: [(at: Instant, input: ServiceInput)] = []
  private(set) var attempts: [(second: Double, exchange: TransferExchange)] = []

  init(_ phone: Phone) { self.phone = phone }

  /// Opens a phone with radios and its clients, on a path that consists of legs.
  static func open(
    _ legs: [Leg] = [], clients: [ClientID] = ["mail"], facts: [(Double, String, String)] = [],
    policy: String = "", declares: [FactSchema] = [], plugins: [any DevicePlugin] = []
  ) async throws -> PhoneTransferBench {
    let phone = try await Phone(
      legs, devices: devices, declares: declares, facts: facts, policy: policy, plugins: plugins)
    for client in clients { await phone.attach(client) }
    return PhoneTransferBench(phone)
  }

  // MARK: Actions of tests

  mutating func ask(
    _ configuration: TransferConfiguration = TransferConfiguration(), _ client: ClientID = "mail"
  ) async {
    await phone.ask(client, "sync", configuration)
    await answer()
  }

  mutating func tell(_ command: TransferCommand, _ client: ClientID = "mail") async {
    await phone.command(client, "sync", command)
    await answer()
  }

  mutating func submit(_ task: String, _ request: TransferRequest, _ client: ClientID = "mail") async {
    await tell(.create(task, request), client)
    await tell(.resume(task), client)
  }

  mutating func run(until second: Double) async {
    let end = Phone.start + .of(seconds: second)
    while true {
      let next = min(await phone.host.nextEvent, due.first?.at ?? .distantFuture)
      guard next <= end else { break }
      await phone.host.run(until: next)
      await answer()
    }
    await phone.host.run(until: end)
    await answer()
  }

  // MARK: The server's side

  private mutating func answer() async {
    while true {
      let orders = phone.observer.everything.orders
      let now = await phone.host.now
      for entry in orders[handledOrders...] {
        guard let order = entry.order as? TransferOrder else { continue }
        switch order {
        case .open(let exchange):
          attempts.append((entry.second, exchange))
          play(server(exchange).atOnce, exchange, entry.id, from: now)
        case .complete(let exchange): play(server(exchange).atEnd, exchange, entry.id, from: now)
        case .start, .close, .discard: break
        }
      }
      handledOrders = orders.count
      guard let first = due.first, first.at <= now else { return }
      due.removeFirst()
      await phone.serve(first.input)
    }
  }

  private mutating func play(
    _ acts: [ServerAct], _ exchange: TransferExchange, _ id: ServiceID, from start: Instant
  ) {
    var instant = start
    for act in acts {
      let report: TransferReport
      switch act {
      case .pause(let span):
        instant = instant + span
        continue
      case .reply(let status): report = .reply(status)
      case .fail(let fault): report = .failed(fault)
      case .report(let other): report = other
      case .finish: report = .finished(file: file)
      }
      let command = TransferCommand.report(exchange.task, attempt: exchange.attempt, report)
      let place = due.firstIndex { $0.at > instant } ?? due.count
      due.insert((instant, .command(id, command)), at: place)
    }
  }

  // MARK: Results

  /// Returns the notices of a client, each with its second.
  func told(_ client: ClientID = "mail") -> [(second: Double, notice: TransferNotice)] {
    phone.notices(TransferNotice.self, for: client)
  }

  func finished(_ client: ClientID = "mail") -> [String] {
    told(client).compactMap { if case .finished(let task, _) = $0.notice { task } else { nil } }
  }

  /// Returns the time at which a task finished; nil when it did not finish.
  func finish(of task: String, _ client: ClientID = "mail") -> Double? {
    told(client).first { if case .finished(task, _) = $0.notice { true } else { false } }?.second
  }

  /// Returns the number of times that a radio left its idle state.
  func periods(of radio: DeviceID) -> Int { phone.powerUps(of: radio, floor: ["idle"]) }

  /// Returns the energy of the radios above their idle power, which is 15 mW together.
  func radioEnergy() async -> Energy {
    let ledger = await phone.ledger()
    let seconds = (await phone.host.now - Phone.start).seconds
    let all = ["radio.cellular", "radio.wifi"].reduce(Energy.zero) {
      $0 + ledger.byDevice[DeviceID($1), default: .zero]
    }
    return all - Energy(nanojoules: Int64(seconds * 15_000_000))
  }
}

extension Leg {
  /// Returns a leg at one position.
  static func staying(_ duration: TimeSpan, hasWiFi: Bool = false) -> Leg {
    Leg(activity: .still, duration: duration, speed: 0, heading: 0, sky: .open, hasWiFi: hasWiFi)
  }
}
