import StintModel
import StintUnits

/// All zones of the policies in force. The cost of a fix depends only on nearby and undecided zones.
///
/// A circular zone is *resting* while its state is outside and no change is pending. A distant fix is not
/// processed for each resting zone. It changes only the instant of the last fix, which is stored once for all
/// resting zones. So thousands of distant zones cost nothing per fix. The results equal those of a field in
/// which each zone processes every fix.
struct ZoneField: Sendable {
  private var records: [ZoneRecord] = []
  private var grid = ZoneGrid([])
  private var places: [ZoneKey: Int] = [:]
  /// The beacon zones, each with the index of the fact of its beacon.
  private var beacons: [(zone: Int, fact: Int)] = []
  private var isResting: [Bool] = []
  /// The zones that are not resting, in no particular order.
  private var awake: [Int] = []
  /// The zones near the last fix; stored here to reuse the memory.
  private var found: [Int] = []
  /// The instant of the last fix that counts for all resting zones.
  private var restingFix: Instant?
  /// The instant of the last fix, including fixes before a restart.
  private(set) var lastFix: Instant?
  /// The last position that the field processed; nil before the first position since the start.
  private(set) var position: SensingInput.Position?
  /// The estimate from the last fixes; nil before the first position since the start.
  private var track: PositionTrack?
  /// The instant until which the values of zone queries remain valid although no fix arrived.
  private var keptUntil = Instant.epoch
  /// The zones whose query values may have changed since the last call of `drainChanged`.
  private var changed: [Int] = []

  init() {}

  /// Creates a field from the states of zones. Copies the position, the estimate and the validity of the
  /// query values from the former field. No zone is resting at first.
  init(_ records: [ZoneRecord], _ vocabulary: Vocabulary, continuing former: ZoneField = ZoneField()) {
    position = former.position
    track = former.track
    keptUntil = former.keptUntil
    self.records = records
    grid = ZoneGrid(records.map(\.zone))
    places = Dictionary(
      records.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    isResting = Array(repeating: false, count: records.count)
    awake = Array(records.indices)
    changed = awake
    lastFix = records.compactMap(\.lastFix).max()
    // The record of a changed zone has only the instant of its last fix, which may be long ago.
    for number in records.indices { self.records[number].keep(until: keptUntil) }
    for (number, record) in records.enumerated() {
      if let fact = record.zone.beaconFact.flatMap({ vocabulary.fact($0) }) {
        beacons.append((number, fact))
      }
    }
  }

  var isEmpty: Bool { records.isEmpty }
  var count: Int { records.count }

  /// The indexes of the facts of all beacon zones.
  var beaconFacts: [Int] { beacons.map(\.fact) }

  /// Returns the index of a zone; nil when the field does not have it.
  func place(of key: ZoneKey) -> Int? { places[key] }

  /// Returns the state of a zone, including the last fix.
  func record(_ place: Int) -> ZoneRecord {
    guard isResting[place], let restingFix else { return records[place] }
    var record = records[place].seeing(restingFix)
    record.keep(until: keptUntil)
    return record
  }

  var all: [ZoneRecord] { records.indices.map { record($0) } }

  // MARK: Fixes, beacons and time

  /// Processes a fix: its position and its 95 % radius in metres.
  ///
  /// - Parameter isStill: true when, according to its activity, the host has not moved since the last fix.
  mutating func ingest(
    _ place: Coordinate, radius: Double, at now: Instant, isStill: Bool = false, by device: Int? = nil
  ) {
    found.removeAll(keepingCapacity: true)
    grid.find(about: place, radius: radius, into: &found)
    for zone in found where isResting[zone] { wake(zone) }
    restingFix = now
    lastFix = now
    position = SensingInput.Position(place: place, radius: radius, instant: now, device: device)
    var track = track ?? PositionTrack(place, radius: radius, at: now)
    track.add(place, radius: radius, at: now, isStill: isStill)
    self.track = track
    for zone in awake { records[zone].ingest(place, radius: radius, track, at: now) }
  }

  /// Processes the facts of beacons, and ends delays that are over.
  mutating func advance(_ facts: FactTable, _ vocabulary: Vocabulary, at now: Instant) {
    for (zone, fact) in beacons {
      guard
        case .boolean(let isReceived) = facts.value(
          fact, at: now, maxAge: vocabulary.facts[fact].maxAge)
      else { continue }
      records[zone].ingest(isReceived: isReceived, at: now)
    }
    if awake.count < records.count, let fix = restingFix, max(fix + ZoneRecord.memory, keptUntil) <= now {
      for zone in records.indices where isResting[zone] { wake(zone) }
    }
    var stillAwake: [Int] = []
    stillAwake.reserveCapacity(awake.count)
    for zone in awake {
      records[zone].advance(at: now)
      changed.append(zone)
      if records[zone].mayRest(since: restingFix) {
        isResting[zone] = true
      } else {
        stillAwake.append(zone)
      }
    }
    awake = stillAwake
  }

  /// Keeps the query values valid until an instant although no fix arrives. The instant replaces the former
  /// instant, even a later one.
  mutating func keep(until instant: Instant) {
    guard instant != keptUntil else { return }
    keptUntil = instant
    for zone in awake { records[zone].keep(until: instant) }
  }

  private mutating func wake(_ zone: Int) {
    records[zone] = record(zone)
    isResting[zone] = false
    awake.append(zone)
  }

  /// Ends the query values that are true for only one evaluation of the rules. Returns true when there was
  /// such a value.
  mutating func endPulses() -> Bool {
    var hadPulse = false
    for zone in awake where records[zone].pulse != nil {
      hadPulse = true
      records[zone].endPulse()
      changed.append(zone)
    }
    return hadPulse
  }

  /// The next instant at which a query value changes without an event.
  var next: Instant {
    var next = Instant.distantFuture
    if awake.count < records.count, let restingFix {
      next = max(restingFix + ZoneRecord.memory, keptUntil)
    }
    for zone in awake { next = min(next, records[zone].next) }
    return next
  }

  /// Removes and returns the zones whose query values may have changed since the last call.
  mutating func drainChanged() -> [Int] {
    defer { changed.removeAll(keepingCapacity: true) }
    return changed
  }

  func answer(_ question: ZoneQuery, _ zone: Int) -> FactValue { records[zone].answer(question) }

  /// Restores the states that the previous process saved for zones with the same names.
  mutating func restore(_ memory: [GovernorMemory.Zone]) {
    let known = Dictionary(memory.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for zone in records.indices {
      guard let memory = known[records[zone].name] else { continue }
      if isResting[zone] { wake(zone) }
      records[zone].restore(memory)
      lastFix = [lastFix, memory.lastFix].compactMap(\.self).max()
      changed.append(zone)
    }
  }
}
