import StintModel
import StintUnits

/// The services of rules. Such a service (`RuleService`) delivers no notices; its results are facts.
extension ServiceBoard {
  mutating func startRuleService(_ ruleService: RuleService) {
    if case .transfers(let start) = ruleService.work {
      environment.set(start, of: ruleService)
      notifyStarts()
      return
    }
    let id = Self.id(of: ruleService)
    guard table[id] == nil else { return }
    var client = ClientStatus(ruleService.client)
    client.isPolicy = true
    clientTable.add(client)
    ruleServices.add(ruleService, as: id)
    begin(ruleService, as: id)
  }

  /// Starts a rule's service, or resumes the service from the state that was saved before the restart.
  private mutating func begin(_ ruleService: RuleService, as id: ServiceID) {
    if ruleServices.isSuspended(id) { saveLater() }
    if let service = ruleServices.takeSuspended(ruleService, as: id, at: now) {
      resume(service, as: id)
    } else {
      begin(RuleServiceTable.service(of: ruleService), as: id)
    }
  }

  mutating func endRuleService(_ ruleService: RuleService) {
    if environment.removeStart(of: ruleService) {
      notifyStarts()
      return
    }
    let id = Self.id(of: ruleService)
    guard ruleServices.remove(id) else { return }
    end(id)
    guard status(of: ruleService.client)?.isPolicy == true, table.of(ruleService.client).isEmpty else {
      return
    }
    clientTable.remove(ruleService.client)
  }

  /// Notifies the services after rules changed the set of transfer tasks that may begin.
  private mutating func notifyStarts() { for id in table.order { dispatch(id, .starts) } }

  private static func id(of ruleService: RuleService) -> ServiceID {
    ServiceID(ruleService.client, ruleService.description)
  }

  /// Restores the saved state of rules' services. The saved state of a service waits until its rule
  /// starts the service. If the rule has already started a new service, a service in the saved state
  /// replaces the new service at once.
  mutating func restoreServicesOfRules(_ entries: [SavedEntry]) {
    for entry in entries {
      guard let service = entry.content as? any PersistentService,
        ruleServices.suspend(service, as: entry.id, since: entry.since ?? now, at: now)
      else { continue }
      // The rule has already started a service in its initial state. Replace it by a service in the
      // saved state.
      if let ruleService = ruleServices[entry.id] {
        discard(entry.id, .replaced)
        begin(ruleService, as: entry.id)
      }
    }
  }
}
