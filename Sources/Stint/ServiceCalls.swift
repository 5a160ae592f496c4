import StintBus
import StintDaemon
import StintGovernor
import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintServices
import StintUnits

/// The handlers of an app. `Bus.init` describes them.
struct BusHandlers: Sendable {
  var onLaunch: (@Sendable (_ client: String, _ reason: String) -> Void)?
  var onSentence: (@Sendable (_ client: String, _ sentence: String) -> Void)?
  var onOrder: (@Sendable (_ client: String, _ service: String, _ order: any ServiceOrder) -> Void)?
  var onAct: (@Sendable (_ act: PolicyAct) -> Void)?
}

/// Distributes the effects of services to their readers, and ends each stream when its service ends.
final class ServiceCalls: HostObserver {
  private struct State {
    /// The boxes of running services, and of services with a notice that the client has not requested yet.
    var boxes: [ServiceID: NoticeBox] = [:] { didSet { recent = nil } }
    /// The boxes of requests that the host has not answered yet.
    var prepared: [ServiceID: NoticeBox] = [:]
    /// The feeds of demands, by the service that holds the demand.
    var feeds: [ServiceID: DemandFeed] = [:] { didSet { recent = nil } }
    /// The service of the last notice, and its box. Consecutive notices often belong to one service.
    var recent: (id: ServiceID, box: NoticeBox)?
    /// The services that raised the active demands.
    var owners: [DemandID: ServiceID] = [:]
    /// The last status of each device that a service demands.
    var statuses: [ServiceID: [DeviceID: DemandStatus]] = [:]
    /// The reasons of refused requests, until their callers read them.
    var refusals: [ServiceID: ServiceFailure] = [:]
    /// The clients that the app has ever attached. Other observers handle the effects for other clients.
    var known: Set<ClientID> = []
    var isClosed = false
  }

  private let state = Locked(State())
  private let plugins: PluginSet
  private let handlers: BusHandlers
  private let demandStates: DemandStates
  private let energyObservers: [any EnergyObserver]
  /// The host, when its plugins carry out the orders of services; nil when the app carries them out.
  private let carrierHost = Locked<WeakHost?>(nil)

  private struct WeakHost: Sendable {
    weak var host: Host?
  }

  init(_ plugins: PluginSet, _ handlers: BusHandlers, _ demandStates: DemandStates) {
    self.plugins = plugins
    self.demandStates = demandStates
    energyObservers = plugins.members.compactMap { $0.plugin as? any EnergyObserver }
    self.handlers = handlers
  }

  /// The facts whose changes the app reads.
  let facts = FactTopics()

  var observesIdle: Bool { facts.isWatching || !energyObservers.isEmpty }

  var observesDeliveries: Bool { false }

  func becameIdle(_ governor: borrowing Governor, at instant: Instant) {
    facts.update(governor)
    guard !energyObservers.isEmpty else { return }
    let spent = governor.spent(at: instant)
    for observer in energyObservers { observer.note(spent: spent) }
  }

  /// Returns why the plugin of a device does not serve; nil while it works.
  func interruption(of device: DeviceID, at instant: Instant) -> String? {
    demandStates.interruption(of: device, at: instant)
  }

  /// True when the app carries out the orders of services.
  var carriesTransfers: Bool { handlers.onOrder != nil }

  func connect(_ host: Host) {
    if plugins.hasCarrier { carrierHost.withLock { $0 = WeakHost(host: host) } }
  }

  // MARK: Boxes of notices

  /// Records that the app attaches a client.
  func attach(_ client: ClientID) { state.withLock { _ = $0.known.insert(client) } }

  /// Returns a new box for a request that is about to be submitted.
  func prepare(_ id: ServiceID, maxAge: TimeSpan) -> NoticeBox {
    let box = makeBox(id)
    box.maxAge = maxAge
    state.withLock { $0.prepared[id] = box }
    return box
  }

  private func makeBox(_ id: ServiceID) -> NoticeBox {
    NoticeBox { [weak self, onOrder = handlers.onOrder] order in
      if let order = order as? TransferOrder, let carriers = self?.carrierHost.withLock({ $0 }) {
        carriers.host?.queue(order, of: id)
      } else {
        onOrder?(id.client.name, id.name, order)
      }
    }
  }

  /// Returns the box of a submitted request: the existing box of its service, or else the prepared one.
  func box(_ id: ServiceID, preparedAs box: NoticeBox) -> NoticeBox {
    state.withLock { state in
      guard state.prepared[id] === box else { return box.take() }
      state.prepared[id] = nil
      let current = state.boxes[id] ?? box
      // Do not store the box of an ended service: only its reader needs it.
      if current.end == nil { state.boxes[id] = current }
      return current.take()
    }
  }

  /// Returns the box for a notice of a service, and creates it when it is missing. Returns nil for a service
  /// that holds the demand of a feed, for services of clients that the app has never attached, and after
  /// `close()`. The reader of a feed gets a failure through the stream of the feed.
  private func boxForNotice(of id: ServiceID) -> NoticeBox? {
    state.withLock { state in
      if let recent = state.recent, recent.id == id { return recent.box }
      guard !state.isClosed, state.feeds[id] == nil else { return nil }
      // Only clients of the app have boxes.
      guard state.boxes[id] != nil || state.known.contains(id.client) else { return nil }
      let box = state.boxes[id] ?? makeBox(id)
      state.boxes[id] = box
      state.recent = (id, box)
      return box
    }
  }

  /// Returns the box of a service for a reader. When `isStanding` is false, the service does not run: the box
  /// contains the unread notices and has ended.
  func claimBox(_ id: ServiceID, isStanding: Bool) -> NoticeBox {
    state.withLock { state in
      let box = state.boxes[id] ?? makeBox(id)
      if state.isClosed || !isStanding {
        state.boxes[id] = nil
        box.finish(state.isClosed ? .closed : .finished)
      } else {
        state.boxes[id] = box
      }
      return box.take()
    }
  }

  /// Ends the readers of a detached client. Unread notices are kept for the next process of the client.
  func detach(_ client: ClientID) {
    state.withLock { state in
      for (id, box) in state.boxes where id.client == client {
        let unread = box.drainUnread()
        state.boxes[id] = nil
        guard !unread.isEmpty else { continue }
        let next = makeBox(id)
        for notice in unread { next.put(notice) }
        state.boxes[id] = next
      }
    }
  }

  // MARK: Demands

  /// Registers the feed of a demand, by the service that holds the demand.
  func open(_ feed: DemandFeed, for id: ServiceID) { state.withLock { $0.feeds[id] = feed } }

  /// Removes the feed of a demand.
  func closeFeed(of id: ServiceID) { state.withLock { $0.feeds[id] = nil } }

  func demanded(_ demand: Demand, by service: ServiceID, at instant: Instant) {
    state.withLock { $0.owners[demand.id] = service }
  }

  func released(_ demand: Demand, at instant: Instant) { state.withLock { $0.owners[demand.id] = nil } }

  func granted(_ grant: Grant, to demand: Demand, in governor: borrowing Governor, at instant: Instant) {
    // The status is expensive, so it is determined only for demands of the app.
    guard state.withLock({ $0.owners[demand.id] }) != nil else { return }
    let status = DemandStatus(demandStates.state(of: grant, to: demand, governor, at: instant))
    let (feed, box) = state.withLock { state -> (DemandFeed?, NoticeBox?) in
      guard let id = state.owners[demand.id] else { return (nil, nil) }
      if let feed = state.feeds[id] { return (feed, nil) }
      let former = state.statuses[id]?[demand.target]
      state.statuses[id, default: [:]][demand.target] = status
      return (nil, status.isNews(after: former) ? state.boxes[id] : nil)
    }
    feed?.note(status)
    box?.put(status)
  }

  /// Returns true when the plugin of a device failed, and for an unknown device.
  func isLost(_ device: DeviceID) -> Bool {
    plugins.index(of: device).map { plugins.failure($0) != nil } ?? true
  }

  func acted(_ act: Act, by rule: RuleID, at instant: Instant) {
    guard let onAct = handlers.onAct, let act = PolicyAct(act, by: rule, at: instant) else { return }
    onAct(act)
  }

  // MARK: Ends

  /// Returns the reason why the last request for this service was refused, and removes the reason. Returns
  /// nil when there is no reason.
  func consumeRefusal(_ id: ServiceID) -> ServiceFailure? {
    state.withLock { $0.refusals.removeValue(forKey: id) }
  }

  /// The notices that the app has not read, for each service.
  var unread: [ServiceInput] {
    let boxes = state.withLock { $0.boxes }
    return boxes.sorted { $0.key < $1.key }.compactMap { id, box in
      let notices = box.unread
      return notices.isEmpty ? nil : .unread(id, notices)
    }
  }

  /// Ends all streams and prevents new streams. Called when the host is closed.
  func close() {
    let (boxes, feeds) = state.withLock { state in
      defer { state = State(isClosed: true) }
      return (Array(state.boxes.values) + Array(state.prepared.values), Array(state.feeds.values))
    }
    for box in boxes { box.finish(.closed) }
    for feed in feeds { feed.channel.finish(throwing: .closed) }
  }

  private func end(_ id: ServiceID, _ end: ServiceEnd) {
    let (box, feed) = state.withLock { state in
      state.statuses[id] = nil
      return (state.boxes[id], state.feeds.removeValue(forKey: id))
    }
    let channel = feed?.channel
    box?.finish(end)
    // A box with notices that the client has not requested yet stays until the client requests them.
    if let box, box.isTaken || box.isEmpty { state.withLock { $0.boxes[id] = nil } }
    switch end {
    case .failed(let failure):
      channel?.revoke(throwing: Problem(failure))
    case .detached:
      channel?.revoke(
        throwing: Problem(.detached, cause: "“\(id.client)” left the bus", remedy: "attach it again"))
    case .finished, .ended, .replaced, .closed: channel?.finish()
    }
  }

  func served(_ effect: ServiceEffect, at instant: Instant) {
    switch effect {
    case .accepted(let id):
      state.withLock { state in
        if let box = state.prepared[id], state.feeds[id] == nil { state.boxes[id] = box }
      }
    case .notice(let id, let notice):
      boxForNotice(of: id)?.put(notice)
    case .over(let id, let end): self.end(id, end)
    case .refused(let id, let failure), .refusedCommand(let id, let failure):
      state.withLock {
        if $0.known.contains(id.client) { $0.refusals[id] = demandStates.explained(failure, at: instant) }
      }
    case .order(let id, let order): handlers.onOrder?(id.client.name, id.name, order)
    case .permissions(let client, let permissions):
      guard permissions.precision == .coarse else { return }
      for (id, box) in state.withLock({ $0.boxes }) where id.client == client { box.limitAccuracy() }
    case .launch(let client, let reason): handlers.onLaunch?(client.name, reason.name)
    case .notifyUser(let client, let sentence): handlers.onSentence?(client.name, sentence)
    case .raise, .release, .withdraw, .wake, .publish, .publishSignal, .setHasConsumer, .presence: break
    }
  }
}
