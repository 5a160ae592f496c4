import StintMachine
import StintModel
import StintUnits

/// The demand table holds every present demand, and gives ids to those that rules raise.
///
/// Records stand in slots that stay while a demand lives, so that a step finds them without a search.
struct DemandTable: Sendable {
  private var records: ContiguousArray<DemandRecord> = []
  private var slots: [DemandID: DemandSlot] = [:]
  /// Slots whose demands are over.
  private var vacant: [Int] = []
  /// The id of the next demand that a rule raises; ids of clients are not negative.
  private var nextOwn: Int64 = -1

  /// The record of a demand that is present.
  subscript(slot: DemandSlot) -> DemandRecord {
    @inline(__always) _read { yield records[slot.index] }
  }

  subscript(id: DemandID) -> DemandRecord? { slots[id].map { records[$0.index] } }

  /// Where the record of a demand stands; nil for one that is not present.
  func slot(of id: DemandID) -> DemandSlot? { slots[id] }

  /// The ids of all demands, sorted; this is what the table remembers over a restart.
  var ids: [DemandID] { slots.keys.sorted() }

  /// All demands, in no order.
  var all: some Collection<DemandRecord> { slots.values.lazy.map { records[$0.index] } }

  /// The first of these demands that is of a client; nil for none.
  func first(of client: ClientID, among slots: [DemandSlot]) -> DemandRecord? {
    slots.first { records[$0.index].demand.client == client }.map { records[$0.index] }
  }

  // MARK: A step

  /// Adds a demand whose id is new.
  ///
  /// - Parameter wants: what it asks, completed by what policies and the device say of the rest.
  @discardableResult
  mutating func add(_ demand: Demand, completed wants: DemandSettings, on target: Int, at now: Instant)
    -> DemandSlot
  {
    let record = DemandRecord(demand: demand, completed: wants, target: target, raised: now)
    let slot = DemandSlot(id: demand.id, index: vacant.popLast() ?? records.count)
    if slot.index == records.count { records.append(record) } else { records[slot.index] = record }
    slots[demand.id] = slot
    return slot
  }

  mutating func remove(_ slot: DemandSlot) {
    slots[slot.id] = nil
    records[slot.index] = .vacant
    vacant.append(slot.index)
  }

  /// Hands out the id of a demand that a rule raises.
  mutating func nextOwnID() -> DemandID {
    defer { nextOwn -= 1 }
    return DemandID(nextOwn)
  }

  /// Notes which directive raised a demand, its index in the image while the demand ends with it, and when it expires.
  mutating func mark(
    _ id: DemandID, raisedBy directive: Directive?, at number: Int?, expires: Instant? = nil
  ) {
    guard let slot = slots[id] else { return }
    records[slot.index].raisedBy = directive
    records[slot.index].raisedAt = number
    if let expires { records[slot.index].expires = expires }
  }

  /// Sets what a demand is granted, and the device that serves it.
  mutating func grant(_ slot: DemandSlot, _ grant: Grant, by provider: Int?) {
    records[slot.index].grant = grant
    records[slot.index].provider = provider
  }

  /// Keeps from what a grant was made, so that the same is not made again.
  mutating func keep(_ limits: borrowing Arbiter.Limits, of slot: DemandSlot) {
    records[slot.index].limits.become(limits)
  }

  /// Begins the hold of a demand, at an instant and an odometer of its provider.
  mutating func beginHold(_ slot: DemandSlot, at now: Instant, odometer metres: Double?) {
    records[slot.index].holdStart = now
    records[slot.index].holdOdometer = metres
  }

  /// Sets the odometer of a hold that began before the first fix.
  mutating func markOdometer(_ slot: DemandSlot, metres: Double) {
    if records[slot.index].holdOdometer == nil { records[slot.index].holdOdometer = metres }
  }

  /// Sets how far a transfer has come.
  mutating func set(_ progress: DemandRecord.Progress, of slot: DemandSlot) {
    records[slot.index].progress = progress
  }

  // MARK: Reload

  /// Follows directives that raise demands to other policies, also where a rule has another name there.
  mutating func migrate(to prepared: PreparedProgram, _ devices: DeviceTable) {
    for slot in slots.values {
      let record = records[slot.index]
      records[slot.index].completed = devices[record.target].model.complete(
        record.demand.wants, by: prepared.index.defaults[record.target]?.wants)
      records[slot.index].limits = Arbiter.Limits()
    }
    guard let match = prepared.match else { return }
    let image = prepared.program.image.image
    for number in prepared.starts {
      let before = match.directives[number]
      let directive = image.directives[number].directive
      guard before >= 0, case .start(let client, _) = directive.action else { continue }
      for slot in slots.values where records[slot.index].raisedAt == before {
        // In another policy's own name it would be another demand.
        guard records[slot.index].demand.client == client ?? ClientID(directive.rule.policy) else {
          continue
        }
        records[slot.index].raisedBy = directive
      }
    }
  }
}

/// Where a demand stands in the table while it lives; slots are ordered by the ids of their demands.
struct DemandSlot: Comparable, Sendable {
  let id: DemandID
  fileprivate let index: Int

  static func < (left: DemandSlot, right: DemandSlot) -> Bool { left.id < right.id }
}

extension [DemandSlot] {
  /// Where the slot is or belongs.
  private func place(of slot: DemandSlot) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < slot { low = middle + 1 } else { high = middle }
    }
    return low
  }

  mutating func insertSorted(_ slot: DemandSlot) {
    let place = place(of: slot)
    if place == count || self[place] != slot { insert(slot, at: place) }
  }

  mutating func removeSorted(_ slot: DemandSlot) {
    let place = place(of: slot)
    if place < count, self[place] == slot { remove(at: place) }
  }
}

/// A demand with what it was granted, who serves it, and how far it has come.
struct DemandRecord: Sendable {
  /// How far a transfer has come; streams stay at `waiting`.
  enum Progress: Sendable {
    /// No radio carries it yet.
    case waiting
    /// The radio carries it.
    case inFlight
  }

  let demand: Demand
  /// What it asks, with what it leaves open taken from the policies' defaults and the manifest.
  var completed: DemandSettings
  /// The number of the device it asks for.
  let target: Int
  let raised: Instant
  var grant: Grant
  /// From what the grant was made.
  var limits = Arbiter.Limits()
  /// The number of the device that serves it; nil unless served.
  var provider: Int?
  var progress = Progress.waiting
  /// Where the present hold began: when it started or the device last handed over.
  var holdStart: Instant
  /// The provider's odometer at `holdStart`, in metres.
  var holdOdometer: Double?
  /// The `start` directive that raised it (its rule and place), so that a reload finds it again.
  var raisedBy: Directive?
  /// The place of that directive in the image, while the demand ends with it.
  var raisedAt: Int?
  /// When a one-shot fix gives up.
  var expires: Instant?

  init(demand: Demand, completed wants: DemandSettings, target: Int, raised: Instant) {
    self.demand = demand
    self.completed = wants
    self.target = target
    self.raised = raised
    self.grant = Grant(status: .unavailable)
    self.holdStart = raised
  }

  /// What stands in a slot whose demand is over.
  static let vacant = DemandRecord(
    demand: Demand(id: DemandID(.min), client: "", target: "", wants: DemandSettings()),
    completed: DemandSettings(),
    target: 0, raised: .epoch)

  var isTransfer: Bool { demand.wants.transfer != nil }
  var isOneShot: Bool { expires != nil }
  var isServed: Bool { provider != nil }

  /// When a transfer must be on its way, whatever holds it.
  @inline(__always) var deadline: Instant? {
    demand.wants.transfer?.deadline.map { raised + $0 }
  }

  /// When a deferral of this length ends; nil for one that no time ends.
  @inline(__always) func end(ofDeferral length: TimeSpan?) -> Instant? {
    guard let length else { return deadline }
    return min(raised + length, deadline ?? .distantFuture)
  }
}
