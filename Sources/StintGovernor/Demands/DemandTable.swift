import StintMachine
import StintModel
import StintUnits

/// Stores all existing demands and assigns ids to the demands that rules raise.
///
/// A record keeps its slot while the demand exists, so a step finds the record without a search.
struct DemandTable: Sendable {
  private var records: ContiguousArray<DemandRecord> = []
  private var slots: [DemandID: DemandSlot] = [:]
  /// The indexes of slots without a demand.
  private var vacant: [Int] = []
  /// The id of the next demand that a rule raises. These ids are negative; ids of clients' demands are not.
  private var nextOwn: Int64 = -1

  /// The record of an existing demand.
  subscript(slot: DemandSlot) -> DemandRecord {
    @inline(__always) _read { yield records[slot.index] }
  }

  subscript(id: DemandID) -> DemandRecord? { slots[id].map { records[$0.index] } }

  /// Returns the slot of a demand; nil when the demand does not exist.
  func slot(of id: DemandID) -> DemandSlot? { slots[id] }

  /// The ids of all demands, sorted. They are saved for a restart.
  var ids: [DemandID] { slots.keys.sorted() }

  /// All demands, in no particular order.
  var all: some Collection<DemandRecord> { slots.values.lazy.map { records[$0.index] } }

  /// Returns the first of these demands whose client is `client`; nil without such a demand.
  func first(of client: ClientID, among slots: [DemandSlot]) -> DemandRecord? {
    slots.first { records[$0.index].demand.client == client }.map { records[$0.index] }
  }

  // MARK: A step

  /// Adds a demand with a new id.
  ///
  /// - Parameter wants: the settings of the demand, completed with the defaults of policies and device.
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

  /// Returns a new id for a demand that a rule raises.
  mutating func nextRuleDemandID() -> DemandID {
    defer { nextOwn -= 1 }
    return DemandID(nextOwn)
  }

  /// Records the directive that raised a demand, and the instant at which the demand expires. `number` is the
  /// index of the directive in the image; nil for a demand that does not end with the directive.
  mutating func mark(
    _ id: DemandID, raisedBy directive: Directive?, at number: Int?, expires: Instant? = nil
  ) {
    guard let slot = slots[id] else { return }
    records[slot.index].raisedBy = directive
    records[slot.index].directiveIndex = number
    if let expires { records[slot.index].expires = expires }
  }

  /// Sets the grant of a demand and the device that serves it.
  mutating func grant(_ slot: DemandSlot, _ grant: Grant, by provider: Int?) {
    let before = records[slot.index]
    if before.provider != provider || before.grant.period != grant.period
      || before.grant.holds.isEmpty != grant.holds.isEmpty
    {
      records[slot.index].nextSample = nil
    }
    records[slot.index].grant = grant
    records[slot.index].provider = provider
  }

  /// Stores the limits from which the last grant was created. While the limits of the demand equal the stored
  /// limits, no new grant is created.
  mutating func keep(_ limits: borrowing Arbiter.Limits, of slot: DemandSlot) {
    records[slot.index].limits.become(limits)
  }

  /// Begins the hold of a demand, with the present odometer of its provider in metres.
  mutating func beginHold(_ slot: DemandSlot, at now: Instant, odometer metres: Double?) {
    records[slot.index].holdStart = now
    records[slot.index].holdOdometer = metres
  }

  /// Sets the odometer at the start of a hold, in metres, if it was unknown when the hold began.
  mutating func markOdometer(_ slot: DemandSlot, metres: Double) {
    if records[slot.index].holdOdometer == nil { records[slot.index].holdOdometer = metres }
  }

  /// Records that a demand without a hold receives a sample. The instants from which it takes samples have a
  /// fixed distance, except after a gap.
  mutating func noteSample(of slot: DemandSlot, at now: Instant, every period: TimeSpan) {
    let following = min(records[slot.index].nextSample ?? now, now) + period
    records[slot.index].nextSample = following > now ? following : now + period
  }

  /// Sets the progress of a transfer.
  mutating func set(_ progress: DemandRecord.Progress, of slot: DemandSlot) {
    records[slot.index].progress = progress
  }

  // MARK: Reload

  /// Updates the demands for new policies: the settings that come from defaults, and the directives that
  /// raised the demands. A demand keeps its directive even when the rule was renamed.
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
      for slot in slots.values where records[slot.index].directiveIndex == before {
        // The directive may now name another client. A demand of the former client then no longer belongs to
        // the directive.
        guard records[slot.index].demand.client == client ?? ClientID(directive.rule.policy) else {
          continue
        }
        records[slot.index].raisedBy = directive
      }
    }
  }
}

/// The position of an existing demand in the table. Slots are ordered by demand id.
struct DemandSlot: Comparable, Sendable {
  let id: DemandID
  fileprivate let index: Int

  static func < (left: DemandSlot, right: DemandSlot) -> Bool { left.id < right.id }
}

extension [DemandSlot] {
  /// Returns the index of a slot in a sorted array, or the index at which to insert it.
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

/// A demand with its grant, its provider and its progress.
struct DemandRecord: Sendable {
  /// The progress of a transfer. The value of a demand for samples is always `waiting`.
  enum Progress: Sendable {
    /// No radio has started the transfer.
    case waiting
    /// A radio performs the transfer.
    case inFlight
  }

  let demand: Demand
  /// The settings of the demand. Settings that the demand omits come from the policies' defaults and the
  /// manifest.
  var completed: DemandSettings
  /// The index of the named device of the demand.
  let target: Int
  let raised: Instant
  var grant: Grant
  /// The limits from which the grant was created.
  var limits = Arbiter.Limits()
  /// The index of the device that serves the demand; nil when no device serves it.
  var provider: Int?
  var progress = Progress.waiting
  /// The instant at which the present hold began. A hold begins when a device starts to serve the demand,
  /// when the grant gets its first hold, and at each delivery of the device.
  var holdStart: Instant
  /// The provider's odometer at `holdStart`, in metres; nil while it is unknown.
  var holdOdometer: Double?
  /// The instant from which the demand takes a sample of its provider, if it has no hold. Nil before the
  /// first sample with the present grant.
  var nextSample: Instant?
  /// The directive that raised the demand. This is a `start` of a rule, or a directive that the governor
  /// makes for a `fix` or for the reading of a fact. A reload finds the demand of a `start` by this
  /// directive. Nil for clients' demands.
  var raisedBy: Directive?
  /// The index of `raisedBy` in the image; nil for a demand that does not end with the directive.
  var directiveIndex: Int?
  /// The instant at which a one-shot fix times out; nil for other demands.
  var expires: Instant?

  init(demand: Demand, completed wants: DemandSettings, target: Int, raised: Instant) {
    self.demand = demand
    self.completed = wants
    self.target = target
    self.raised = raised
    self.grant = Grant(status: .unavailable)
    self.holdStart = raised
  }

  /// The content of a slot without a demand.
  static let vacant = DemandRecord(
    demand: Demand(id: DemandID(.min), client: "", target: "", wants: DemandSettings()),
    completed: DemandSettings(),
    target: 0, raised: .epoch)

  var isTransfer: Bool { demand.wants.transfer != nil }
  var isOneShot: Bool { expires != nil }
  var isServed: Bool { provider != nil }

  /// The latest instant at which a transfer must start, regardless of holds.
  @inline(__always) var deadline: Instant? {
    demand.wants.transfer?.deadline.map { raised + $0 }
  }

  /// Returns the instant at which a deferral of this length ends, at the latest the deadline of the transfer.
  /// Nil when no time ends the deferral.
  @inline(__always) func end(ofDeferral length: TimeSpan?) -> Instant? {
    guard let length else { return deadline }
    return min(raised + length, deadline ?? .distantFuture)
  }
}
