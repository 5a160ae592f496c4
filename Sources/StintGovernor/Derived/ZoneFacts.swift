import StintEstimation
import StintModel
import StintUnits

/// Computes from fixes and beacons whether the host is inside the zones of the policies.
///
/// This type reads only published facts, and provides the values of the computed facts about zones.
struct ZoneFacts: Sendable {
  /// The facts of a device that publishes positions.
  private struct Positioning {
    var device: Int
    var latitude: Int
    var longitude: Int
    var accuracy: Int
    var maxAge: TimeSpan?
  }

  private var field = ZoneField()
  /// The fact `motion.activity` and its value for a host that does not move; nil when no device publishes the
  /// fact.
  private var activity: (fact: Int, still: Int)?
  /// True when the host may have moved since the last fix.
  private var mayHaveMoved = true
  private var positioning: [Positioning] = []
  /// For each zone: the indexes of the computed facts about this zone.
  private var places: [[Int]] = []
  /// For each fact of the vocabulary: true when its change affects computed facts at once. Empty when no fact
  /// has this effect.
  private var decisive: ContiguousArray<Bool> = []

  /// The last position since the start; nil before the first position. Positions are processed only while
  /// policies have zones.
  var position: SensingInput.Position? { field.position }

  /// Keeps the values of all zone facts valid until an instant, even if no fix arrives.
  mutating func keep(until instant: Instant) { field.keep(until: instant) }

  /// The next instant at which a value changes without an event.
  var nextTimer: Instant { field.next }

  /// All zones by name.
  var zones: [String: Zone] {
    Dictionary(field.all.map { ($0.name, $0.zone) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns whether a change of a published fact affects computed facts at once.
  func decides(_ fact: Int) -> Bool { fact < decisive.count && decisive[fact] }

  // MARK: Reload and restart

  /// Replaces the zones by the zones of this vocabulary. A zone at the same place keeps its state, even when
  /// its name or its radius changes.
  mutating func migrate(to vocabulary: Vocabulary, _ names: RenameMap) {
    let before = Dictionary(field.all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var records: [ZoneRecord] = []
    var seen: Set<ZoneKey> = []
    for fact in vocabulary.computed {
      guard let key = ZoneKey(fact), seen.insert(key).inserted else { continue }
      let former = before[names.path(before: key.name)]
      records.append(ZoneRecord(name: key.name, zone: key.zone, continuing: former))
    }
    field = ZoneField(records, vocabulary, continuing: field)
    if positioning.isEmpty { positioning = Self.positioning(vocabulary) }
    activity = Self.activity(vocabulary)
    places = Array(repeating: [], count: field.count)
    for (place, fact) in vocabulary.computed.enumerated() {
      if let zone = zone(of: fact) { places[zone].append(place) }
    }
    indexDecisive(vocabulary)
  }

  private static func activity(_ vocabulary: Vocabulary) -> (fact: Int, still: Int)? {
    guard let fact = vocabulary.fact("motion.activity"),
      case .symbol(let words) = vocabulary.facts[fact].type,
      let still = words.firstIndex(of: "still")
    else { return nil }
    return (fact, still)
  }

  /// Returns the facts of devices that publish positions. All vocabularies of a run have the same devices and
  /// published facts.
  private static func positioning(_ vocabulary: Vocabulary) -> [Positioning] {
    vocabulary.manifests.enumerated().compactMap { device, manifest in
      let path = manifest.device.path
      guard let latitude = vocabulary.fact(path + ".latitude"),
        let longitude = vocabulary.fact(path + ".longitude"),
        let accuracy = vocabulary.fact(path + ".accuracy")
      else { return nil }
      return Positioning(
        device: device, latitude: latitude, longitude: longitude, accuracy: accuracy,
        maxAge: vocabulary.facts[latitude].maxAge)
    }
  }

  private mutating func indexDecisive(_ vocabulary: Vocabulary) {
    var facts = vocabulary.computed.flatMap { Estimate($0.source, in: vocabulary)?.facts ?? [] }
    if !field.isEmpty {
      facts += positioning.flatMap { [$0.latitude, $0.longitude, $0.accuracy] } + field.beaconFacts
      facts += activity.map { [$0.fact] } ?? []
    }
    decisive = ContiguousArray(repeating: false, count: facts.isEmpty ? 0 : vocabulary.facts.count)
    for fact in facts { decisive[fact] = true }
  }

  /// The state that survives a restart.
  var memory: [GovernorMemory.Zone] { field.all.map(\.memory) }

  /// Restores the state from before a restart.
  mutating func restore(_ memory: [GovernorMemory.Zone]) { field.restore(memory) }

  // MARK: A step

  /// Returns the index of the zone to which a computed fact refers; nil for other facts.
  func zone(of fact: ComputedFact) -> Int? { ZoneKey(fact).flatMap { field.place(of: $0) } }

  /// Processes the newest fix, the beacons, and delays that have ended.
  mutating func update(_ facts: FactTable, _ vocabulary: Vocabulary, at now: Instant) {
    guard !field.isEmpty else { return }
    if !isStill(facts, vocabulary, at: now) { mayHaveMoved = true }
    if let fix = newestFix(facts, at: now) {
      field.ingest(fix.place, radius: fix.radius, at: now, isStill: !mayHaveMoved, by: fix.device)
      mayHaveMoved = false
    }
    field.advance(facts, vocabulary, at: now)
  }

  private func isStill(_ facts: FactTable, _ vocabulary: Vocabulary, at now: Instant) -> Bool {
    guard let activity else { return false }
    let value = facts.value(activity.fact, at: now, maxAge: vocabulary.facts[activity.fact].maxAge)
    return value == .symbol(activity.still)
  }

  /// Returns the fix of this step, the most accurate if there are several; nil without a fix.
  private func newestFix(_ facts: FactTable, at now: Instant) -> (
    place: Coordinate, radius: Double, device: Int
  )? {
    var newest: (place: Coordinate, radius: Double, device: Int)?
    for device in positioning
    where facts.instant(device.latitude) == now && facts.instant(device.longitude) == now {
      guard case .number(let latitude) = facts.value(device.latitude),
        case .number(let longitude) = facts.value(device.longitude),
        case .number(let radius) = facts.value(device.accuracy, at: now, maxAge: device.maxAge),
        let place = Coordinate(latitude: latitude, longitude: longitude)
      else { continue }
      if radius < newest?.radius ?? .infinity { newest = (place, radius, device.device) }
    }
    return newest
  }

  /// Ends the values that are true for only one evaluation of the rules. Returns true when there was such a
  /// value.
  mutating func endPulses() -> Bool { field.endPulses() }

  /// Removes and returns the computed facts whose values may have changed since the last call. The facts have
  /// the order of the vocabulary.
  mutating func drainChanged() -> [Int] {
    let changed = field.drainChanged()
    return changed.isEmpty ? [] : changed.flatMap { places[$0] }.sorted()
  }

  /// Returns the value of a query about a zone: whether the host is inside the zone, enters it or leaves it.
  func answer(_ question: ZoneQuery, _ zone: Int) -> FactValue { field.answer(question, zone) }
}

/// The identity of a zone: the names of its policy and of the zone, and the definition.
struct ZoneKey: Hashable, Sendable {
  /// The name of the zone as `POLICY/NAME`.
  var name: String
  var zone: Zone

  init(name: String, zone: Zone) {
    self.name = name
    self.zone = zone
  }

  /// Creates the key of the zone to which a computed fact refers; nil for other facts.
  init?(_ fact: ComputedFact) {
    guard case .zone(let zone, let question) = fact.source else { return nil }
    self.init(name: Self.name(fact.schema.path, question), zone: zone)
  }

  /// Returns the name of the zone in the path of a fact: `inside(hiking/home)` → `hiking/home`.
  static func name(_ path: String, _ question: ZoneQuery) -> String {
    String(path.dropFirst(question.rawValue.utf8.count + 1).dropLast())
  }
}
