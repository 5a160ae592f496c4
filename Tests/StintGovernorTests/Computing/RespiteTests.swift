import StintModel
import StintUnits
import Testing

@testable import StintGovernor

@Suite struct RespiteTests {
  private static let start = Instant(nanoseconds: 1_778_918_400_000_000_000)

  private func at(_ seconds: Double) -> Instant {
    Self.start + (TimeSpan(seconds: seconds) ?? .zero)
  }

  private func place(metres: Double) throws -> Coordinate {
    try #require(Coordinate(latitude: 47, longitude: 8)).moved(north: metres, east: 0)
  }

  /// Seen and handed over at the start, walking at 1.4 m/s, known to 10 m, to be kept within 50 m.
  private func walking() throws -> Respite {
    var respite = Respite(bound: 50, lead: 3)
    respite.moves(.walking, at: at(0))
    respite.sees(try place(metres: 0), speed: 1.4, radius: 10, at: at(0))
    respite.handsOver(at: at(0))
    return respite
  }

  @Test("before the first hand-over nothing can be said") func unknown() throws {
    var respite = Respite(bound: 50, lead: 3)
    #expect(respite.value(at: at(0)) == nil)
    respite.sees(try place(metres: 0), speed: 1.4, radius: 10, at: at(1))
    #expect(respite.value(at: at(1)) == nil)
    respite.handsOver(at: at(1))
    #expect(respite.value(at: at(1)) != nil)
  }

  @Test("it lasts as long as the way to the bound takes, less the time of a fix") func onTheWay() throws {
    let respite = try walking()
    // 40 m, of which 5 % are left for errors, at 1.4 m/s, and 3 s for the fix.
    let expected = 40 * 0.95 / 1.4 - 3
    #expect(abs(try #require(respite.value(at: at(0))) - expected) < 1e-6)
    #expect(abs(try #require(respite.value(at: at(20))) - (expected - 20)) < 1e-6)
    #expect(try #require(respite.value(at: at(30))) < 0)
  }

  @Test(
    "an activity holds the speed within what it leaves possible",
    arguments: [
      (Activity.automotive, 9.0), (.running, 2.4), (.walking, 1.4), (.cycling, 5),
    ])
  func held(activity: Activity, pace: Double) throws {
    var respite = try walking()
    respite.moves(activity, at: at(0))
    #expect(abs(try #require(respite.value(at: at(0))) - (38 / pace - 3)) < 1e-6)
  }

  @Test("at rest it lasts for half an hour; coming to rest far from where it was seen calls for a look")
  func rest() throws {
    var respite = try walking()
    respite.moves(.still, at: at(1))
    #expect(try #require(respite.value(at: at(1))) > 1800)
    respite = try walking()
    respite.moves(.still, at: at(15))
    #expect(try #require(respite.value(at: at(15))) == 10)
    respite.moves(.walking, at: at(16))
    #expect(try #require(respite.value(at: at(16))) < 10)
  }

  @Test("crooked ways take longer to lead away") func straightness() throws {
    var respite = try walking()
    for round in 1...4 {
      let now = at(Double(round) * 24)
      respite.sees(try place(metres: round % 2 == 0 ? 0 : 12), speed: 1.4, radius: 10, at: now)
      respite.handsOver(at: now)
    }
    #expect(try #require(respite.value(at: at(96))) > 38 / 1.4)
  }

  @Test("seconds in which the bound may be missed are saved up, and spent faster where it is fast")
  func spending() throws {
    func afterAnHour(_ activity: Activity) throws -> Double {
      var respite = try walking()
      respite.moves(.still, at: at(1))
      respite.sees(try place(metres: 0), speed: 0, radius: 10, at: at(3600))
      respite.handsOver(at: at(3600))
      respite.moves(activity, at: at(3600))
      return try #require(respite.value(at: at(3600)))
    }
    // 162 s are saved up; a fifth of them may go at once.
    #expect(try afterAnHour(.walking) > 38 / 1.4 + 25)
    // However much is saved up, it never goes beyond four times the bound.
    #expect(abs(try afterAnHour(.automotive) - (160 / 9.0 - 3)) < 0.5)
  }

  @Test("what was missed is paid back") func debt() throws {
    var respite = try walking()
    respite.sees(try place(metres: 200), speed: 1.4, radius: 10, at: at(60))
    respite.handsOver(at: at(60))
    // A fifth earlier than the bound until it is paid.
    #expect(try #require(respite.value(at: at(60))) < 40 * 0.8 / 1.4)
  }
}
