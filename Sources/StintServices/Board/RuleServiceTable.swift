import StintModel
import StintUnits

/// The services of rules. The table also keeps the state of such services from before a restart.
struct RuleServiceTable: Sendable {
  private var ruleServices: [ServiceID: RuleService] = [:]
  /// The state of rules' services from before a restart, until their rules start them again.
  private var suspended: [ServiceID: SuspendedService] = [:]

  /// Returns the rule's service (`RuleService`) that runs under this name; nil for a service of a client.
  subscript(id: ServiceID) -> RuleService? { ruleServices[id] }

  mutating func add(_ ruleService: RuleService, as id: ServiceID) { ruleServices[id] = ruleService }

  /// Removes a rule's service. Returns false when no rule runs a service under this name.
  mutating func remove(_ id: ServiceID) -> Bool { ruleServices.removeValue(forKey: id) != nil }

  /// Keeps the state of a rule's service until the rule starts the service. State that is too old is dropped.
  ///
  /// - Returns: false when the state was dropped.
  mutating func suspend(_ service: any PersistentService, as id: ServiceID, since: Instant, at now: Instant)
    -> Bool
  {
    guard now - since <= SuspendedService.longest else { return false }
    suspended[id] = SuspendedService(service: service, since: since)
    return true
  }

  /// Returns true while the state of this service is kept until its rule starts the service.
  func isSuspended(_ id: ServiceID) -> Bool { suspended[id] != nil }

  /// Removes and returns the state that a rule's service had before a restart. Does not start the service.
  /// Returns nil when there is no state for this kind of service, or when the state is too old.
  mutating func takeSuspended(_ ruleService: RuleService, as id: ServiceID, at now: Instant)
    -> (any PersistentService)?
  {
    guard let entry = suspended.removeValue(forKey: id), now - entry.since <= SuspendedService.longest else {
      return nil
    }
    switch (ruleService.word, entry.service) {
    case (.visits, var visits as VisitsService):
      visits.device = ruleService.target
      return visits
    case (.moves, var moves as MovesService):
      moves.device = ruleService.target
      return moves
    default: return nil
    }
  }

  /// Returns the state of the services of rules, and the restored state that still waits for its rule.
  func saved(_ services: ServiceTable) -> [SavedEntry] {
    var entries = suspended.map { SavedEntry($0.key, $0.value.service, since: $0.value.since) }
    for (id, ruleService) in ruleServices {
      guard let service = services[id]?.service as? any PersistentService else { continue }
      entries.append(SavedEntry(ServiceID(ruleService.client, id.name), service))
    }
    return entries.sorted { $0.id < $1.id }
  }

  static func service(of ruleService: RuleService) -> any Service {
    switch ruleService.word {
    case .visits: VisitsService(receivers: [], device: ruleService.target)
    case .moves: MovesService(MovesRequest(heartbeat: nil, pausing: true), on: ruleService.target)
    case .orientation, nil: OrientationService(OrientationRequest(), isBegun: true)
    }
  }
}

/// The state of a rule's service from before a restart, until the rule starts the service again.
private struct SuspendedService: Sendable {
  let service: any PersistentService
  /// The instant since which no rule has run the service.
  let since: Instant

  /// The maximum time for which the state is kept without its rule.
  static let longest = TimeSpan.hours(7 * 24)
}
