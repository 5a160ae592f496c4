import StintModel
import StintTestSupport
import StintUnits
import Testing

@testable import StintGovernor

@Suite("Thousands of zones")
struct ZoneFieldTests {
  /// Points around which the test places random zones and fixes. They are near a pole, on the equator, near
  /// the date line, or in a town.
  private static let middles: [(latitude: Double, longitude: Double)] = [
    (47.05, 8.31), (89.999, 20), (-89.99, -170), (0, 180), (0.001, -180), (10, 179.9995), (-60, -179.9995),
    (0, 0),
    (88, 179.99),
  ]

  private static func near(
    _ middle: (latitude: Double, longitude: Double), within degrees: Double, _ random: inout SeededGenerator
  ) -> Coordinate? {
    var longitude = middle.longitude + Double.random(in: -degrees...degrees, using: &random)
    if longitude > 180 { longitude -= 360 }
    if longitude < -180 { longitude += 360 }
    let latitude = min(max(middle.latitude + Double.random(in: -degrees...degrees, using: &random), -90), 90)
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  private static func zones(_ count: Int, _ random: inout SeededGenerator) -> [ZoneRecord] {
    let radii = [1, 30, 150, 249.9, 250, 251, 900, 5000, 80_000, 900_000, 1_100_000, 2e7, 1e18]
    let delays: [TimeSpan] = [.zero, .zero, .zero, .seconds(20), .minutes(2)]
    return (0..<count).compactMap { number in
      guard let centre = near(random.pick(middles), within: random.pick([0.001, 0.01, 0.1, 2]), &random)
      else {
        return nil
      }
      return ZoneRecord(
        name: "p/z\(number)",
        zone: Zone(
          shape: .circle(centre, radius: random.pick(radii)), enterAfter: random.pick(delays),
          exitAfter: random.pick(delays)))
    }
  }

  @Test(
    "a `ZoneField` gives the same answers as separate `ZoneRecord`s", arguments: Trials(12, fewest: 3).seeds
  )
  func same(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var plain = Self.zones(120, &random)
    let vocabulary = Vocabulary(manifests: [])
    var field = ZoneField(plain, vocabulary)
    let facts = FactTable(count: 0)
    var now = Instant.epoch + .hours(1)
    var middle = random.pick(Self.middles)
    var track: PositionTrack?
    for step in 0..<150 {
      now = now + random.pick([.seconds(1), .seconds(1), .seconds(15), .minutes(2), .minutes(11)])
      if random.once(in: 20) { middle = random.pick(Self.middles) }
      if !random.once(in: 4),
        let place = Self.near(middle, within: random.pick([0, 0.0005, 0.01, 0.2]), &random)
      {
        let accuracy = random.pick([0, 4, 30, 700, 20_000, 5e6])
        let isStill = random.once(in: 3)
        field.ingest(place, radius: accuracy, at: now, isStill: isStill)
        var next = track ?? PositionTrack(place, radius: accuracy, at: now)
        next.add(place, radius: accuracy, at: now, isStill: isStill)
        for zone in plain.indices { plain[zone].ingest(place, radius: accuracy, next, at: now) }
        track = next
      }
      field.advance(facts, vocabulary, at: now)
      for zone in plain.indices { plain[zone].advance(at: now) }
      compare(field, plain, step)
      let hadPulse = plain.contains { $0.pulse != nil }
      for zone in plain.indices { plain[zone].endPulse() }
      #expect(field.endPulses() == hadPulse)
      compare(field, plain, step)
      // A restart or a reload restores the state of the zones.
      if random.once(in: 30) {
        field = ZoneField(field.all, vocabulary)
        track = nil
      }
    }
  }

  private func compare(_ field: ZoneField, _ plain: [ZoneRecord], _ step: Int) {
    #expect(field.next == plain.map(\.next).min() ?? .distantFuture, "step \(step)")
    for zone in plain.indices {
      for question in ZoneQuery.allCases {
        #expect(field.answer(question, zone) == plain[zone].answer(question), "step \(step), zone \(zone)")
      }
      #expect(field.record(zone).memory == plain[zone].memory, "step \(step), zone \(zone)")
    }
  }

  @Test("for one fix, the grid finds fewer than 100 of 5000 zones")
  func few() {
    var random = SeededGenerator(seed: 3)
    let zones = (0..<5000).compactMap { _ -> Zone? in
      Self.near((47, 8), within: 0.5, &random).map { Zone(shape: .circle($0, radius: 100)) }
    }
    let grid = ZoneGrid(zones)
    var found: [Int] = []
    guard let place = Coordinate(latitude: 47.1, longitude: 8.1) else { return }
    grid.find(about: place, radius: 10, into: &found)
    #expect(found.count < 100)
  }
}
