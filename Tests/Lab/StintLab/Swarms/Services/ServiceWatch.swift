import StintFormats
import StintGovernor
import StintModel
import StintRuntime
import StintServices
import StintUnits

/// Checks the invariants of services: their notices to clients, and the activity that they cause on the
/// phone.
///
/// `record` receives the clients' inputs, and the methods of `HostObserver` receive the results. `inspect`
/// compares both with the `ServiceBoard`; `SwarmDay` calls `inspect` once a minute.
final class ServiceWatch: HostObserver {
  private struct State {
    var attached: Set<ClientID> = []
    /// The instant at which each client left. A notice at this instant may have reached the client before the
    /// client left.
    var left: [ClientID: Instant] = [:]
    /// The services that should run according to the recorded inputs and notices, with their recorded state.
    var services: [ServiceID: WatchedService] = [:]
    /// The open demands of services, with the service of each.
    var demands: [DemandID: ServiceID] = [:]
    /// Services that an older saved state restored although they had ended. Such a service may repeat
    /// notices.
    var revived: Set<ServiceID> = []
    /// The clients that left or lost their daemon. No service of the client runs after the instant `since`.
    /// `drawn` is the energy charged to the client at the last check; nil until the first check that is at
    /// least 15 minutes after `since`.
    var quiet: [ClientID: (since: Instant, drawn: Energy?)] = [:]
    var broken: [BrokenInvariant] = []
    var notices = 0
  }

  private let start: Instant
  /// The maximum age of the facts of each device.
  private let oldest: [DeviceID: TimeSpan]
  private let state = Locked(State())

  init(start: Instant, manifests: [Manifest]) {
    self.start = start
    oldest = Dictionary(
      uniqueKeysWithValues: manifests.compactMap { manifest in
        manifest.facts.compactMap(\.maxAge).max().map { (manifest.device, $0) }
      })
  }

  var broken: [BrokenInvariant] { state.withLock { $0.broken } }

  /// The number of notices that clients received.
  var notices: Int { state.withLock { $0.notices } }

  // MARK: Inputs of clients

  /// Records the inputs of clients, before the services receive them.
  func record(_ inputs: [ServiceInput], at instant: Instant) {
    state.withLock { state in
      for input in inputs { record(input, at: instant, &state) }
    }
  }

  private func record(_ input: ServiceInput, at instant: Instant, _ state: inout State) {
    switch input {
    case .attach(let client, _, _):
      state.attached.insert(client)
      state.quiet[client] = nil
    case .detach(let client):
      if state.attached.remove(client) != nil { state.left[client] = instant }
      state.quiet[client] = (instant, nil)
      for (id, service) in state.services where id.client == client && !service.outlivesClient {
        state.services[id]?.isGone = true
      }
    case .ask(let id, let request, _):
      let before = state.services[id]
      guard before == nil || before?.isOver == true || before?.mustAnswer(at: instant) == true else {
        state.services[id]?.repeatedRequest = request
        return
      }
      state.services[id] = WatchedService(request, at: instant)
      if state.revived.remove(id) != nil { state.services[id]?.lose(isBehind: true) }
      if let before {
        state.services[id]?.deferrals.inherit(from: before.deferrals)
        if before.mustAnswer(at: instant) { state.services[id]?.earlier = [before] }
      }
    case .end(let id):
      // The service may still deliver notices at this instant.
      state.services[id]?.isEnded = true
    case .command(let id, let command):
      guard state.attached.contains(id.client) else { return }
      state.services[id]?.take(command, at: instant)
    default: break
    }
  }

  // MARK: Effects of services

  func demanded(_ demand: Demand, by service: ServiceID, at instant: Instant) {
    state.withLock { state in
      state.demands[demand.id] = service
      if demand.target.path.hasPrefix("location.") { state.services[service]?.lastProbe = instant }
    }
  }

  func granted(_ grant: Grant, to demand: Demand, in governor: borrowing Governor, at instant: Instant) {
    guard demand.target.path.hasPrefix("location.") else { return }
    state.withLock { state in
      if let id = state.demands[demand.id] { state.services[id]?.provider = grant.provider }
    }
  }

  let observesIdle = true

  /// Records the distance that the phone has travelled, for deferrals with a distance.
  func becameIdle(_ governor: borrowing Governor, at instant: Instant) {
    let providers = state.withLock { state in
      state.services.values.compactMap { $0.deferrals.hasDistance ? $0.provider : nil }
    }
    for provider in Set(providers).sorted() {
      guard let fact = governor.vocabulary.fact("\(provider.path).distance"),
        case .number(let odometer) = governor.facts.value(fact)
      else { continue }
      state.withLock { state in
        for (id, service) in state.services where service.provider == provider {
          state.services[id]?.deferrals.travel(odometer, at: instant)
        }
      }
    }
  }

  func delivered(_ batch: Batch, to demand: Demand, at instant: Instant) {
    guard batch.reason != .immediate else { return }
    state.withLock { state in
      if let id = state.demands[demand.id] { state.services[id]?.noteHeld() }
    }
  }

  func released(_ demand: Demand, at instant: Instant) {
    state.withLock { $0.demands[demand.id] = nil }
  }

  func served(_ effect: ServiceEffect, at instant: Instant) {
    state.withLock { state in
      switch effect {
      case .notice(let id, let notice):
        state.notices += 1
        take(notice, of: id, at: instant, &state)
      case .accepted(let id):
        // A service of this name failed while its client was away. That failure, reported when the client
        // returned, does not concern the service that begins now.
        if let before = state.services[id], before.isOver {
          state.services[id] = WatchedService(before.repeatedRequest ?? before.request, at: instant)
        }
      case .refused(let id, let failure):
        // When a repeated request is refused, for example because its device is missing, the existing service
        // of this name continues unchanged.
        if let earlier = state.services[id]?.earlier.first { state.services[id] = earlier }
        if failure.code == .duplicate || state.services[id]?.repeatedRequest != nil { break }
        state.services[id] = nil
      default: break
      }
    }
  }

  private func take(_ notice: any ServiceNotice, of id: ServiceID, at instant: Instant, _ state: inout State)
  {
    guard state.attached.contains(id.client) || state.left[id.client] == instant else {
      note(.notices, "\(id) notifies a client that is gone: \(notice)", at: instant, &state)
      return
    }
    for (rule, sentence) in state.services[id]?.take(notice, oldest: oldest, at: instant) ?? [] {
      note(rule, "\(id) \(sentence)", at: instant, &state)
    }
  }

  // MARK: Crashes of the daemon

  /// Handles a crash of the daemon. Forgets the attached clients, all demands, and the state that a crash of
  /// the daemon does not preserve.
  ///
  /// - Parameter isBehind: whether the disk lacks the latest service state of the crashed daemon.
  func lose(isBehind: Bool, at instant: Instant) {
    state.withLock { state in
      for client in state.attached { state.quiet[client] = (instant, nil) }
      state.attached = []
      state.left = [:]
      state.demands = [:]
      for id in state.services.keys { state.services[id]?.lose(isBehind: isBehind) }
      // The next daemon has a new ledger, so the charged energy starts at zero.
      for client in state.quiet.keys { state.quiet[client] = (instant, nil) }
    }
  }

  /// Checks that the next daemon restored the saved state.
  ///
  /// Each saved service must run, except a transfer session without tasks. A transfer session must not have
  /// more tasks than the saved state contains.
  func recalled(_ content: [UInt8], _ board: ServiceBoard, at instant: Instant) {
    let running = Set(board.runningServices)
    let sessions = board.transferSessions(at: instant)
    let entries: [JSONValue]
    do throws(Problem) {
      entries = try JSONReader.value(of: content, source: "services")["services"]?["services"]?.items ?? []
    } catch {
      lost("\(error)", at: instant)
      return
    }
    state.withLock { state in
      for entry in entries {
        guard let client = entry["client"]?.string, let name = entry["name"]?.string else {
          note(.keeping, "a service without a name was saved", at: instant, &state)
          continue
        }
        let id = ServiceID(ClientID(client), name)
        if state.services[id] == nil { state.revived.insert(id) }
        let tasks = entry["state"]?["tasks"]?.items
        if !running.contains(id), tasks?.isEmpty != true {
          note(.keeping, "\(id) was saved and no longer runs", at: instant, &state)
        }
        let carried = sessions.first { $0.owner == id.client && $0.name == id.name }?.tasks ?? 0
        if let tasks, running.contains(id), carried > tasks.count {
          note(.keeping, "\(id) saved \(tasks.count) tasks and carries \(carried)", at: instant, &state)
        }
      }
    }
  }

  /// Records that state is missing from the disk.
  func lost(_ sentence: String, at instant: Instant) {
    state.withLock { note(.keeping, sentence, at: instant, &$0) }
  }

  // MARK: Inspecting the board

  /// Compares the recorded state with the board, and records a finding for each violation. Call it after the
  /// host has completed this instant.
  func inspect(_ board: ServiceBoard, _ governor: borrowing Governor, at instant: Instant) {
    let running = Set(board.runningServices)
    let clients = state.withLock { $0.quiet.keys.sorted() }
    var drawn: [ClientID: Energy] = [:]
    if !clients.isEmpty {
      let ledger = governor.ledger(at: instant)
      for client in clients { drawn[client] = ledger.byClient[client, default: .zero] }
    }
    state.withLock { state in
      for (id, service) in state.services.sorted(by: { $0.key < $1.key }) {
        for (rule, sentence) in service.overdue(isRunning: running.contains(id), at: instant) {
          note(rule, "\(id) \(sentence)", at: instant, &state)
        }
        if !running.contains(id), !service.isGone { state.services[id] = nil }
      }
      for (demand, id) in state.demands.sorted(by: { $0.key < $1.key }) where !running.contains(id) {
        note(.gone, "\(demand) exists although \(id) ended", at: instant, &state)
        state.demands[demand] = nil
      }
      let busy = Set(running.map(\.client))
      for client in clients {
        check(client, isBusy: busy.contains(client), drawn[client], at: instant, &state)
      }
    }
  }

  /// The time after the end of a client's last service in which the client may be charged. After their
  /// last use, devices linger, and radios stay in a state with higher power.
  private static let lingerAfterEnd = TimeSpan.minutes(15)

  private func check(
    _ client: ClientID, isBusy: Bool, _ drawn: Energy?, at instant: Instant, _ state: inout State
  ) {
    guard !isBusy, let quiet = state.quiet[client], let drawn else {
      state.quiet[client] = (instant, nil)
      return
    }
    guard instant - quiet.since >= Self.lingerAfterEnd else { return }
    if let before = quiet.drawn, drawn > before {
      note(.gone, "\(client) is gone, but \(drawn - before) more are charged to it", at: instant, &state)
    }
    state.quiet[client]?.drawn = drawn
  }

  /// Checks the end of a run, when every client is attached again. Each accepted transfer must have ended, or
  /// its session must still have it.
  func finish(_ board: ServiceBoard, _ governor: borrowing Governor, at instant: Instant) {
    inspect(board, governor, at: instant)
    let sessions = board.transferSessions(at: instant)
    state.withLock { state in
      for (id, service) in state.services.sorted(by: { $0.key < $1.key }) {
        let carried = sessions.first { $0.owner == id.client && $0.name == id.name }?.tasks ?? 0
        for (rule, sentence) in service.unfinished(carried: carried) {
          note(rule, "\(id) \(sentence)", at: instant, &state)
        }
      }
    }
  }

  private func note(
    _ rule: BrokenInvariant.Rule, _ sentence: String, at instant: Instant, _ state: inout State
  ) {
    guard state.broken.count < InvariantWatch.most else { return }
    state.broken.append(BrokenInvariant(rule: rule, at: instant - start, sentence: sentence))
  }
}
