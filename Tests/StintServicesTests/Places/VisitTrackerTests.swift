import StintModel
import StintUnits
import Testing

@testable import StintServices

@Suite struct VisitTrackerTests {
  private func at(_ second: Int64) -> Instant { .epoch + .seconds(second) }

  private func fix(east: Double, at second: Int64) throws -> Fix {
    let home = try #require(Coordinate(latitude: 47, longitude: 8))
    return Fix(
      instant: at(second), coordinate: home.moved(north: 0, east: east), accuracy: 20, device: "location.wifi"
    )
  }

  @Test("R05: a missed departure and the next arrival have the time of the first position at the new place")
  func unnoticed() throws {
    var tracker = VisitTracker()
    tracker.note(isMoving: false, at: at(0))
    #expect(tracker.ingest(try fix(east: 0, at: 300), at: at(300)).count == 1)
    // Movement sensing failed: the host is a kilometre away without a reported movement.
    let events = tracker.ingest(try fix(east: 1000, at: 21_900), at: at(21_900))
    guard case .departed(let visit)? = events.first, events.count == 1 else {
      Issue.record("\(events)")
      return
    }
    #expect(visit.arrival == at(0) && visit.departure == at(21_900))
    #expect(tracker.nextProbe == at(22_200))
    guard case .arrived(let next)? = tracker.ingest(try fix(east: 1000, at: 22_200), at: at(22_200)).first
    else {
      Issue.record("expected an arrival")
      return
    }
    #expect(next.arrival == at(21_900))
  }
}
