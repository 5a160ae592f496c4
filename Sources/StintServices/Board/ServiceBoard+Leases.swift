import StintModel
import StintUnits

/// The services that rules run. Such a service (`RuleService`) delivers no notices; its results are facts.
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

  /// Starts a rule's service, or resumes the service from the state that was saved before the restart.
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

  /// Restores the saved state of rules' services. The saved state of a service waits until its rule
  /// starts the service. If the rule has already started it, a service in the saved state replaces the
  /// new one at once.
  mutating func restoreServicesOfRules(_ entries: [SavedEntry]) {
    for entry in entries {
      guard let service = entry.content as? any PersistentService,
        leases.suspend(service, as: entry.id, since: entry.since ?? now, at: now)
      else { continue }
      // The rule has already started a service in its initial state. Replace it by a service in the
      // saved state.
      if let lease = leases[entry.id] {
        discard(entry.id, .replaced)
        begin(lease, as: entry.id)
      }
    }
  }
}
