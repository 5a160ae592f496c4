import StintModel
import StintUnits

/// The running services of a board, by name, and the demands that each of them holds.
struct ServiceTable: Sendable {
  private var services: [ServiceID: RunningService] = [:]
  /// The names of the services, sorted. Steps process services in this order, so steps are deterministic.
  private(set) var order: [ServiceID] = []
  /// The service that raised each demand.
  private var owners: [DemandID: ServiceID] = [:]
  /// The services that their clients ended and that still wait for held output.
  private var ending: Set<ServiceID> = []
  /// The id of the next demand that a service raises.
  private(set) var nextDemand = ServiceBoard.firstDemand
  /// The union of the interests of all services.
  private(set) var interests: ServiceInterests = []

  var isEmpty: Bool { services.isEmpty }

  subscript(id: ServiceID) -> RunningService? { services[id] }

  func contains(_ id: ServiceID) -> Bool { services[id] != nil }

  /// Returns the name of a service in policies; nil for a service that policies cannot name.
  func word(of id: ServiceID) -> ServiceWord? { services[id]?.service.word }

  /// Returns the services of a client, sorted.
  func of(_ client: ClientID) -> [ServiceID] { order.filter { $0.client == client } }

  /// Returns the services that handle events of a kind, sorted.
  func handling(_ interest: ServiceInterests) -> [ServiceID] {
    guard interests.contains(interest) else { return [] }
    return order.filter { services[$0]?.interests.contains(interest) == true }
  }

  /// The next instant at which a service needs a `timer` event.
  var nextTimer: Instant { services.values.reduce(.distantFuture) { min($0, $1.service.nextTimer) } }

  /// Returns the services that need a `timer` event at an instant, sorted.
  func due(at instant: Instant) -> [ServiceID] {
    order.filter { services[$0].map { $0.service.nextTimer <= instant } == true }
  }

  /// Returns the sum of the contributions of all services to a lasting signal.
  func sum(ofSignal path: String) -> Double {
    services.values.reduce(0) { $0 + ($1.service.signals[path] ?? 0) }
  }

  // MARK: Services

  mutating func add(_ service: any Service, as id: ServiceID) {
    services[id] = RunningService(service: service)
    order.append(id)
    order.sort()
    updateInterests()
  }

  /// Changes a service in place. Does nothing for an unknown name.
  mutating func change(_ id: ServiceID, _ body: (inout any Service) -> Void) {
    guard let index = services.index(forKey: id) else { return }
    body(&services.values[index].service)
  }

  /// Removes a service with its demands, and returns it; nil for an unknown name.
  mutating func remove(_ id: ServiceID) -> RunningService? {
    guard let running = services.removeValue(forKey: id) else { return nil }
    order.removeAll { $0 == id }
    updateInterests()
    ending.remove(id)
    for demand in running.demands { owners[demand] = nil }
    return running
  }

  private mutating func updateInterests() {
    interests = services.values.reduce([]) { $0.union($1.interests) }
  }

  /// Marks a service that its client ended and that still waits for held output.
  mutating func markEnding(_ id: ServiceID) { ending.insert(id) }

  func isEnding(_ id: ServiceID) -> Bool { ending.contains(id) }

  /// Returns true for an ending service whose held output has arrived.
  func isDrained(_ id: ServiceID) -> Bool {
    ending.contains(id) && services[id]?.demands.isEmpty == true
  }

  // MARK: Demands

  /// Returns the service that raised a demand; nil for demands that clients raised directly.
  func owner(of demand: DemandID) -> ServiceID? { owners[demand] }

  /// Returns whether the service of a demand handles its samples and grants.
  func handles(_ demand: DemandID) -> Bool {
    owners[demand].flatMap { services[$0]?.interests.contains(.demands) } ?? false
  }

  /// Sets the id of the next demand after a service raised demands.
  mutating func advance(nextDemand: Int64) { self.nextDemand = nextDemand }

  /// Records a demand that a service raised.
  mutating func add(_ demand: DemandID, of id: ServiceID) {
    owners[demand] = id
    services[id]?.demands.append(demand)
  }

  /// Removes a demand that has ended, and returns its service.
  mutating func forget(_ demand: DemandID) -> ServiceID? {
    guard let id = owners.removeValue(forKey: demand) else { return nil }
    services[id]?.demands.removeAll { $0 == demand }
    return id
  }
}

/// A running service with the board's records of it.
struct RunningService: Sendable {
  var service: any Service
  /// The demands of the service, oldest first.
  var demands: [DemandID] = []
  /// Whether the service must survive a restart.
  let isPersistent: Bool
  /// The kinds of events that the service gets.
  let interests: ServiceInterests

  init(service: any Service) {
    self.service = service
    isPersistent = service is any PersistentService
    interests = service.interests
  }
}
