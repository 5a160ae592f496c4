import StintModel
import StintTestSupport
import StintUnits
import Testing

@testable import StintGovernor

/// A zone that is smaller than the 95 % radius of the fixes, as with Wi-Fi positions.
@Suite("Zones smaller than the radius of fixes") struct SmallZoneTests {
  private let centre: Coordinate
  private let start = Instant(nanoseconds: 1_800_000_000_000_000_000)

  init() throws { centre = try #require(Coordinate(latitude: 47.05, longitude: 8.31)) }

  /// Returns the second of the first exit from a circle of 60 m; nil without an exit within 2 h. A Wi-Fi
  /// position arrives each 30 s. The host rests at the centre, and then moves at this speed in m/s.
  private func exit(after rest: Int64, speed: Double, seed: UInt64) throws -> Int64? {
    var random = SeededGenerator(seed: seed)
    var zone = ZoneRecord(name: "p/shed", zone: Zone(shape: .circle(centre, radius: 60)))
    zone.ingest(centre, radius: 5, PositionTrack(centre, radius: 5, at: start), at: start)
    #expect(zone.answer(.inside) == .boolean(true))
    var track = PositionTrack(centre, radius: 40, at: start)
    for second in stride(from: Int64(30), through: 7200, by: 30) {
      let now = start + .seconds(second)
      let way = centre.moved(north: Double(max(0, second - rest)) * speed, east: 0)
      let radius = Double.random(in: 40...150, using: &random)
      func error() -> Double {
        (0..<12).map { _ in Double.random(in: -0.5...0.5, using: &random) }.reduce(0, +) * radius / 2.4477
      }
      let place = way.moved(north: error(), east: error())
      track.add(place, radius: radius, at: now, isStill: second <= rest)
      zone.ingest(place, radius: radius, track, at: now)
      zone.advance(at: now)
      if zone.answer(.inside) == .boolean(false) { return second }
    }
    return nil
  }

  @Test("a host that rests 2 h at the centre is reported outside in at most 12 of 200 trials")
  func rests() throws {
    let exits = try (1...200 as ClosedRange<UInt64>).compactMap { seed in
      try exit(after: 7200, speed: 0, seed: seed)
    }
    #expect(exits.count <= 12, "\(exits.count)")
  }

  @Test("195 of 200 exits by car are detected within 30 s; 190 of 200 exits on foot are detected within 90 s")
  func leaves() throws {
    for (speed, limit, fewest) in [(14.0, 30.0, 195), (1.4, 90, 190)] {
      let late = try (1...200 as ClosedRange<UInt64>).count { seed in
        let second = try #require(try exit(after: 600, speed: speed, seed: seed))
        return Double(second) - 600 - 60 / speed <= limit
      }
      #expect(late >= fewest, "\(speed) m/s: \(late)")
    }
  }
}
