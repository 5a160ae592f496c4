import StintModel
import StintUnits

/// All zones of the policies in force, kept so that a fix costs what lies near it and what is undecided.
///
/// A circle rests while the phone is outside of it for certain and nothing else is proposed. A fix far from it leaves it
/// as it is, but for the instant of the last fix, which all that rest have in common. So thousands of far zones cost
/// nothing at a fix, and decide the same as if each had been looked at.
struct ZoneField: Sendable {
  private var records: [ZoneRecord] = []
  private var grid = ZoneGrid([])
  private var places: [ZoneKey: Int] = [:]
  /// Zones of beacons, with the number of the fact that tells of each.
  private var beacons: [(zone: Int, fact: Int)] = []
  private var isResting: [Bool] = []
  /// Zones that do not rest, in no order.
  private var awake: [Int] = []
  private var found: [Int] = []
  /// When the last fix came, as far as zones are concerned that rest.
  private var restingFix: Instant?
  /// When the last fix came of all, or before a restart.
  private(set) var lastFix: Instant?
  /// The last position of all; nil before the first since the start.
  private(set) var position: SensingInput.Position?
  /// Until when the answers remain valid although no fix came.
  private var keptUntil = Instant.epoch
  /// Zones of which the answer may be another than the last time that it was taken.
  private var changed: [Int] = []

  /// No zones.
  init() {}

  /// These zones, each as its record says, with none at rest.
  init(_ records: [ZoneRecord], _ vocabulary: Vocabulary, continuing former: ZoneField = ZoneField()) {
    position = former.position
    keptUntil = former.keptUntil
    self.records = records
    grid = ZoneGrid(records.map(\.zone))
    places = Dictionary(
      records.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    isResting = Array(repeating: false, count: records.count)
    awake = Array(records.indices)
    changed = awake
    lastFix = records.compactMap(\.lastFix).max()
    for (number, record) in records.enumerated() {
      if let fact = record.zone.beaconFact.flatMap({ vocabulary.fact($0) }) {
        beacons.append((number, fact))
      }
    }
  }

  var isEmpty: Bool { records.isEmpty }
  var count: Int { records.count }

  /// The facts of beacons that zones are made of.
  var beaconFacts: [Int] { beacons.map(\.fact) }

  /// The place of a zone by its name and what it is; nil where it is none of these.
  func place(of key: ZoneKey) -> Int? { places[key] }

  /// What is known of a zone, with the last fix that it has seen.
  func record(_ place: Int) -> ZoneRecord {
    guard isResting[place], let restingFix else { return records[place] }
    var record = records[place].seeing(restingFix)
    record.keep(until: keptUntil)
    return record
  }

  /// What is known of all.
  var all: [ZoneRecord] { records.indices.map { record($0) } }

  // MARK: Signs and time

  /// Takes a fix: a place and its 95 % radius.
  mutating func ingest(_ place: Coordinate, radius: Double, at now: Instant) {
    found.removeAll(keepingCapacity: true)
    grid.find(about: place, radius: radius, into: &found)
    for zone in found where isResting[zone] { wake(zone) }
    restingFix = now
    lastFix = now
    position = SensingInput.Position(place: place, radius: radius, instant: now)
    for zone in awake { records[zone].ingest(place, radius: radius, at: now) }
  }

  /// Takes what is heard of beacons, and lets delays end.
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

  /// Keeps the answers until an instant although no fix comes. It never shortens their validity.
  mutating func keep(until instant: Instant) {
    guard instant > keptUntil else { return }
    keptUntil = instant
    for zone in awake { records[zone].keep(until: instant) }
  }

  private mutating func wake(_ zone: Int) {
    records[zone] = record(zone)
    isResting[zone] = false
    awake.append(zone)
  }

  /// Ends what is true for one step only; true when something was.
  mutating func endPulses() -> Bool {
    var hadPulse = false
    for zone in awake where records[zone].pulse != nil {
      hadPulse = true
      records[zone].endPulse()
      changed.append(zone)
    }
    return hadPulse
  }

  /// When one of them changes by itself.
  var next: Instant {
    var next = Instant.distantFuture
    if awake.count < records.count, let restingFix {
      next = max(restingFix + ZoneRecord.memory, keptUntil)
    }
    for zone in awake { next = min(next, records[zone].next) }
    return next
  }

  /// The zones whose answers may have changed since the last call.
  mutating func drainChanged() -> [Int] {
    defer { changed.removeAll(keepingCapacity: true) }
    return changed
  }

  /// What a zone answers.
  func answer(_ question: ZoneQuestion, _ zone: Int) -> FactValue { records[zone].answer(question) }

  /// Takes up what the process before knew of zones of the same names.
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
