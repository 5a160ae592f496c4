import StintModel
import StintUnits
import Testing

@testable import StintEstimation

@Suite struct PositionValidityTests {
  private static let start = Instant(nanoseconds: 1_778_918_400_000_000_000)

  private func at(_ seconds: Double) -> Instant {
    Self.start + (TimeSpan(seconds: seconds) ?? .zero)
  }

  private func place(metres: Double) throws -> Coordinate {
    try #require(Coordinate(latitude: 47, longitude: 8)).moved(north: metres, east: 0)
  }

  /// Returns a `PositionValidity` with a bound of 50 m for a walk at 1.4 m/s. A fix with an accuracy radius
  /// of 10 m was delivered at the start.
  private func walking() throws -> PositionValidity {
    var validity = PositionValidity(bound: 50, lead: 3)
    validity.noteMotion(.walking, at: at(0))
    validity.noteFix(try place(metres: 0), speed: 1.4, radius: 10, at: at(0))
    validity.delivers(at: at(0))
    return validity
  }

  @Test("the validity is nil before the first delivery") func unknown() throws {
    var validity = PositionValidity(bound: 50, lead: 3)
    #expect(validity.value(at: at(0)) == nil)
    validity.noteFix(try place(metres: 0), speed: 1.4, radius: 10, at: at(1))
    #expect(validity.value(at: at(1)) == nil)
    validity.delivers(at: at(1))
    #expect(validity.value(at: at(1)) != nil)
  }

  @Test("validity ends at the first full second at which the device can be beyond the bound")
  func onTheWay() throws {
    let validity = try walking()
    // 40 m take 27.9 s, because the speed rises from 1.4 m/s towards its mean, 1.5 m/s.
    #expect(abs(try #require(validity.value(at: at(0))) - 28) < 0.01)
    #expect(abs(try #require(validity.value(at: at(20.5))) - 7.5) < 0.01)
    #expect(try #require(validity.value(at: at(30))) < 0)
  }

  @Test("while the device is off, validity ends earlier by the search time") func search() throws {
    var validity = try walking()
    validity.noteSwitch(on: false, at: at(1))
    #expect(abs(try #require(validity.value(at: at(1))) - 24) < 0.01)
    validity.noteSwitch(on: true, at: at(24))
    let left = try #require(validity.value(at: at(24)))
    // A new error budget has no saved seconds, so the trusted distance decreases with time. It is 39.1 m here
    // instead of 40 m.
    #expect(abs(left - 4) < 0.01, "\(left)")
  }

  @Test("with a fix each second, validity is positive until a few metres before the bound")
  func eachSecond() throws {
    var validity = try walking()
    for second in 1...40 {
      validity.noteFix(try place(metres: Double(second)), speed: 1, radius: 10, at: at(Double(second)))
      let left = try #require(validity.value(at: at(Double(second))))
      #expect(second < 37 ? left > 0 : second < 39 || left <= 0, "\(second): \(left)")
    }
  }

  @Test(
    "a speed that is impossible for the activity is replaced by the mean speed of the activity",
    arguments: [(Activity.automotive, 5.0), (.running, 15), (.walking, 28), (.cycling, 4)])
  func held(activity: Activity, seconds: Double) throws {
    var validity = try walking()
    validity.noteMotion(activity, at: at(0))
    #expect(abs(try #require(validity.value(at: at(0))) - seconds) < 0.01)
  }

  @Test("validity at rest is long near the last delivered position, and short far from it")
  func rest() throws {
    var validity = try walking()
    validity.noteMotion(.still, at: at(1))
    #expect(try #require(validity.value(at: at(1))) > 120)
    validity = try walking()
    validity.noteMotion(.still, at: at(0))
    #expect(try #require(validity.value(at: at(0))) > 1500)
    // After a delivery at rest, the validity does not depend on how long the device rested before.
    for hours in 1...30 {
      let now = at(3600 * Double(hours))
      validity.noteFix(try place(metres: 0), speed: 0, radius: 10, at: now)
      validity.delivers(at: now)
      #expect(try #require(validity.value(at: now)) > 1500)
    }
    validity = try walking()
    validity.noteMotion(.still, at: at(15))
    // The rest begins after 21 of the 40 m to the bound. For a rest that begins at the bound, the validity is
    // 5 s; here it is longer.
    #expect((5.0...20).contains(try #require(validity.value(at: at(15)))))
    validity.noteMotion(.walking, at: at(16))
    #expect(try #require(validity.value(at: at(16))) < 14)
  }

  @Test("paths that end near their start extend the validity") func straightness() throws {
    var validity = try walking()
    for round in 1...4 {
      let now = at(Double(round) * 24)
      validity.noteFix(try place(metres: round % 2 == 0 ? 0 : 12), speed: 1.4, radius: 10, at: now)
      validity.delivers(at: now)
    }
    #expect(try #require(validity.value(at: at(96))) > 30)
  }

  @Test("saved seconds of the error budget extend the validity, more for fast movement")
  func spending() throws {
    func afterRests(_ activity: Activity, _ speed: Double) throws -> (short: Double, long: Double) {
      var waits: [Double] = []
      for hours in [0.0, 10] {
        var validity = try walking()
        validity.noteMotion(.still, at: at(1))
        validity.noteFix(try place(metres: 0), speed: 0, radius: 10, at: at(3600 * hours + 10))
        validity.delivers(at: at(3600 * hours + 10))
        validity.noteMotion(activity, at: at(3600 * hours + 10))
        validity.noteFix(try place(metres: 0), speed: speed, radius: 10, at: at(3600 * hours + 10))
        waits.append(try #require(validity.value(at: at(3600 * hours + 10))))
      }
      return (waits[0], waits[1])
    }
    let walk = try afterRests(.walking, 1.4)
    #expect(walk.long > walk.short + 20)
    let ride = try afterRests(.automotive, 10)
    #expect(ride.long > ride.short + 30)
    // Saved seconds never extend the validity beyond the time in which the device moves fifteen times the
    // distance to the bound.
    #expect(ride.long <= 15 * 40 / 8)
  }

  @Test("seconds that the device spent beyond the bound shorten the next validity") func debt() throws {
    var validity = try walking()
    validity.noteFix(try place(metres: 200), speed: 1.4, radius: 10, at: at(60))
    validity.delivers(at: at(60))
    let indebted = try #require(validity.value(at: at(60)))
    #expect(indebted < (try #require(walking().value(at: at(0)))))
    #expect(indebted > 20)
  }

  @Test("only full seconds beyond the bound count as misses of the error budget") func budget() {
    var budget = ErrorBudget()
    let before = budget.spare(0)
    budget.misses(after: at(1.2), before: at(2))
    #expect(budget.spare(0) == before)
    budget.misses(after: at(1), before: at(2))
    #expect(budget.spare(0) == before)
    budget.misses(after: at(0.9), before: at(2))
    #expect(budget.missed == 1)
    budget.misses(from: at(1), before: at(3))
    #expect(budget.missed == 3)
    budget.misses(after: at(5), before: at(4))
    #expect(budget.missed == 3)
  }

  @Test("a speed returns to the mean of its activity, and the path is the integral of the speed") func way() {
    var way = DeadReckoning()
    way.noteMotion(.automotive, at: at(0))
    way.noteFix(20, at: at(0))
    #expect(way.speed(at: at(0)) == 20)
    #expect(way.speed(at: at(600)) < 10.5)
    var metres = 0.0
    for step in 0..<6000 { metres += way.speed(at: at(Double(step) / 10 + 0.05)) / 10 }
    #expect(abs(way.metres(at: at(600)) - metres) < 1)
    #expect(abs(way.seconds(for: metres, from: 20) - 600) < 1)
  }

  @Test("the mean speed of an activity is learned from fixes, except at rest") func speeds() {
    var speeds = SpeedModel()
    let before = speeds.mean(of: .automotive, seen: 0)
    for _ in 1...200 { speeds.learn(3.5, in: .automotive, for: 30, hasChanged: false) }
    #expect(abs(speeds.mean(of: .automotive, seen: 0) - 3.5) < (before - 3.5) / 10)
    speeds.learn(9, in: .still, for: 60, hasChanged: false)
    #expect(speeds.mean(of: .still, seen: 9) == SpeedModel().mean(of: .still, seen: 0))
    #expect(speeds.mean(of: nil, seen: 9) == 9)
    #expect(speeds.speed(1, in: .walking) == 1)
    #expect(speeds.speed(9, in: .walking) == speeds.mean(of: .walking, seen: 0))
  }

  @Test("a change of activity that ends after two seconds changes the validity by at most three seconds")
  func glimpse() throws {
    var validity = try walking()
    let before = try #require(validity.value(at: at(5)))
    validity.noteMotion(.cycling, at: at(3))
    validity.noteMotion(.walking, at: at(5))
    #expect(abs(try #require(validity.value(at: at(5))) - before) <= 2)
    validity.noteMotion(.still, at: at(5))
    validity.noteSwitch(on: false, at: at(5))
    let resting = try #require(validity.value(at: at(22)))
    #expect(resting > 0)
    validity.noteMotion(.automotive, at: at(20))
    // No search begins before the change of activity is confirmed.
    #expect((2.0..<3).contains(try #require(validity.value(at: at(20)))))
    validity.noteMotion(.still, at: at(22))
    #expect(abs(try #require(validity.value(at: at(22))) - resting) <= 3)
  }

  @Test("an unconfirmed change of activity is undone completely at the next change") func doubt() {
    var way = DeadReckoning()
    way.noteMotion(.walking, at: at(0))
    way.noteFix(1.4, at: at(0))
    var other = way
    way.noteMotion(.running, at: at(10))
    #expect(way.doubtedUntil.map { $0 > at(12) } == true)
    way.noteMotion(.cycling, at: at(11))
    way.noteMotion(.still, at: at(12.5))
    other.noteMotion(.still, at: at(12.5))
    #expect(way.metres(at: at(20)) == other.metres(at: at(20)))
    #expect(way.marks == other.marks)
    #expect(way.doubtedUntil == nil)
    way.noteMotion(.running, at: at(30))
    way.noteFix(3, at: at(31))
    #expect(way.doubtedUntil == nil)
    way.noteMotion(.walking, at: at(31.5))
    #expect(way.activity == .walking)
    #expect(way.marks.count == 1)
  }

  @Test("the speed assumed at rest is learned from the distance of two fixes between which the device rests")
  func creep() {
    var way = DeadReckoning()
    way.noteMotion(.still, at: at(0))
    way.noteFix(0, at: at(0))
    let before = way.metres(at: at(1000))
    way.noteMovement(0, at: at(59))
    #expect(way.metres(at: at(1000)) == before)
    way.noteMovement(0, at: at(1500))
    #expect(abs(way.metres(at: at(1000)) - before * 2 / 3) < 0.01)
    // Even after a long rest, the creep speed keeps a lower limit.
    way.noteMovement(0, at: at(30_000))
    #expect(abs(way.metres(at: at(1000)) - 14.5) < 0.01)
    way.noteMovement(300, at: at(3000))
    #expect(way.metres(at: at(1000)) > before)
    let learned = way.metres(at: at(1000))
    way.noteMotion(.walking, at: at(1000))
    way.noteMotion(.still, at: at(1000))
    way.noteMovement(900, at: at(3000))
    #expect(way.metres(at: at(1000)) == learned)
  }
}
