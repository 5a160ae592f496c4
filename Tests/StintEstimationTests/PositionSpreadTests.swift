import StintModel
import StintTestSupport
import StintUnits
import Testing

@testable import StintEstimation

@Suite struct PositionSpreadTests {
  private static let start = Instant(nanoseconds: 1_778_918_400_000_000_000)
  private static let vocabulary = Vocabulary(
    manifests: [],
    declared: [
      FactSchema(path: "sim.gps.latitude", type: .quantity(.none)),
      FactSchema(path: "sim.gps.longitude", type: .quantity(.none)),
    ])

  private struct Track {
    var record: PositionSpreadEstimator
    var facts = FactTable(count: 2)

    init() throws {
      record = try #require(
        PositionSpreadEstimator("sim.gps", window: .minutes(10), in: PositionSpreadTests.vocabulary))
    }

    mutating func see(north: Double, at second: Int64) throws {
      let origin = try #require(Coordinate(latitude: 47, longitude: 8))
      let place = origin.moved(north: north, east: 0)
      let instant = PositionSpreadTests.start + .seconds(second)
      facts.set(0, .number(place.latitude), at: instant)
      facts.set(1, .number(place.longitude), at: instant)
      record.read(facts, isOn: true, at: instant)
    }

    /// Returns the spread in whole metres; nil while the spread is unknown.
    mutating func spread(at second: Int64) -> Int? {
      let instant = PositionSpreadTests.start + .seconds(second)
      record.read(facts, isOn: true, at: instant)
      guard case .number(let metres) = record.value(at: instant) else { return nil }
      return Int(metres.rounded())
    }
  }

  @Test("the spread is unknown until the window is full; then it is the largest distance of two positions")
  func full() throws {
    var track = try Track()
    #expect(track.spread(at: 0) == nil)
    for second in stride(from: Int64(0), through: 1200, by: 30) {
      try track.see(north: Double(second), at: second)
      let metres = track.spread(at: second)
      #expect(second < 600 ? metres == nil : metres == 600, "\(second): \(String(describing: metres))")
    }
  }

  @Test("the spread of a silent device expires after the window; a new position restores the spread")
  func quiet() throws {
    for (farther, expected) in [(0.0, 0), (300, 300)] {
      var track = try Track()
      for second in stride(from: Int64(0), through: 600, by: 30) { try track.see(north: 0, at: second) }
      #expect(track.spread(at: 1199) == 0)
      #expect(track.spread(at: 1200) == nil)
      try track.see(north: farther, at: 1205)
      #expect(track.spread(at: 1205) == expected)
    }
  }

  @Test("positions older than two windows do not count")
  func longAgo() throws {
    var track = try Track()
    for second in stride(from: Int64(0), through: 600, by: 30) { try track.see(north: 0, at: second) }
    try track.see(north: 0, at: 20_000)
    #expect(track.spread(at: 20_000) == nil)
    try track.see(north: 0, at: 20_300)
    try track.see(north: 0, at: 20_600)
    #expect(track.spread(at: 20_600) == 0)
  }

  @Test("the next timer is the instant at which a position leaves the window")
  func next() throws {
    var track = try Track()
    #expect(track.record.next(after: Self.start) == .distantFuture)
    try track.see(north: 0, at: 0)
    #expect(track.record.next(after: Self.start) == Self.start + .minutes(10))
  }

  @Test(
    "the spread of a random walk differs from the largest distance by at most the error of grouping, 60 m"
  )
  func naive() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20 {
      var track = try Track()
      var places: [(second: Int64, north: Double)] = []
      var north = 0.0
      for second in stride(from: Int64(0), through: 3000, by: 10) {
        north += Double.random(in: -10...10, using: &random)
        places.append((second, north))
        try track.see(north: north, at: second)
        guard second >= 600 else { continue }
        let recent = places.filter { $0.second >= second - 600 }.map(\.north)
        let farthest = (recent.max() ?? 0) - (recent.min() ?? 0)
        let spread = track.spread(at: second)
        let metres = try #require(spread)
        // The estimator groups the positions of half a minute. So each of the two positions is off by at most
        // three steps of at most 10 m.
        #expect(abs(Double(metres) - farthest) <= 60, "\(second)")
      }
    }
  }
}
