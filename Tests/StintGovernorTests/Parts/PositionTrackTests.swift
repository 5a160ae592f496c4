import StintTestSupport
import StintUnits
import Testing

@testable import StintGovernor

@Suite("The position track, without a governor") struct PositionTrackTests {
  private static let radius = 300.0

  private let centre: Coordinate
  private let start = Instant(nanoseconds: 1_000_000_000_000)

  init() throws { centre = try #require(Coordinate(latitude: 47.05, longitude: 8.31)) }

  /// Returns a fix with a random error. The radius that contains 95 % of such errors is random, 40 m to
  /// 150 m.
  private func fix(
    north: Double, _ random: inout SeededGenerator
  ) -> (place: Coordinate, radius: Double) {
    let radius = Double.random(in: 40...150, using: &random)
    func error() -> Double {
      (0..<12).map { _ in Double.random(in: -0.5...0.5, using: &random) }.reduce(0, +) * radius / 2.4477
    }
    return (centre.moved(north: north + error(), east: error()), radius)
  }

  /// Returns the delays of two methods that detect that the host has left the circle: the track with its
  /// fixes, and single fixes alone. A delay is the time from the exit to its detection, in seconds; it is
  /// infinite without a detection.
  private func delays(speed: Double, seed: UInt64) -> (track: Double, single: Double) {
    var random = SeededGenerator(seed: seed)
    var track: PositionTrack?
    var found: (track: Double?, single: Double?)
    let first = Double.random(in: 0..<30, using: &random)
    for step in 0..<60 where found.track == nil || found.single == nil {
      let seconds = first + 30 * Double(step)
      let now = start + (TimeSpan(seconds: seconds) ?? .zero)
      let fix = fix(north: speed * seconds, &random)
      var next = track ?? PositionTrack(fix.place, radius: fix.radius, at: now)
      next.add(fix.place, radius: fix.radius, at: now, isStill: false)
      track = next
      let late = seconds - Self.radius / speed
      let isOutside = centre.distance(to: fix.place) - fix.radius > Self.radius
      if isOutside { found.single = found.single ?? late }
      if isOutside || next.isInside(circleOf: Self.radius, around: centre) == false {
        found.track = found.track ?? late
      }
    }
    return (found.track ?? .infinity, found.single ?? .infinity)
  }

  @Test(
    "the track detects at least 190 of 200 walking exits and 198 of 200 running exits within a minute",
    arguments: [(1.4, 190, 90), (3, 198, 176)])
  func leaving(speed: Double, fewest: Int, mostSingle: Int) {
    let delays = (1...200).map { self.delays(speed: speed, seed: $0) }
    #expect(delays.count { $0.track <= 60 } >= fewest, "\(delays.count { $0.track <= 60 })")
    #expect(delays.count { $0.single <= 60 } <= mostSingle, "\(delays.count { $0.single <= 60 })")
    #expect(delays.allSatisfy { $0.track <= $0.single })
    #expect(delays.count { $0.track < -20 } <= 6, "\(delays.count { $0.track < -20 })")
  }

  /// Adds 100 fixes of a host that is 50 m inside the edge of the circle. Returns the number of fixes after
  /// which the track reports the host as outside.
  private func falseExits(isStill: Bool, seed: UInt64) -> Int {
    var random = SeededGenerator(seed: seed)
    var track = PositionTrack(centre.moved(north: 250, east: 0), radius: 100, at: start)
    return (1...100 as ClosedRange<Int64>).count { step in
      let fix = fix(north: 250, &random)
      track.add(fix.place, radius: fix.radius, at: start + .seconds(30 * step), isStill: isStill)
      return track.isInside(circleOf: Self.radius, around: centre) == false
    }
  }

  @Test("for a host that is known to rest, 50 m inside the edge, no fix causes a false exit")
  func resting() {
    for seed in 1...40 as ClosedRange<UInt64> {
      let count = falseExits(isStill: true, seed: seed)
      #expect(count == 0, "seed \(seed): \(count)")
    }
  }

  @Test("for a host that may be moving, 50 m inside the edge, at most 24 of 4000 fixes cause a false exit")
  func perhapsMoving() {
    let counts = (1...40 as ClosedRange<UInt64>).map { falseExits(isStill: false, seed: $0) }
    #expect(counts.reduce(0, +) <= 24, "\(counts)")
  }

  @Test("a track needs three fixes, and begins again after two minutes of movement without a fix")
  func gaps() {
    var track = PositionTrack(centre, radius: 40, at: start)
    func side() -> Bool? { track.isInside(circleOf: Self.radius, around: centre) }
    for (seconds, isStill, expected) in [
      (30, false, nil), (60, false, true), (180, false, true), (301, false, nil), (331, false, nil),
      (361, false, true), (2161, true, true), (2282, false, nil),
    ] as [(Int64, Bool, Bool?)] {
      track.add(centre, radius: 40, at: start + .seconds(seconds), isStill: isStill)
      #expect(side() == expected, "\(seconds) s")
    }
    // A second fix with an equal instant has no effect.
    track.add(
      centre.moved(north: 900, east: 0), radius: 5, at: start + .seconds(2282), isStill: false)
    #expect(side() == nil)
  }

  @Test("a distant fix, or a fix beyond the 180th meridian, begins a new track")
  func jumps() throws {
    let west = try #require(Coordinate(latitude: 0, longitude: 179.9999))
    let east = try #require(Coordinate(latitude: 0, longitude: -179.9999))
    for (first, other) in [(centre, centre.moved(north: 0, east: 4000)), (west, east)] {
      var track = PositionTrack(first, radius: 40, at: start)
      for step in 1...3 {
        track.add(first, radius: 40, at: start + .seconds(30 * Int64(step)), isStill: false)
      }
      #expect(track.isInside(circleOf: Self.radius, around: first) == true)
      track.add(other, radius: 40, at: start + .seconds(120), isStill: false)
      #expect(track.isInside(circleOf: Self.radius, around: first) == nil)
    }
  }
}
