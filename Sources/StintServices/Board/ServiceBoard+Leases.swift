import StintModel

/// Services that policies run: each belongs to its rule and has no client; its results are facts.
extension ServiceBoard {
  mutating func lease(_ lease: ServiceLease) {
    if case .transfers(let start) = lease.work {
      surroundings.starts[lease] = start
      tellOfStarts()
      return
    }
    let id = Self.id(of: lease)
    guard services[id] == nil else { return }
    if standing(of: lease.client) == nil {
      var client = ClientStanding(lease.client)
      client.isPolicy = true
      clients.append(client)
      clients.sort { $0.id < $1.id }
    }
    leases[id] = lease
    begin(lease, as: id)
  }

  /// Has a lease's service begin, or go on from what it remembered before a restart.
  mutating func begin(_ lease: ServiceLease, as id: ServiceID) {
    if let service = takeRested(lease, as: id) {
      resume(service, as: id)
      return
    }
    add(StandingService(service: Self.service(of: lease)), as: id)
    guard let context = context(id), var standing = services[id] else { return }
    var outbox = outbox(for: id, standing.service)
    standing.service.begin(context, &outbox)
    services[id] = standing
    perform(outbox, for: id)
  }

  mutating func surrender(_ lease: ServiceLease) {
    if surroundings.starts.removeValue(forKey: lease) != nil {
      tellOfStarts()
      return
    }
    let id = Self.id(of: lease)
    guard leases.removeValue(forKey: id) != nil else { return }
    end(id)
    guard standing(of: lease.client)?.isPolicy == true, services(of: lease.client).isEmpty else { return }
    clients.removeAll { $0.id == lease.client }
  }

  /// Rules let other tasks of transfers begin than before.
  private mutating func tellOfStarts() { for id in order { tell(id, .starts) } }

  /// Where a service puts what it wants.
  func outbox(for id: ServiceID, _ service: any Service) -> ServiceOutbox {
    let mark = service.word.map { ServiceMark($0, rule: leases[id]?.rule) }
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
