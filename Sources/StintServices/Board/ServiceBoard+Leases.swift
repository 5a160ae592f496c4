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
  var leasedMemory: MemoryValue {
    var entries = suspended
    for (id, lease) in leases {
      guard let service = services[id]?.service as? any PersistentService else { continue }
      entries[ServiceID(lease.client, id.name)] = SuspendedService(
        kind: type(of: service).kind, memory: service.memory, since: .distantFuture)
    }
    return .list(
      entries.keys.sorted().compactMap { id in
        guard let entry = entries[id] else { return nil }
        var parts: [String: MemoryValue] = [
          "policy": .text(id.client.name), "name": .text(id.name), "kind": .text(entry.kind),
          "memory": entry.memory,
        ]
        if entry.since < .distantFuture { parts["since"] = .integer(entry.since.nanoseconds) }
        return .record(parts)
      })
  }

  /// Restores the state of rules' services. A running service continues from its state at once. Any other
  /// service continues when its rule starts it.
  mutating func restoreLeased(_ memory: MemoryValue?, _ kinds: ServiceKinds) {
    for entry in memory?.list ?? [] {
      guard let policy = entry["policy"]?.text, let name = entry["name"]?.text,
        let kind = entry["kind"]?.text, let memory = entry["memory"], kinds.service(kind, memory) != nil
      else { continue }
      let since = entry["since"]?.integer.map(Instant.init(nanoseconds:)) ?? now
      guard now - since <= SuspendedService.longest else { continue }
      let id = ServiceID(ClientID(policy), name)
      suspended[id] = SuspendedService(kind: kind, memory: memory, since: since)
      // The rule started its service before this call, so the service has no state yet.
      if let lease = leases[id] {
        discard(id, .replaced)
        begin(lease, as: id)
      }
    }
  }

  /// Returns the service of a lease with its state from before a restart, without starting it. Returns nil
  /// when there is no such state.
  mutating func restoreSuspended(_ lease: ServiceLease, as id: ServiceID) -> (any PersistentService)? {
    guard let entry = suspended.removeValue(forKey: id) else { return nil }
    needsSave = true
    guard now - entry.since <= SuspendedService.longest else { return nil }
    switch lease.word {
    case .visits where entry.kind == VisitsService.kind:
      return VisitsService(memory: entry.memory, device: lease.target)
    case .moves where entry.kind == MovesService.kind:
      return MovesService(memory: entry.memory, on: lease.target)
    default: return nil
    }
  }
}
