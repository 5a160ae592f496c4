import StintModel
import StintUnits
import Testing

@testable import StintServices

@Suite struct LocationFixTests {
  @Test(
    "a coarsened fix is the centre of a cell of the requested size; nearby fixes share at most four centres")
  func blur() throws {
    for latitude in [-89.9, -47, 0, 47, 66, 89.9] {
      let place = try #require(Coordinate(latitude: latitude, longitude: 8.31))
      let fix = Fix(
        instant: .epoch, coordinate: place, accuracy: 5, speed: 3, device: "location.gnss")
      let blurred = fix.blurred(to: 1000)
      #expect(blurred.accuracy == 1000 && blurred.speed == 0)
      #expect(blurred.coordinate.distance(to: place) <= 1000)
      #expect(blurred.blurred(to: 1000) == blurred, "a second coarsening changes nothing")
    }
    let home = try #require(Coordinate(latitude: 47.05, longitude: 8.31))
    let centres = (0..<100).map { metres in
      Fix(
        instant: .epoch, coordinate: home.moved(north: Double(metres), east: Double(metres)), accuracy: 5,
        device: "location.gnss"
      ).blurred(to: 3000).coordinate
    }
    #expect(Set(centres).count <= 4)
    let coarse = Fix(instant: .epoch, coordinate: home, accuracy: 5000, device: "location.gnss")
    #expect(coarse.blurred(to: 1000) == coarse, "a coarser fix is unchanged")
  }

  @Test("wrong input: samples without a valid position give no fixes")
  func samples() {
    let values: [(Double, Double, Double)] = [
      (91, 0, 5), (0, 181, 5), (.nan, 0, 5), (0, .infinity, 5), (0, 0, -1), (0, 0, .nan),
    ]
    for (latitude, longitude, radius) in values {
      let sample = Sample(instant: .epoch, sequence: 0, latitude, longitude, radius)
      #expect(Fix(sample, of: "location.gnss", askedAt: .epoch) == nil)
    }
    let sample = Sample(instant: .epoch, sequence: 7, 47, 8, 5, 1)
    let fix = Fix(sample, of: "location.gnss", askedAt: .epoch + .seconds(1))
    #expect(fix?.isCached == true && fix?.sequence == 7)
  }
}
