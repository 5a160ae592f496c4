import StintModel

extension ServiceBoard {
  /// The state that must outlive the process: permissions, persistent services and notices that wait for
  /// clients.
  public var saved: SavedServices {
    SavedServices(
      clients: clients.filter { !$0.isPolicy }.map { client in
        SavedServices.Client(
          name: client.id.name, authorization: client.authorization, mayBackground: client.mayBackground,
          wasAsked: client.wasAsked)
      },
      services: order.compactMap(savedService), servicesOfRules: savedServicesOfRules,
      notices: kept.keys.sorted().flatMap { client in
        (kept[client]?.withLoss ?? []).compactMap { entry in
          (entry.notice as? any PersistentNotice).map { SavedEntry(entry.id, $0) }
        }
      },
      launches: launches.keys.sorted().compactMap { client in
        launches[client].map { SavedServices.Launch(client: client.name, reason: $0.reason.name) }
      })
  }

  private func savedService(_ id: ServiceID) -> SavedEntry? {
    // Rules start their own services again, with the state in `savedServicesOfRules`.
    guard leases[id] == nil, let service = services[id]?.service as? any PersistentService,
      service.outlivesClient
    else { return nil }
    return SavedEntry(id, service)
  }

  // MARK: Restoring

  /// Restores saved state. When the state of a service or a notice is invalid, its client gets a failure that
  /// names the service.
  mutating func restore(_ saved: SavedServices) {
    for client in saved.clients where status(of: ClientID(client.name)) == nil {
      var status = ClientStatus(
        ClientID(client.name), authorization: client.authorization, mayBackground: client.mayBackground)
      status.isAttached = false
      status.wasAsked = client.wasAsked
      clients.append(status)
    }
    clients.sort { $0.id < $1.id }
    for entry in saved.notices {
      keep(entry.id, entry.content as? any PersistentNotice ?? Self.lost(entry.id))
    }
    for entry in saved.services where services[entry.id] == nil {
      if let service = entry.content as? any PersistentService {
        resume(service, as: entry.id)
      } else {
        keep(entry.id, Self.lost(entry.id))
      }
    }
    restoreServicesOfRules(saved.servicesOfRules)
    for entry in saved.launches { launch(ClientID(entry.client), LaunchReason(entry.reason)) }
  }

  /// Resumes a service from its saved state.
  mutating func resume(_ saved: any PersistentService, as id: ServiceID) {
    var service = saved
    add(RunningService(service: service), as: id)
    guard let context = context(id) else { return }
    var outbox = outbox(for: id, service)
    service.resume(context, &outbox)
    services[id]?.service = service
    perform(outbox, for: id)
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
