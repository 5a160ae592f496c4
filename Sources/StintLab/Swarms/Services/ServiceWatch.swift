import StintGovernor
import StintModel
import StintRuntime
import StintServices
import StintUnits

/// Watches what services tell their clients, and what they have the phone do, for what must never happen.
///
/// It hears what clients tell services by `heard`, what comes of it as an observer, and now and then how the board
/// stands by `look`.
final class ServiceWatch: HostObserver {
  private struct State {
    var attached: Set<ClientID> = []
    /// When clients went; what fell due at that very instant they may have heard before.
    var left: [ClientID: Instant] = [:]
    /// Services that stand as far as the watch knows, with what it knows of each.
    var services: [ServiceID: WatchedService] = [:]
    /// Demands that services raised and that stand, with their services.
    var demands: [DemandID: ServiceID] = [:]
    /// Services that an older state brought back after the watch took them to be over; they may repeat notices.
    var revived: Set<ServiceID> = []
    /// What clients that are gone, and that left nothing standing, had drawn some time after they went.
    var quiet: [ClientID: (since: Instant, drawn: Energy?)] = [:]
    var broken: [BrokenInvariant] = []
    var notices = 0
  }

  private let start: Instant
  /// For how long facts of each device are believed.
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

  /// The number of notices that clients got.
  var notices: Int { state.withLock { $0.notices } }

  // MARK: What clients do

  /// Clients are about to tell the services this.
  func heard(_ inputs: [ServiceInput], at instant: Instant) {
    state.withLock { state in
      for input in inputs { hear(input, at: instant, &state) }
    }
  }

  private func hear(_ input: ServiceInput, at instant: Instant, _ state: inout State) {
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
        state.services[id]?.askedAgain = request
        return
      }
      state.services[id] = WatchedService(request, at: instant)
      if state.revived.remove(id) != nil { state.services[id]?.lose(isBehind: true) }
      if let before {
        state.services[id]?.deferrals.inherit(from: before.deferrals)
        if before.mustAnswer(at: instant) { state.services[id]?.earlier = [before] }
      }
    case .end(let id):
      // The last notices come at once; no other may follow.
      state.services[id]?.isEnded = true
    case .command(let id, let command):
      guard state.attached.contains(id.client) else { return }
      state.services[id]?.take(command, at: instant)
    default: break
    }
  }

  // MARK: What services do

  func demanded(_ demand: Demand, by service: ServiceID, at instant: Instant) {
    state.withLock { state in
      state.demands[demand.id] = service
      if demand.target.path.hasPrefix("location.") { state.services[service]?.lastProbe = instant }
    }
  }

  func granted(_ grant: Grant, to demand: Demand, at instant: Instant) {
    guard demand.target.path.hasPrefix("location.") else { return }
    state.withLock { state in
      if let id = state.demands[demand.id] { state.services[id]?.provider = grant.provider }
    }
  }

  let watchesRest = true

  /// How far the phone has come, for deferrals that a distance ends.
  func becameIdle(_ governor: borrowing Governor, at instant: Instant) {
    let providers = state.withLock { state in
      state.services.values.compactMap { $0.deferrals.isPending ? $0.provider : nil }
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
        // A service under this name failed while its client was away; its failure, told on the client's return, was
        // not of the service that begins now.
        if let before = state.services[id], before.isOver {
          state.services[id] = WatchedService(before.askedAgain ?? before.request, at: instant)
        }
      case .refused(let id, let failure):
        // A name that is taken goes on with what it had, whatever speaks against asking for it again: what outlives its
        // client stands on while no device is there.
        if let earlier = state.services[id]?.earlier.first { state.services[id] = earlier }
        if failure.code == .duplicate || state.services[id]?.askedAgain != nil { break }
        state.services[id] = nil
      default: break
      }
    }
  }

  private func take(_ notice: any ServiceNotice, of id: ServiceID, at instant: Instant, _ state: inout State)
  {
    guard state.attached.contains(id.client) || state.left[id.client] == instant else {
      note(.notices, "\(id) tells a client that is gone: \(notice)", at: instant, &state)
      return
    }
    for (rule, sentence) in state.services[id]?.take(notice, oldest: oldest, at: instant) ?? [] {
      note(rule, "\(id) \(sentence)", at: instant, &state)
    }
  }

  // MARK: The daemon's death

  /// The daemon died, and with it what does not outlive it.
  ///
  /// - Parameter isBehind: whether it told clients what it could not keep.
  func lose(isBehind: Bool, at instant: Instant) {
    state.withLock { state in
      for client in state.attached { state.quiet[client] = (instant, nil) }
      state.attached = []
      state.left = [:]
      state.demands = [:]
      for id in state.services.keys { state.services[id]?.lose(isBehind: isBehind) }
      // Another ledger counts from now on.
      for client in state.quiet.keys { state.quiet[client] = (instant, nil) }
    }
  }

  /// The next daemon took up what was kept: each service of it stands, and each task of it is carried.
  func recalled(_ memory: MemoryValue, _ board: ServiceBoard, at instant: Instant) {
    let status = Set(board.runningServices)
    let sessions = board.transferSessions(at: instant)
    state.withLock { state in
      for entry in memory["services"]?.list ?? [] {
        guard let client = entry["client"]?.text, let name = entry["name"]?.text else {
          note(.keeping, "a service without a name was kept", at: instant, &state)
          continue
        }
        let id = ServiceID(ClientID(client), name)
        if state.services[id] == nil { state.revived.insert(id) }
        let tasks = entry["memory"]?["tasks"]?.list
        if !status.contains(id), tasks?.isEmpty != true {
          note(.keeping, "\(id) was kept and does not stand any more", at: instant, &state)
        }
        let carried = sessions.first { $0.owner == id.client && $0.name == id.name }?.tasks ?? 0
        if let tasks, status.contains(id), carried > tasks.count {
          note(.keeping, "\(id) kept \(tasks.count) tasks and carries \(carried)", at: instant, &state)
        }
      }
    }
  }

  /// Something that should be on the disk is not.
  func lost(_ sentence: String, at instant: Instant) {
    state.withLock { note(.keeping, sentence, at: instant, &$0) }
  }

  // MARK: Looking

  /// Compares with how the board stands; the host has settled at this instant.
  func look(_ board: ServiceBoard, _ governor: borrowing Governor, at instant: Instant) {
    let status = Set(board.runningServices)
    let clients = state.withLock { $0.quiet.keys.sorted() }
    var drawn: [ClientID: Energy] = [:]
    if !clients.isEmpty {
      let ledger = governor.ledger(at: instant)
      for client in clients { drawn[client] = ledger.byClient[client, default: .zero] }
    }
    state.withLock { state in
      for (id, service) in state.services.sorted(by: { $0.key < $1.key }) {
        for (rule, sentence) in service.overdue(isStanding: status.contains(id), at: instant) {
          note(rule, "\(id) \(sentence)", at: instant, &state)
        }
        if !status.contains(id), !service.isGone { state.services[id] = nil }
      }
      for (demand, id) in state.demands.sorted(by: { $0.key < $1.key }) where !status.contains(id) {
        note(.gone, "\(demand) stands although \(id) does not", at: instant, &state)
        state.demands[demand] = nil
      }
      let busy = Set(status.map(\.client))
      for client in clients {
        check(client, isBusy: busy.contains(client), drawn[client], at: instant, &state)
      }
    }
  }

  /// How long after a client's end its lingers and tails may still draw something.
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
      note(.gone, "\(client) is gone, and \(drawn - before) more are drawn for it", at: instant, &state)
    }
    state.quiet[client]?.drawn = drawn
  }

  /// Checks the end of a run, when every client is back: each accepted transfer was reported or is still
  /// carried.
  func finish(_ board: ServiceBoard, _ governor: borrowing Governor, at instant: Instant) {
    look(board, governor, at: instant)
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
