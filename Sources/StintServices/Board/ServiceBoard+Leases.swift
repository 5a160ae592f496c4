import StintModel
import StintUnits

/// Services that policies run. Such a service belongs to its rule. It delivers no notices; its results
/// are facts.
extension ServiceBoard {
  mutating func lease(_ lease: ServiceLease) {
    if case .transfers(let start) = lease.work {
      environment.starts[lease] = start
      notifyStarts()
      return
    }
    let id = Self.id(of: lease)
    guard services[id] == nil else { return }
    if status(of: lease.client) == nil {
      var client = ClientStatus(lease.client)
      client.isPolicy = true
      clients.append(client)
      clients.sort { $0.id < $1.id }
    }
    leases[id] = lease
    begin(lease, as: id)
  }

  /// Starts the service of a lease, or resumes the service from its state before a restart.
  mutating func begin(_ lease: ServiceLease, as id: ServiceID) {
    if let service = restoreSuspended(lease, as: id) {
      resume(service, as: id)
      return
    }
    add(RunningService(service: Self.service(of: lease)), as: id)
    guard let context = context(id), var running = services[id] else { return }
    var outbox = outbox(for: id, running.service)
    running.service.begin(context, &outbox)
    services[id] = running
    perform(outbox, for: id)
  }

  mutating func releaseLease(_ lease: ServiceLease) {
    if environment.starts.removeValue(forKey: lease) != nil {
      notifyStarts()
      return
    }
    let id = Self.id(of: lease)
    guard leases.removeValue(forKey: id) != nil else { return }
    end(id)
    guard status(of: lease.client)?.isPolicy == true, services(of: lease.client).isEmpty else { return }
    clients.removeAll { $0.id == lease.client }
  }

  /// Notifies the services after rules changed the set of transfer tasks that may begin.
  private mutating func notifyStarts() { for id in order { dispatch(id, .starts) } }

  /// Makes the outbox for the requests of a service.
  func outbox(for id: ServiceID, _ service: any Service) -> ServiceOutbox {
    let mark = service.word.map { ServiceOrigin($0, rule: leases[id]?.rule) }
    return ServiceOutbox(client: id.client, nextDemand: nextDemand, mark: mark)
  }

  private static func id(of lease: ServiceLease) -> ServiceID {
    ServiceID(lease.client, lease.description)
  }

  private static func service(of lease: ServiceLease) -> any Service {
    switch lease.word {
    case .visits: VisitsService(receivers: [], device: lease.target)
    case .moves: MovesService(MovesRequest(heartbeat: nil, pausing: true), on: lease.target)
    case .orientation, nil: OrientationService(OrientationRequest(), isBegun: true)
    }
  }
}

/// State of rules' services that survives a restart: the known places of visits, the last position of moves.
/// Rules start their services again after a restart, and the services continue from this state.
extension ServiceBoard {
  /// The state of services that rules run, and of services from before a restart that no rule has started
  /// again yet.
  var savedServicesOfRules: [SavedEntry] {
    var entries = suspended.map { SavedEntry($0.key, $0.value.service, since: $0.value.since) }
    for (id, lease) in leases {
      guard let service = services[id]?.service as? any PersistentService else { continue }
      entries.append(SavedEntry(ServiceID(lease.client, id.name), service))
    }
    return entries.sorted { $0.id < $1.id }
  }

  /// Restores the state of rules' services. A running service continues from its state at once. Any other
  /// service continues when its rule starts it.
  mutating func restoreServicesOfRules(_ entries: [SavedEntry]) {
    for entry in entries {
      let since = entry.since ?? now
      guard let service = entry.content as? any PersistentService, now - since <= SuspendedService.longest
      else { continue }
      suspended[entry.id] = SuspendedService(service: service, since: since)
      // The rule started its service before this call, so the service has no state yet.
      if let lease = leases[entry.id] {
        discard(entry.id, .replaced)
        begin(lease, as: entry.id)
      }
    }
  }

  /// Returns the service of a lease with its state from before a restart, without starting it. Returns nil
  /// when there is no such state.
  mutating func restoreSuspended(_ lease: ServiceLease, as id: ServiceID) -> (any PersistentService)? {
    guard let entry = suspended.removeValue(forKey: id) else { return nil }
    needsSave = true
    guard now - entry.since <= SuspendedService.longest else { return nil }
    switch (lease.word, entry.service) {
    case (.visits, var visits as VisitsService):
      visits.device = lease.target
      return visits
    case (.moves, var moves as MovesService):
      moves.device = lease.target
      return moves
    default: return nil
    }
  }
}
