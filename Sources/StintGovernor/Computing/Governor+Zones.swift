import StintEstimation
import StintModel
import StintUnits

/// Zones: where the phone is, as positioning devices and beacons tell.
extension Governor {
  /// The facts of a device that says where it is.
  struct Positioning: Sendable {
    var latitude: Int
    var longitude: Int
    var accuracy: Int
    var maxAge: TimeSpan?
  }

  /// Zones that are where they were go on, whatever they are called.
  mutating func indexZones(_ names: FormerNames) {
    let before = Dictionary(zones.all.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    var records: [ZoneRecord] = []
    var seen: Set<ZoneKey> = []
    for fact in vocabulary.computed {
      guard case .zone(let zone, let question) = fact.source else { continue }
      let record = ZoneRecord(name: Self.zoneName(fact.schema.path, question), zone: zone)
      guard seen.insert(record.key).inserted else { continue }
      let former = ZoneKey(name: names.path(before: record.name), zone: zone)
      records.append(before[former]?.named(record.name) ?? record)
    }
    zones = ZoneField(records, vocabulary)
    positioning = vocabulary.manifests.compactMap { manifest in
      let path = manifest.device.path
      guard let latitude = vocabulary.fact(path + ".latitude"),
        let longitude = vocabulary.fact(path + ".longitude"),
        let accuracy = vocabulary.fact(path + ".accuracy")
      else { return nil }
      return Positioning(
        latitude: latitude, longitude: longitude, accuracy: accuracy,
        maxAge: vocabulary.facts[latitude].maxAge)
    }
    zoneFacts = []
    let moving = movingFacts()
    guard !zones.isEmpty || !moving.isEmpty else { return }
    zoneFacts = ContiguousArray(repeating: false, count: vocabulary.facts.count)
    for fact in moving { zoneFacts[fact] = true }
    guard !zones.isEmpty else { return }
    for place in positioning {
      for fact in [place.latitude, place.longitude, place.accuracy] { zoneFacts[fact] = true }
    }
    for fact in zones.beaconFacts { zoneFacts[fact] = true }
  }

  /// The facts that estimators read at once.
  private func movingFacts() -> [Int] {
    vocabulary.computed.flatMap { Estimate($0.source, in: vocabulary)?.facts ?? [] }
  }

  /// `inside(hiking/home)` → `hiking/home`.
  static func zoneName(_ path: String, _ question: ZoneQuestion) -> String {
    String(path.dropFirst(question.rawValue.utf8.count + 1).dropLast())
  }

  /// Takes the newest fix, and lets delays end.
  mutating func readZones() {
    guard !zones.isEmpty else { return }
    if let fix = newestFix() { zones.take(fix.place, radius: fix.radius, at: now) }
    zones.settle(facts, vocabulary, at: now)
  }

  /// The fix that came in this step, the sharpest of several; nil when none did.
  private func newestFix() -> (place: Coordinate, radius: Double)? {
    var newest: (place: Coordinate, radius: Double)?
    for device in positioning
    where facts.instant(device.latitude) == now && facts.instant(device.longitude) == now {
      guard case .number(let latitude) = facts.value(device.latitude),
        case .number(let longitude) = facts.value(device.longitude),
        case .number(let radius) = facts.value(device.accuracy, at: now, maxAge: device.maxAge),
        let place = Coordinate(latitude: latitude, longitude: longitude)
      else { continue }
      if radius < newest?.radius ?? .infinity { newest = (place, radius) }
    }
    return newest
  }

  /// Ends what is true for one step only; true when something was.
  mutating func endPulses() -> Bool {
    let hadPulse = zones.endPulses()
    if hadPulse { publishZones() }
    return hadPulse
  }

  /// Publishes the answers that may have changed, in the order of the vocabulary.
  mutating func publishZones() {
    let changed = zones.takeChanged()
    guard !changed.isEmpty else { return }
    for place in changed.flatMap({ zonePlaces[$0] }).sorted() {
      guard case .zone(let zone, let question) = computed[place].kind else { continue }
      publish(zones.answer(question, zone), place)
    }
  }
}
