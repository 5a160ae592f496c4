import StintMachine
import StintModel
import StintUnits

/// The demand table holds every present demand by id, and gives ids to those that rules raise.
struct DemandTable: Sendable {
  private var records: [DemandID: DemandRecord] = [:]
  /// The id of the next demand that a rule raises; ids of clients are not negative.
  private var nextOwn: Int64 = -1

  subscript(id: DemandID) -> DemandRecord? { records[id] }

  /// The ids of all demands, sorted; this is what the table remembers over a restart.
  var ids: [DemandID] { records.keys.sorted() }

  /// All demands, in no order.
  var all: some Collection<DemandRecord> { records.values }

  /// The first of these demands that is of a client; nil for none.
  func first(of client: ClientID, among ids: [DemandID]) -> DemandRecord? {
    ids.lazy.compactMap { records[$0] }.first { $0.demand.client == client }
  }

  // MARK: A step

  /// Adds a demand whose id is new.
  mutating func add(_ demand: Demand, on target: Int, at now: Instant) {
    records[demand.id] = DemandRecord(demand: demand, target: target, raised: now)
  }

  mutating func remove(_ id: DemandID) { records[id] = nil }

  /// Hands out the id of a demand that a rule raises.
  mutating func takeOwnID() -> DemandID {
    defer { nextOwn -= 1 }
    return DemandID(nextOwn)
  }

  /// Notes which directive raised a demand, its index in the image while the demand ends with it, and when it expires.
  mutating func mark(
    _ id: DemandID, raisedBy directive: Directive?, at number: Int?, expires: Instant? = nil
  ) {
    records[id]?.raisedBy = directive
    records[id]?.raisedAt = number
    if let expires { records[id]?.expires = expires }
  }

  /// Sets what a demand is granted, and the device that serves it.
  mutating func grant(_ id: DemandID, _ grant: Grant, by provider: Int?) {
    records[id]?.grant = grant
    records[id]?.provider = provider
  }

  /// Begins the hold of a demand, at an instant and an odometer of its provider.
  mutating func beginHold(_ id: DemandID, at now: Instant, odometer metres: Double?) {
    records[id]?.holdStart = now
    records[id]?.holdOdometer = metres
  }

  /// Sets the odometer of a hold that began before the first fix.
  mutating func markOdometer(_ id: DemandID, metres: Double) {
    if let record = records[id], record.holdOdometer == nil { records[id]?.holdOdometer = metres }
  }

  /// Sets how far a transfer has come.
  mutating func set(_ progress: DemandRecord.Progress, of id: DemandID) {
    records[id]?.progress = progress
  }

  // MARK: Reload

  /// Follows directives that raise demands to other policies, also where a rule has another name there.
  mutating func migrate(to prepared: PreparedProgram) {
    guard let match = prepared.match else { return }
    let image = prepared.program.image.image
    for number in prepared.starts {
      let before = match.directives[number]
      let directive = image.directives[number].directive
      guard before >= 0, case .start(let client, _) = directive.action else { continue }
      for id in ids where records[id]?.raisedAt == before {
        // In another policy's own name it would be another demand.
        guard records[id]?.demand.client == client ?? ClientID(directive.rule.policy) else {
          continue
        }
        records[id]?.raisedBy = directive
      }
    }
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
  /// The number of the device it asks for.
  let target: Int
  let raised: Instant
  var grant: Grant
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

  init(demand: Demand, target: Int, raised: Instant) {
    self.demand = demand
    self.target = target
    self.raised = raised
    self.grant = Grant(standing: .unavailable)
    self.holdStart = raised
  }

  var isTransfer: Bool { demand.wants.transfer != nil }
  var isOneShot: Bool { expires != nil }
  var isServed: Bool { provider != nil }

  /// When a transfer must be on its way, whatever holds it.
  var deadline: Instant? {
    demand.wants.transfer?.deadline.map { raised + $0 }
  }
}
