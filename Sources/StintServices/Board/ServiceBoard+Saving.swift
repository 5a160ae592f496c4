import StintModel
import StintUnits

extension ServiceBoard {
  /// The state that must outlive the process: permissions, persistent services and notices that wait
  /// for clients.
  public var saved: SavedServices {
    SavedServices(
      clients: clients.filter { !$0.isPolicy }.map { client in
        SavedServices.Client(
          name: client.id.name, permissions: client.given, mayBackground: client.mayBackground,
          asked: client.asked.sorted())
      },
      decisions: clientTable.savedDecisions,
      services: table.order.compactMap(savedService), servicesOfRules: ruleServices.saved(table),
      notices: notices.saved, losses: notices.losses,
      launches: launchTable.all.map { SavedServices.Launch(client: $0.client.name, reason: $0.reason.name) })
  }

  private func savedService(_ id: ServiceID) -> SavedEntry? {
    // Rules start their own services again, with the state in `SavedServices.servicesOfRules`.
    guard ruleServices[id] == nil, let service = table[id]?.service as? any PersistentService,
      service.outlivesClient
    else { return nil }
    return SavedEntry(id, service)
  }

  // MARK: Restoring

  /// Restores saved state. When the state of a service or a notice is invalid, its client gets a failure that
  /// names the service.
  mutating func restore(_ saved: SavedServices) {
    clientTable.restore(saved.decisions ?? [])
    for client in saved.clients {
      var status = ClientStatus(
        ClientID(client.name), permissions: client.permissions, mayBackground: client.mayBackground)
      status.isAttached = false
      status.asked = Set(client.asked)
      status.permissions = clientTable.decisions[status.id]?.applied(to: status.given) ?? status.given
      clientTable.add(status)
    }
    notices.restore(saved.losses ?? [])
    for entry in saved.notices {
      keep(entry.id, entry.content as? any PersistentNotice ?? Self.lost(entry.id))
    }
    for entry in saved.services where table[entry.id] == nil {
      if let service = entry.content as? any PersistentService {
        resume(service, as: entry.id)
      } else {
        keep(entry.id, Self.lost(entry.id))
      }
    }
    restoreServicesOfRules(saved.servicesOfRules)
    for entry in saved.launches { launch(ClientID(entry.client), LaunchReason(entry.reason)) }
  }

  mutating func resume(_ saved: any PersistentService, as id: ServiceID) {
    add(saved, as: id)
    run(id) { service, context, outbox in
      guard var resumed = service as? any PersistentService else { return }
      resumed.resume(context, &outbox)
      service = resumed
    }
  }

  private static func lost(_ id: ServiceID) -> ServiceFailure {
    ServiceFailure(.lost, "the saved state of “\(id.name)” cannot be read; request it again")
  }
}

/// Notices that must not be delivered before the state is saved.
extension ServiceBoard {
  /// Returns the effects to carry out although the present state is not saved yet.
  ///
  /// Notices that promise persistence, and all later output of their services, wait for `releaseDeferred`.
  /// `save` is the number of the save that contains the present state. This number never decreases.
  public mutating func withhold(_ effects: [ServiceEffect], until save: Int = 0) -> [ServiceEffect] {
    notices.withhold(effects, until: save)
  }

  /// True when output waits for a save.
  public var withholdsOutput: Bool { notices.withheldCount > 0 }

  /// Moves waiting notices of detached clients to the queues of those clients. The queues must then be saved.
  /// Call this function before saving. Returns false when no notice moves.
  @discardableResult
  public mutating func queueForDetachedClients() -> Bool { notices.queueForDetachedClients(clientTable) }

  /// Returns, as effects, the output that waited for this save or an earlier save. Call this function after
  /// saving.
  public mutating func releaseDeferred(through save: Int = .max) -> [ServiceEffect] {
    notices.release(through: save, clientTable) { [now, table, clientTable] notice, id in
      clientTable.permitted(Self.aged(notice, of: table[id], at: now), for: id.client)
    }
  }

  /// Drops old notices of detached clients and returns the number of dropped notices.
  ///
  /// The newest notices, and all notices with a `consequence`, stay. Each client whose notices were dropped
  /// gets a warning.
  public mutating func dropOldNotices() -> Int {
    let count = notices.dropOld()
    if count > 0 { saveLater() }
    return count
  }

  /// Returns the form of a notice for delivery now. Data that is too old is marked as old, and positions are
  /// coarsened for a client that may get only coarse positions.
  func aged(_ notice: any ServiceNotice, of id: ServiceID) -> any ServiceNotice {
    clientTable.permitted(Self.aged(notice, of: table[id], at: now), for: id.client)
  }

  private static func aged(
    _ notice: any ServiceNotice, of running: RunningService?, at now: Instant
  ) -> any ServiceNotice {
    notice.withAge(at: now, maxAge: running?.service.maxAge ?? LocationDefaults.maxAge.timeSpan)
  }
}
