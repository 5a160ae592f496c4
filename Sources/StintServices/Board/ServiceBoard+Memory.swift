import StintModel

extension ServiceBoard {
  /// What must outlive the process: who may do what, the services that outlive it, and what waits for clients.
  public var memory: MemoryValue {
    .record([
      "clients": .list(clients.filter { !$0.isPolicy }.map(Self.memory)),
      "services": .list(order.compactMap(memory)), "watched": leasedMemory,
      "kept": .list(
        kept.keys.sorted().flatMap { client in (kept[client]?.withLoss ?? []).compactMap(Self.memory) }),
      "launches": .list(
        launches.keys.sorted().compactMap { client in
          launches[client].map { .record(["client": .text(client.name), "reason": .text($0.reason.name)]) }
        }),
    ])
  }

  private static func memory(of client: ClientStanding) -> MemoryValue {
    .record([
      "name": .text(client.id.name), "authorization": .text(client.authorization.word),
      "may_background": .truth(client.mayBackground), "was_asked": .truth(client.wasAsked),
    ])
  }

  private func memory(of id: ServiceID) -> MemoryValue? {
    // What rules have run they have run again, from what `leasedMemory` says.
    guard leases[id] == nil, let service = services[id]?.service as? any PersistentService,
      service.outlivesClient
    else { return nil }
    return .record([
      "client": .text(id.client.name), "name": .text(id.name), "kind": .text(type(of: service).kind),
      "memory": service.memory,
    ])
  }

  private static func memory(of entry: NoticeQueue.Entry) -> MemoryValue? {
    guard let notice = entry.notice as? any KeptNotice else { return nil }
    return .record([
      "client": .text(entry.id.client.name), "name": .text(entry.id.name),
      "kind": .text(type(of: notice).kind), "memory": notice.memory,
    ])
  }

  // MARK: Taking it up again

  /// Takes up what was remembered; what is not understood is refused by name, and the rest goes on.
  mutating func recall(_ memory: MemoryValue, _ kinds: ServiceKinds) {
    for entry in memory["clients"]?.list ?? [] {
      guard let name = entry["name"]?.text, let client = Self.client(name, entry),
        standing(of: client.id) == nil
      else { continue }
      clients.append(client)
    }
    clients.sort { $0.id < $1.id }
    for entry in memory["kept"]?.list ?? [] {
      guard let id = Self.id(entry) else { continue }
      let notice = entry["kind"]?.text.flatMap { kind in
        entry["memory"].flatMap { kinds.notice(kind, $0) }
      }
      keep(id, notice ?? Self.lost(id))
    }
    for entry in memory["services"]?.list ?? [] { resume(entry, kinds) }
    recallLeased(memory["watched"], kinds)
    for entry in memory["launches"]?.list ?? [] {
      guard let client = entry["client"]?.text, let reason = entry["reason"]?.text else { continue }
      launch(ClientID(client), LaunchReason(reason))
    }
  }

  private mutating func resume(_ entry: MemoryValue, _ kinds: ServiceKinds) {
    guard let id = Self.id(entry), services[id] == nil else { return }
    guard let kind = entry["kind"]?.text, let memory = entry["memory"],
      let service = kinds.service(kind, memory)
    else {
      keep(id, Self.lost(id))
      return
    }
    resume(service, as: id)
  }

  /// Has a service go on from what it remembered.
  mutating func resume(_ remembered: any PersistentService, as id: ServiceID) {
    var service = remembered
    add(StandingService(service: service), as: id)
    guard let context = context(id) else { return }
    var outbox = outbox(for: id, service)
    service.resume(context, &outbox)
    services[id]?.service = service
    perform(outbox, for: id)
  }

  private static func client(_ name: String, _ entry: MemoryValue) -> ClientStanding? {
    let word = entry["authorization"]?.text
    guard let authorization = Authorization.allCases.first(where: { $0.word == word }),
      let mayBackground = entry["may_background"]?.truth
    else { return nil }
    var client = ClientStanding(
      ClientID(name), authorization: authorization, mayBackground: mayBackground)
    client.isAttached = false
    client.wasAsked = entry["was_asked"]?.truth ?? false
    return client
  }

  private static func id(_ entry: MemoryValue) -> ServiceID? {
    guard let client = entry["client"]?.text, let name = entry["name"]?.text else { return nil }
    return ServiceID(ClientID(client), name)
  }

  private static func lost(_ id: ServiceID) -> ServiceFailure {
    ServiceFailure(.lost, "what was kept of “\(id.name)” cannot be read; ask for it again")
  }
}
