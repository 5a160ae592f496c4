import StintModel
import StintUnits

/// Services that policies run. Such a service belongs to its rule. It delivers no notices; its results are
/// facts.
extension ServiceBoard {
  mutating func lease(_ lease: RuleService) {
    if case .transfers(let start) = lease.work {
      environment.set(start, of: lease)
      notifyStarts()
      return
    }
    let id = Self.id(of: lease)
    guard table[id] == nil else { return }
    var client = ClientStatus(lease.client)
    client.isPolicy = true
    clientTable.add(client)
    leases.add(lease, as: id)
    begin(lease, as: id)
  }

  /// Starts the service of a lease, or resumes the service from its state before a restart.
  private mutating func begin(_ lease: RuleService, as id: ServiceID) {
    if leases.isSuspended(id) { saveLater() }
    if let service = leases.takeSuspended(lease, as: id, at: now) {
      resume(service, as: id)
    } else {
      begin(LeaseTable.service(of: lease), as: id)
    }
  }

  mutating func releaseLease(_ lease: RuleService) {
    if environment.removeStart(of: lease) {
      notifyStarts()
      return
    }
    let id = Self.id(of: lease)
    guard leases.remove(id) else { return }
    end(id)
    guard status(of: lease.client)?.isPolicy == true, table.of(lease.client).isEmpty else { return }
    clientTable.remove(lease.client)
  }

  /// Notifies the services after rules changed the set of transfer tasks that may begin.
  private mutating func notifyStarts() { for id in table.order { dispatch(id, .starts) } }

  private static func id(of lease: RuleService) -> ServiceID {
    ServiceID(lease.client, lease.description)
  }

  /// Restores the state of rules' services. If a rule has already started its service, the saved state
  /// replaces the service's state at once. The saved state of another service waits until its rule starts the
  /// service.
  mutating func restoreServicesOfRules(_ entries: [SavedEntry]) {
    for entry in entries {
      guard let service = entry.content as? any PersistentService,
        leases.suspend(service, as: entry.id, since: entry.since ?? now, at: now)
      else { continue }
      // The rule started its service before this call, so the service has no state yet.
      if let lease = leases[entry.id] {
        discard(entry.id, .replaced)
        begin(lease, as: entry.id)
      }
    }
  }
}
