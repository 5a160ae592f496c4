import StintModel
import StintUnits
import Testing

@testable import StintGovernor

@Suite("The history of the position probes of one provider")
struct ProbeHistoryTests {
  private let start = Instant(nanoseconds: 1_000_000_000_000)

  private func position(_ latitude: Double, radius: Double) throws -> SensingInput.Position {
    let place = try #require(Coordinate(latitude: latitude, longitude: 8))
    return SensingInput.Position(place: place, radius: radius, instant: start)
  }

  @Test(
    "a failed provider pauses for 5 min, then 10 min, up to 1 h; while the host rests, it pauses for 1 h")
  func failures() {
    var history = ProbeHistory()
    #expect(!history.rests(at: start, isMoving: true))
    for minutes in [5, 10, 20, 40, 60, 60] {
      history.failed(at: start, nil, travelled: 0)
      let end = start + .minutes(Int64(minutes))
      #expect(history.rests(at: end - TimeSpan(nanoseconds: 1), isMoving: true))
      #expect(!history.rests(at: end, isMoving: true))
      #expect(history.rests(at: start + .minutes(59), isMoving: false))
      #expect(!history.rests(at: start + .hours(1), isMoving: false))
    }
    history.succeeded(decided: false)
    #expect(!history.hasFailed && !history.rests(at: start, isMoving: false))
  }

  @Test("a position that is certainly elsewhere ends the wait of a failed provider")
  func elsewhere() throws {
    // 0.001 degrees of latitude are 111 m.
    for (travelled, radius, isElsewhere) in [(0.0, 50.0, true), (0, 150, false), (70, 50, false)] {
      var history = ProbeHistory()
      history.failed(at: start, try position(47, radius: 5), travelled: travelled)
      history.moved(to: try position(47.001, radius: radius))
      #expect(history.hasFailed != isElsewhere, "travelled \(travelled) m, radius \(radius) m")
    }
  }

  @Test("for a host at rest, the pause doubles after three undecided probes, up to its longest value")
  func undecided() {
    var history = ProbeHistory()
    var pauses: [Double] = []
    for _ in 0..<10 {
      pauses.append(
        history.pauseWhileUndecided(.seconds(30), isMoving: false, longest: .minutes(30)).seconds)
      #expect(
        history.pauseWhileUndecided(.seconds(30), isMoving: true, longest: .minutes(30)) == .seconds(30))
      history.succeeded(decided: false)
    }
    #expect(pauses == [30, 30, 30, 60, 120, 240, 480, 960, 1800, 1800])
    history.forgetUndecided()
    #expect(!history.isUnableToDecide)
  }
}
