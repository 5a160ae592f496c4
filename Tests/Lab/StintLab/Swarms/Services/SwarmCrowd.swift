import StintModel
import StintRuntime
import StintServices
import StintUnits

/// Simulates the clients of a swarm.
///
/// It executes their random actions, attaches launched clients again, and reports transfer results as servers
/// would. It receives the effects of services as an observer, and reacts with further actions. `CrowdSource`
/// passes the actions to the host as inputs. All calls are made on the host's executor.
final class SwarmCrowd: HostObserver {
  var carriesTransfers: Bool { true }

  private struct Entry: Sendable {
    var at: Instant
    var act: ClientAction
  }

  private struct State {
    var due: [Entry]
    var random: SwarmRandom
    var permissions: [ClientID: Permissions] = [:]
    var attached: Set<ClientID> = []
    /// The requests whose services have not ended, in the order of the requests. A client repeats its
    /// requests when it attaches or when its permission changes.
    var wanted: [(id: ServiceID, request: any ServiceRequest)] = []
    /// The services that clients ended at the current instant.
    var ended: [ServiceID] = []
    /// The ended services whose end a crashed daemon may not have saved.
    var unsure: [ServiceID] = []
  }

  private let state: Locked<State>
  private let cannotBackground: Set<ClientID>

  /// - Parameter acts: the actions with their times.
  init(_ acts: [(at: Instant, act: ClientAction)], cannotBackground: Set<ClientID> = [], random: SwarmRandom)
  {
    let due = acts.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
    self.cannotBackground = cannotBackground
    state = Locked(State(due: due.map { Entry(at: $0.element.at, act: $0.element.act) }, random: random))
  }

  var nextInstant: Instant? { state.withLock { $0.due.first?.at } }

  /// Whether the client is attached; false for a client that waits until a service launches it.
  func isAttached(_ client: ClientID) -> Bool { state.withLock { $0.attached.contains(client) } }

  /// Removes all actions up to an instant. Returns them as inputs of services and as facts. A fact consists
  /// of its path and its value as text.
  func take(at instant: Instant) -> (services: [ServiceInput], facts: [(String, String)]) {
    state.withLock { state in
      let count = state.due.prefix { $0.at <= instant }.count
      let acts = state.due.prefix(count).map(\.act)
      state.due.removeFirst(count)
      state.ended = acts.compactMap { if case .end(let id) = $0 { id } else { nil } }
      var services: [ServiceInput] = []
      var facts: [(String, String)] = []
      for act in acts {
        if case .fact(let path, let text) = act { facts.append((path, text)) }
        services += inputs(of: act, &state)
      }
      return (services, facts)
    }
  }

  private func inputs(of act: ClientAction, _ state: inout State) -> [ServiceInput] {
    switch act {
    case .attach(let client):
      guard state.attached.insert(client).inserted else { return [] }
      let permissions = state.permissions[client, default: .always]
      let ends = state.unsure.filter { $0.client == client }.map(ServiceInput.end)
      state.unsure.removeAll { $0.client == client }
      return [
        .attach(client, permissions: permissions, mayBackground: !cannotBackground.contains(client))
      ] + ends + asks(of: client, state)
    case .detach(let client): return state.attached.remove(client) == nil ? [] : [.detach(client)]
    case .authorize(let client, let permissions):
      state.permissions[client] = permissions
      return [.authorize(client, permissions)] + asks(of: client, state)
    case .ask(let id, let request):
      state.wanted.append((id, request))
      return state.attached.contains(id.client) ? [.ask(id, request, receivers: .both)] : []
    case .end(let id):
      state.wanted.removeAll { $0.id == id }
      return state.attached.contains(id.client) ? [.end(id)] : []
    case .command(let id, let command):
      // Transfers run outside the client, so their results are reported even when it is not attached.
      if case TransferCommand.report? = command as? TransferCommand { return [.command(id, command)] }
      return state.attached.contains(id.client) ? [.command(id, command)] : []
    case .fact: return []
    }
  }

  private func asks(of client: ClientID, _ state: State) -> [ServiceInput] {
    guard state.attached.contains(client) else { return [] }
    return state.wanted.filter { $0.id.client == client }.map { .ask($0.id, $0.request, receivers: .both) }
  }

  // MARK: Crashes of the daemon

  /// Handles a crash of the daemon. The next daemon starts at `back`.
  ///
  /// Some client processes attach again within seconds after `back`, as if they had survived. The other
  /// client processes ended; their clients attach after 1 to 30 minutes. Pending transfer reports are either
  /// all dropped or all kept.
  func lose(at instant: Instant, until back: Instant) {
    state.withLock { state in
      state.unsure += state.ended
      if state.random.once(in: 2) {
        state.due.removeAll {
          if case .command(_, TransferCommand.report as TransferCommand) = $0.act { true } else { false }
        }
      }
      for client in state.attached.sorted() {
        let wait =
          state.random.once(in: 2)
          ? state.random.span(.zero, .seconds(10)) : state.random.span(.minutes(1), .minutes(30))
        Self.add(.attach(client), at: back + wait, &state)
      }
      state.attached = []
    }
  }

  // MARK: Effects of services

  func served(_ effect: ServiceEffect, at instant: Instant) {
    state.withLock { state in
      switch effect {
      case .launch(let client, _):
        Self.add(.attach(client), at: instant + state.random.span(.seconds(1), .seconds(30)), &state)
      case .order(let id, let order as TransferOrder): answer(order, id, at: instant, &state)
      case .notice(let id, let notice): react(notice, id, at: instant, &state)
      default: break
      }
    }
  }

  private func react(_ notice: any ServiceNotice, _ id: ServiceID, at instant: Instant, _ state: inout State)
  {
    switch notice {
    case TransferNotice.credentialsNeeded(let task):
      let later = instant + state.random.span(.seconds(5), .minutes(5))
      Self.add(.command(id, TransferCommand.credentials(task)), at: later, &state)
    case LocationNotice.answer, LocationNotice.unanswered: state.wanted.removeAll { $0.id == id }
    default: break
    }
  }

  /// Simulates how the server and the network answer a transfer attempt.
  private func answer(_ order: TransferOrder, _ id: ServiceID, at instant: Instant, _ state: inout State) {
    func report(_ exchange: TransferExchange, _ report: TransferReport, after span: TimeSpan) {
      let command = TransferCommand.report(exchange.task, attempt: exchange.attempt, report)
      Self.add(.command(id, command), at: instant + span, &state)
    }
    let wait = state.random.span(.seconds(1), .seconds(4))
    switch order {
    case .open(let exchange):
      if state.random.once(in: 8) { report(exchange, .failed(.connection), after: wait) }
      if state.random.once(in: 16) { report(exchange, .reply(401), after: wait) }
    case .complete(let exchange):
      switch state.random.below(16) {
      case 0: report(exchange, .reply(503), after: wait)
      case 1: report(exchange, .reply(404), after: wait)
      case 2: report(exchange, .failed(.diskFull), after: wait)
      default:
        report(exchange, .reply(200), after: .milliseconds(100))
        report(exchange, .finished(file: "/tmp/\(exchange.task)"), after: wait)
      }
    case .start, .close, .discard: break
    }
  }

  private static func add(_ act: ClientAction, at instant: Instant, _ state: inout State) {
    let place = state.due.firstIndex { $0.at > instant } ?? state.due.count
    state.due.insert(Entry(at: instant, act: act), at: place)
  }
}
