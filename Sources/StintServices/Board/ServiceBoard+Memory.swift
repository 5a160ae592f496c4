import StintModel

extension ServiceBoard {
  /// The state that must outlive the process: authorizations, persistent services and notices that wait for
  /// clients.
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

  private static func memory(of client: ClientStatus) -> MemoryValue {
    .record([
      "name": .text(client.id.name), "authorization": .text(client.authorization.word),
      "may_background": .truth(client.mayBackground), "was_asked": .truth(client.wasAsked),
    ])
  }

  private func memory(of id: ServiceID) -> MemoryValue? {
    // Rules start their own services again, with the state in `leasedMemory`.
    guard leases[id] == nil, let service = services[id]?.service as? any PersistentService,
      service.outlivesClient
    else { return nil }
    return .record([
      "client": .text(id.client.name), "name": .text(id.name), "kind": .text(type(of: service).kind),
      "memory": service.memory,
    ])
  }

  private static func memory(of entry: NoticeQueue.Entry) -> MemoryValue? {
    guard let notice = entry.notice as? any PersistentNotice else { return nil }
    return .record([
      "client": .text(entry.id.client.name), "name": .text(entry.id.name),
      "kind": .text(type(of: notice).kind), "memory": notice.memory,
    ])
  }

  // MARK: Restoring

  /// Restores saved state. When the state of a service or a notice cannot be read, its client gets a failure
  /// that names the service. Other entries that cannot be read are skipped.
  mutating func restore(_ memory: MemoryValue, _ kinds: ServiceKinds) {
    for entry in memory["clients"]?.list ?? [] {
      guard let name = entry["name"]?.text, let client = Self.client(name, entry),
        status(of: client.id) == nil
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
    restoreLeased(memory["watched"], kinds)
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

  /// Resumes a service from its saved state.
  mutating func resume(_ remembered: any PersistentService, as id: ServiceID) {
    var service = remembered
    add(RunningService(service: service), as: id)
    guard let context = context(id) else { return }
    var outbox = outbox(for: id, service)
    service.resume(context, &outbox)
    services[id]?.service = service
    perform(outbox, for: id)
  }

  private static func client(_ name: String, _ entry: MemoryValue) -> ClientStatus? {
    let word = entry["authorization"]?.text
    guard let authorization = word.flatMap(Authorization.init(rawValue:)),
      let mayBackground = entry["may_background"]?.truth
    else { return nil }
    var client = ClientStatus(
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
    ServiceFailure(.lost, "the saved state of “\(id.name)” cannot be read; request it again")
  }
}

/// Output that waits until the services are saved: a notice, or the end of a service.
struct DeferredOutput: Sendable {
  let id: ServiceID
  /// The notice; nil when the service has ended for the reason in `end`.
  var notice: (any ServiceNotice)?
  var end: ServiceEnd?

  /// The largest number of waiting entries. Above this number, the oldest notice that does not promise
  /// persistence is dropped. When all notices promise persistence, the oldest notice is dropped.
  static let capacity = 4096
}

extension ServiceBoard {
  /// Returns the effects to carry out while nothing can be saved.
  ///
  /// Notices that promise persistence wait for `releaseDeferred`, as does all later output of their services.
  public mutating func withhold(_ effects: [ServiceEffect]) -> [ServiceEffect] {
    var orders: [ServiceEffect] = []
    let rest = effects.filter { effect in
      switch effect {
      case .notice(let id, let notice):
        guard notice.promisesPersistence || isWithheld(id) else { return true }
        orders += withhold(DeferredOutput(id: id, notice: notice))
        return false
      case .over(let id, let end):
        guard isWithheld(id) else { return true }
        orders += withhold(DeferredOutput(id: id, end: end))
        return false
      default: return true
      }
    }
    return rest + orders
  }

  private func isWithheld(_ id: ServiceID) -> Bool { withheld.contains { $0.id == id } }

  /// Adds an entry to the waiting output.
  ///
  /// - Returns: the consequence of a notice that was dropped for lack of space.
  private mutating func withhold(_ entry: DeferredOutput) -> [ServiceEffect] {
    withheld.append(entry)
    guard withheld.count > DeferredOutput.capacity,
      let place = withheld.firstIndex(where: { $0.notice?.promisesPersistence == false })
        ?? withheld.firstIndex(where: { $0.notice != nil })
    else { return [] }
    let lost = withheld.remove(at: place)
    droppedNotices += 1
    return lost.notice?.consequence.map { [.order(lost.id, $0)] } ?? []
  }

  /// Moves waiting notices of detached clients to the queues of those clients. Call it before saving.
  public mutating func queueForDetachedClients() {
    var waiting: [DeferredOutput] = []
    for entry in withheld {
      guard let notice = entry.notice, status(of: entry.id.client)?.isAttached != true else {
        waiting.append(entry)
        continue
      }
      if let order = keep(notice, of: entry.id) { waiting.append(order) }
    }
    withheld = waiting
  }

  /// Queues a notice outside of a step. When the full queue drops a notice that has a consequence, returns
  /// the dropped notice.
  private mutating func keep(_ notice: any ServiceNotice, of id: ServiceID) -> DeferredOutput? {
    guard let lost = kept[id.client, default: NoticeQueue()].append(id, notice) else { return nil }
    droppedNotices += 1
    return lost.notice.consequence == nil ? nil : DeferredOutput(id: lost.id, notice: lost.notice)
  }

  /// Returns the waiting output as effects. Call it after saving.
  public mutating func releaseDeferred() -> [ServiceEffect] {
    var effects: [ServiceEffect] = []
    for entry in withheld {
      if let end = entry.end { effects.append(.over(entry.id, end)) }
      guard let notice = entry.notice else { continue }
      if status(of: entry.id.client)?.isAttached == true {
        effects.append(.notice(entry.id, withAge(notice, of: entry.id)))
      } else if let order = notice.consequence {
        effects.append(.order(entry.id, order))
      }
    }
    withheld.removeAll()
    return effects
  }

  /// The number of newest notices that each detached client keeps when memory is low.
  static let noticesKeptInLowMemory = 16

  /// Drops old notices of detached clients and returns the number of dropped notices.
  ///
  /// The newest notices and those with a consequence stay. Each client whose notices were dropped gets a
  /// warning.
  public mutating func dropOldNotices() -> Int {
    var count = 0
    for client in kept.keys.sorted() { count += kept[client]?.keepNewest(Self.noticesKeptInLowMemory) ?? 0 }
    droppedNotices += count
    if count > 0 { needsSave = true }
    return count
  }

  /// Returns a notice for delivery now. Data that has become too old is marked as old.
  func withAge(_ notice: any ServiceNotice, of id: ServiceID) -> any ServiceNotice {
    notice.withAge(at: now, maxAge: services[id]?.service.maxAge ?? LocationDefaults.maxAge)
  }
}
