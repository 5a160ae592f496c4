import StintUnits
import Testing

@Suite struct GeodesyTests {
  @Test(
    "sine and cosine agree with known values",
    arguments: [
      (0.0, 0.0, 1.0), (30, 0.5, 0.8660254037844386), (45, 0.7071067811865476, 0.7071067811865476),
      (90, 1, 0),
      (180, 0, -1), (270, -1, 0), (-30, -0.5, 0.8660254037844386), (750, 0.5, 0.8660254037844386),
    ])
  func trigonometry(degrees: Double, sineValue: Double, cosineValue: Double) {
    #expect(abs(sine(degrees: degrees) - sineValue) < 1e-14)
    #expect(abs(cosine(degrees: degrees) - cosineValue) < 1e-14)
  }

  @Test("a degree of latitude is 111.2 km, and a degree of longitude at 60° north is 55.6 km")
  func distances() throws {
    let origin = try #require(Coordinate(latitude: 60, longitude: 10))
    let north = try #require(Coordinate(latitude: 61, longitude: 10))
    let east = try #require(Coordinate(latitude: 60, longitude: 11))
    #expect(abs(origin.distance(to: north) - 111_195) < 1)
    #expect(abs(origin.distance(to: east) - 55_597.5) < 1)
  }

  @Test("the distance to a moved coordinate is the distance moved, even across the date line")
  func moving() throws {
    for longitude in [8.31, 179.9999, -179.9999] {
      let start = try #require(Coordinate(latitude: 47.05, longitude: longitude))
      let end = start.moved(north: 30, east: 40)
      #expect(abs(start.distance(to: end) - 50) < 0.01)
    }
  }

  @Test("coordinates out of range or not finite are rejected")
  func refusals() {
    #expect(Coordinate(latitude: 91, longitude: 0) == nil)
    #expect(Coordinate(latitude: .nan, longitude: 0) == nil)
    #expect(Coordinate(latitude: 0, longitude: .infinity) == nil)
    #expect(Coordinate(latitude: 0, longitude: 181) == nil)
  }
}
