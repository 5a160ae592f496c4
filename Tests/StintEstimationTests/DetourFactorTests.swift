import StintModel
import StintUnits
import Testing

@testable import StintEstimation

@Suite struct DetourFactorTests {
  private func place(metres: Double) throws -> Coordinate {
    try #require(Coordinate(latitude: 47, longitude: 8)).moved(north: metres, east: 0)
  }

  /// Returns the detour factor after paths of 40 m. Each path ends at one of `stops`, in metres north of the
  /// origin.
  private func after(_ stops: [Double]) throws -> DetourFactor {
    var detour = DetourFactor()
    for metres in stops {
      detour.goes(40)
      detour.stops(at: try place(metres: metres))
    }
    return detour
  }

  @Test("the detour factor is 1 before the first fix") func unknown() {
    for activity in [nil] + Activity.allCases.map({ $0 }) {
      #expect(DetourFactor().value(for: activity) == 1)
    }
  }

  @Test("walking has a factor of its own, and a path below 8 m has no effect") func learning() {
    var detour = DetourFactor()
    detour.learn(2, of: 7, for: .walking)
    #expect(detour.value(for: .walking) == 1)
    detour.learn(20, of: 40, for: .walking)
    #expect(detour.value(for: .walking) < 1)
    #expect(detour.value(for: .walking) == detour.value(for: .still))
    #expect(detour.value(for: .automotive) == 1)
    detour.learn(60, of: 40, for: .automotive)
    #expect(detour.value(for: .automotive) > 1)
    #expect(detour.value(for: .running) == detour.value(for: .automotive))
    for _ in 1...100 { detour.learn(1, of: 1000, for: .cycling) }
    #expect(abs(detour.value(for: .cycling) - 0.7) < 0.001)
  }

  @Test(
    "three paths lower the detour factor only if they end less than 60 % of their length from their start",
    arguments: [
      [0.0, 40, 0], [0, 40, 80, 120], [0, 40, 0, 40], [0, 40, 60, 64], [0, 40, 0, 5],
      [0, 40, 0, 40, 80, 120],
    ])
  func staying(stops: [Double]) throws {
    let last = stops.suffix(4)
    let share = abs((last.last ?? 0) - (last.first ?? 0)) / 120
    let expected = stops.count < 4 || share >= 0.6 ? 1 : max(0.6, 1.5 * share)
    let detour = try after(stops)
    #expect(abs(detour.value(for: .walking) - expected) < 0.01)
    #expect(abs(detour.value(for: .running) - expected) < 0.01)
    #expect(detour.value(for: .automotive) == 1)
  }

  @Test("a path below 8 m counts as part of the next path") func shortWays() throws {
    var detour = try after([0, 40, 0])
    detour.goes(5)
    detour.stops(at: try place(metres: 5))
    #expect(detour.value(for: .walking) == 1)
    detour.goes(35)
    detour.stops(at: try place(metres: 40))
    #expect(abs(detour.value(for: .walking) - 0.6) < 0.01)
  }
}
