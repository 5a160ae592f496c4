import StintModel
import StintUnits

/// The running services of a board, by name, and the demands of each service.
///
/// Each service has a slot. The board finds the service of a demand by the slot, without hashing the name
/// of the service. The data of a slot are in separate arrays, so that the delivery of samples copies only
/// the data that it reads.
struct ServiceTable: Sendable {
  /// The index of a service in the arrays of the table. It does not change while the service runs.
  struct Slot: Hashable, Sendable {
    fileprivate let index: Int
  }

  /// The services by slot.
  private var services: [any Service] = []
  /// By slot: the record of the service; nil for a free slot.
  private var records: [ServiceRecord?] = []
  /// By slot: the instant at which the service needs a `timer` event; the distant future for a free slot.
  private var timers: [Instant] = []
  /// The demand whose service was last looked up. Consecutive batches often belong to one demand.
  private var recent: (demand: DemandID, slot: Slot)?
  private var slots: [ServiceID: Slot] = [:]
  /// The names of the services, sorted. Steps process services in this order, so steps are deterministic.
  private(set) var order: [ServiceID] = []
  /// The service that raised each demand.
  private var owners: [DemandID: Slot] = [:] { didSet { recent = nil } }
  /// The id of the next demand that a service raises.
  private(set) var nextDemand = ServiceBoard.firstDemand
  /// The kinds of events that at least one service of the table handles.
  private(set) var interests: ServiceInterests = []

  var isEmpty: Bool { slots.isEmpty }

  /// Returns the slot of a service; nil for an unknown name.
  func slot(of id: ServiceID) -> Slot? { slots[id] }

  /// Returns the slot of the service that raised a demand; nil for demands that clients raised directly.
  mutating func slot(owning demand: DemandID) -> Slot? {
    if let recent, recent.demand == demand { return recent.slot }
    guard let slot = owners[demand] else { return nil }
    recent = (demand, slot)
    return slot
  }

  /// Returns the name of the service in a slot; nil for a free slot.
  func id(in slot: Slot) -> ServiceID? { records[slot.index]?.id }

  /// Returns the name of a service in policies; nil for a service that policies cannot name.
  func word(in slot: Slot) -> ServiceWord? { services[slot.index].word }

  /// Returns whether the service in a slot must survive a restart; false for a free slot.
  func isPersistent(in slot: Slot) -> Bool { records[slot.index]?.isPersistent ?? false }

  subscript(id: ServiceID) -> RunningService? { slots[id].flatMap(running) }

  private func running(_ slot: Slot) -> RunningService? {
    records[slot.index].map { RunningService(service: services[slot.index], record: $0) }
  }

  /// Returns the services of a client, sorted.
  func of(_ client: ClientID) -> [ServiceID] { order.filter { $0.client == client } }

  /// Returns the services that handle events of a kind, sorted.
  func handling(_ interest: ServiceInterests) -> [ServiceID] {
    guard interests.contains(interest) else { return [] }
    return order.filter { slots[$0].flatMap { records[$0.index] }?.interests.contains(interest) == true }
  }

  /// The next instant at which a service needs a `timer` event.
  var nextTimer: Instant {
    var next = Instant.distantFuture
    for timer in timers where timer < next { next = timer }
    return next
  }

  /// Returns the services that need a `timer` event at an instant, sorted.
  func due(at instant: Instant) -> [ServiceID] {
    guard nextTimer <= instant else { return [] }
    return order.filter { slots[$0].map { timers[$0.index] <= instant } == true }
  }

  /// Returns the sum of the contributions of all services to a lasting signal.
  func sum(ofSignal path: String) -> Double {
    var sum = 0.0
    for place in services.indices where records[place] != nil { sum += services[place].signals[path] ?? 0 }
    return sum
  }

  // MARK: Services

  mutating func add(_ service: any Service, as id: ServiceID) {
    let slot = slots[id] ?? Slot(index: records.firstIndex { $0 == nil } ?? records.count)
    if slot.index == records.count {
      services.append(service)
      records.append(nil)
      timers.append(.distantFuture)
    }
    services[slot.index] = service
    records[slot.index] = ServiceRecord(service, id: id)
    timers[slot.index] = service.nextTimer
    slots[id] = slot
    order.append(id)
    order.sort()
    updateInterests()
  }

  /// Changes a service in place. Does nothing for a free slot.
  mutating func change(_ slot: Slot, _ body: (inout any Service) -> Void) {
    guard records[slot.index] != nil else { return }
    body(&services[slot.index])
    timers[slot.index] = services[slot.index].nextTimer
  }

  /// Removes a service with its demands, and returns it; nil for an unknown name.
  mutating func remove(_ id: ServiceID) -> RunningService? {
    guard let slot = slots.removeValue(forKey: id), let running = running(slot) else { return nil }
    services[slot.index] = FreeSlot()
    records[slot.index] = nil
    timers[slot.index] = .distantFuture
    order.removeAll { $0 == id }
    updateInterests()
    for demand in running.demands { owners[demand] = nil }
    return running
  }

  private mutating func updateInterests() {
    interests = records.reduce([]) { $0.union($1?.interests ?? []) }
  }

  /// Marks a service that its client has ended, but that still waits for the held samples of its devices.
  mutating func markEnding(_ id: ServiceID) {
    if let slot = slots[id] { records[slot.index]?.isEnding = true }
  }

  func isEnding(_ id: ServiceID) -> Bool { record(id)?.isEnding ?? false }

  private func record(_ id: ServiceID) -> ServiceRecord? { slots[id].flatMap { records[$0.index] } }

  /// Returns true when a service that its client ended has received all samples that its devices held.
  func isDrained(_ id: ServiceID) -> Bool { record(id).map { $0.isEnding && $0.demands.isEmpty } ?? false }

  // MARK: Demands

  /// Returns the service that raised a demand; nil for demands that clients raised directly.
  func owner(of demand: DemandID) -> ServiceID? { owners[demand].flatMap(id) }

  /// Returns whether the service of a demand handles the samples and grants of the demand.
  func handles(_ demand: DemandID) -> Bool {
    owners[demand].flatMap { records[$0.index] }?.interests.contains(.demands) ?? false
  }

  /// Returns whether waiting batches of a demand may reach its service as one batch.
  func joinsBatches(_ demand: DemandID) -> Bool {
    owners[demand].map { services[$0.index].joinsBatches } ?? false
  }

  /// Sets the id of the next demand after a service raised demands.
  mutating func advance(nextDemand: Int64) { self.nextDemand = nextDemand }

  /// Records a demand that a service raised.
  mutating func add(_ demand: DemandID, of id: ServiceID) {
    guard let slot = slots[id] else { return }
    owners[demand] = slot
    records[slot.index]?.demands.append(demand)
  }

  /// Removes a demand that has ended, and returns its service.
  mutating func forget(_ demand: DemandID) -> ServiceID? {
    guard let slot = owners.removeValue(forKey: demand) else { return nil }
    records[slot.index]?.demands.removeAll { $0 == demand }
    return id(in: slot)
  }
}

/// A running service with the board's record of it.
struct RunningService: Sendable {
  var service: any Service
  private let record: ServiceRecord

  init(service: any Service, record: ServiceRecord) {
    self.service = service
    self.record = record
  }

  /// The demands of the service, oldest first.
  var demands: [DemandID] { record.demands }
  /// Whether the service must survive a restart.
  var isPersistent: Bool { record.isPersistent }
}

/// The board's record of a running service.
struct ServiceRecord: Sendable {
  let id: ServiceID
  /// The demands of the service, oldest first.
  var demands: [DemandID] = []
  /// Whether the service must survive a restart.
  let isPersistent: Bool
  /// The kinds of events that the service gets.
  let interests: ServiceInterests
  /// True when the client has ended the service, but the service still waits for the held samples of its
  /// devices.
  var isEnding = false

  init(_ service: any Service, id: ServiceID) {
    self.id = id
    isPersistent = service is any PersistentService
    interests = service.interests
  }
}

/// The content of a free slot.
private struct FreeSlot: Service {
  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {}
  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {}
}
