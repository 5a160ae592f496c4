import StintModel
import StintUnits
import Testing

@testable import StintGovernor

@Suite struct StraightnessTests {
  private func place(metres: Double) throws -> Coordinate {
    try #require(Coordinate(latitude: 47, longitude: 8)).moved(north: metres, east: 0)
  }

  /// After ways of 40 m each that ended so many metres north of where it began.
  private func after(_ stops: [Double]) throws -> Straightness {
    var straightness = Straightness()
    for metres in stops {
      straightness.goes(40)
      straightness.stops(at: try place(metres: metres))
    }
    return straightness
  }

  @Test("it is believed straight before anything was seen") func unknown() {
    for activity in [nil] + Activity.allCases.map({ $0 }) {
      #expect(Straightness().value(for: activity) == 1)
    }
  }

  @Test("those on foot are told from those who ride, and a few metres tell nothing") func learning() {
    var straightness = Straightness()
    straightness.learn(2, of: 7, for: .walking)
    #expect(straightness.value(for: .walking) == 1)
    straightness.learn(20, of: 40, for: .walking)
    #expect(straightness.value(for: .walking) < 1)
    #expect(straightness.value(for: .walking) == straightness.value(for: .still))
    #expect(straightness.value(for: .automotive) == 1)
    straightness.learn(60, of: 40, for: .automotive)
    #expect(straightness.value(for: .automotive) > 1)
    #expect(straightness.value(for: .running) == straightness.value(for: .automotive))
    for _ in 1...100 { straightness.learn(1, of: 1000, for: .cycling) }
    #expect(abs(straightness.value(for: .cycling) - 0.7) < 0.001)
  }

  @Test(
    "who comes back to a place stays about it, by three ways together",
    arguments: [
      [0.0, 40, 0], [0, 40, 80, 120], [0, 40, 0, 40], [0, 40, 60, 64], [0, 40, 0, 5],
      [0, 40, 0, 40, 80, 120],
    ])
  func staying(stops: [Double]) throws {
    let last = stops.suffix(4)
    let share = abs((last.last ?? 0) - (last.first ?? 0)) / 120
    let expected = stops.count < 4 || share >= 0.6 ? 1 : max(0.6, 1.5 * share)
    let straightness = try after(stops)
    #expect(abs(straightness.value(for: .walking) - expected) < 0.01)
    #expect(abs(straightness.value(for: .running) - expected) < 0.01)
    #expect(straightness.value(for: .automotive) == 1)
  }

  @Test("a stop that is no further on counts with the next way") func shortWays() throws {
    var straightness = try after([0, 40, 0])
    straightness.goes(5)
    straightness.stops(at: try place(metres: 5))
    #expect(straightness.value(for: .walking) == 1)
    straightness.goes(35)
    straightness.stops(at: try place(metres: 40))
    #expect(abs(straightness.value(for: .walking) - 0.6) < 0.01)
  }
}
