import StintModel
import StintUnits

/// The running services of a board, by name, and the demands that each of them holds.
///
/// Each service has a slot. Samples find the service of their demand by its slot, without hashing names.
struct ServiceTable: Sendable {
  /// The place of a service in the table, which does not change while the service runs.
  struct Slot: Hashable, Sendable {
    fileprivate let index: Int
  }

  /// The services by slot; nil for a free slot.
  private var services: [RunningService?] = []
  private var slots: [ServiceID: Slot] = [:]
  /// The names of the services, sorted. Steps process services in this order, so steps are deterministic.
  private(set) var order: [ServiceID] = []
  /// The service that raised each demand.
  private var owners: [DemandID: Slot] = [:]
  /// The id of the next demand that a service raises.
  private(set) var nextDemand = ServiceBoard.firstDemand
  /// The union of the interests of all services.
  private(set) var interests: ServiceInterests = []

  var isEmpty: Bool { slots.isEmpty }

  /// Returns the slot of a service; nil for an unknown name.
  func slot(of id: ServiceID) -> Slot? { slots[id] }

  /// Returns the slot of the service that raised a demand; nil for demands that clients raised directly.
  func slot(owning demand: DemandID) -> Slot? { owners[demand] }

  /// Returns the name of the service in a slot; nil for a free slot.
  func id(in slot: Slot) -> ServiceID? { services[slot.index]?.id }

  /// Returns the name of a service in policies; nil for a service that policies cannot name.
  func word(in slot: Slot) -> ServiceWord? { services[slot.index]?.service.word }

  /// Returns whether the service in a slot must survive a restart; false for a free slot.
  func isPersistent(in slot: Slot) -> Bool { services[slot.index]?.isPersistent ?? false }

  subscript(id: ServiceID) -> RunningService? { slots[id].flatMap { services[$0.index] } }

  /// Returns the services of a client, sorted.
  func of(_ client: ClientID) -> [ServiceID] { order.filter { $0.client == client } }

  /// Returns the services that handle events of a kind, sorted.
  func handling(_ interest: ServiceInterests) -> [ServiceID] {
    guard interests.contains(interest) else { return [] }
    return order.filter { self[$0]?.interests.contains(interest) == true }
  }

  /// The next instant at which a service needs a `timer` event.
  var nextTimer: Instant {
    var next = Instant.distantFuture
    for place in services.indices { next = min(next, services[place]?.service.nextTimer ?? .distantFuture) }
    return next
  }

  /// Returns the services that need a `timer` event at an instant, sorted.
  func due(at instant: Instant) -> [ServiceID] {
    guard nextTimer <= instant else { return [] }
    return order.filter { self[$0].map { $0.service.nextTimer <= instant } == true }
  }

  /// Returns the sum of the contributions of all services to a lasting signal.
  func sum(ofSignal path: String) -> Double {
    var sum = 0.0
    for place in services.indices { sum += services[place]?.service.signals[path] ?? 0 }
    return sum
  }

  // MARK: Services

  mutating func add(_ service: any Service, as id: ServiceID) {
    let slot = slots[id] ?? Slot(index: services.firstIndex { $0 == nil } ?? services.count)
    if slot.index == services.count { services.append(nil) }
    services[slot.index] = RunningService(service: service, id: id)
    slots[id] = slot
    order.append(id)
    order.sort()
    updateInterests()
  }

  /// Changes a service in place. Does nothing for a free slot.
  mutating func change(_ slot: Slot, _ body: (inout any Service) -> Void) {
    guard services[slot.index] != nil else { return }
    body(&services[slot.index]!.service)
  }

  /// Removes a service with its demands, and returns it; nil for an unknown name.
  mutating func remove(_ id: ServiceID) -> RunningService? {
    guard let slot = slots.removeValue(forKey: id), let running = services[slot.index] else { return nil }
    services[slot.index] = nil
    order.removeAll { $0 == id }
    updateInterests()
    for demand in running.demands { owners[demand] = nil }
    return running
  }

  private mutating func updateInterests() {
    interests = services.reduce([]) { $0.union($1?.interests ?? []) }
  }

  /// Marks a service that its client ended and that still waits for held output.
  mutating func markEnding(_ id: ServiceID) {
    if let slot = slots[id] { services[slot.index]?.isEnding = true }
  }

  func isEnding(_ id: ServiceID) -> Bool { self[id]?.isEnding ?? false }

  /// Returns true for an ending service whose held output has arrived.
  func isDrained(_ id: ServiceID) -> Bool { self[id].map { $0.isEnding && $0.demands.isEmpty } ?? false }

  // MARK: Demands

  /// Returns the service that raised a demand; nil for demands that clients raised directly.
  func owner(of demand: DemandID) -> ServiceID? { owners[demand].flatMap(id) }

  /// Returns whether the service of a demand handles its samples and grants.
  func handles(_ demand: DemandID) -> Bool {
    guard let slot = owners[demand] else { return false }
    return services[slot.index]?.interests.contains(.demands) ?? false
  }

  /// Sets the id of the next demand after a service raised demands.
  mutating func advance(nextDemand: Int64) { self.nextDemand = nextDemand }

  /// Records a demand that a service raised.
  mutating func add(_ demand: DemandID, of id: ServiceID) {
    guard let slot = slots[id] else { return }
    owners[demand] = slot
    services[slot.index]?.demands.append(demand)
  }

  /// Removes a demand that has ended, and returns its service.
  mutating func forget(_ demand: DemandID) -> ServiceID? {
    guard let slot = owners.removeValue(forKey: demand) else { return nil }
    services[slot.index]?.demands.removeAll { $0 == demand }
    return id(in: slot)
  }
}

/// A running service with the board's records of it.
struct RunningService: Sendable {
  let id: ServiceID
  var service: any Service
  /// The demands of the service, oldest first.
  var demands: [DemandID] = []
  /// Whether the service must survive a restart.
  let isPersistent: Bool
  /// The kinds of events that the service gets.
  let interests: ServiceInterests
  /// True when the client ended the service and the service still waits for held output.
  var isEnding = false

  init(service: any Service, id: ServiceID) {
    self.id = id
    self.service = service
    isPersistent = service is any PersistentService
    interests = service.interests
  }
}
