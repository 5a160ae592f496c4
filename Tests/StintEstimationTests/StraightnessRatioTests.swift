import StintModel
import StintUnits
import Testing

@testable import StintEstimation

@Suite struct StraightnessRatioTests {
  private func place(metres: Double) throws -> Coordinate {
    try #require(Coordinate(latitude: 47, longitude: 8)).moved(north: metres, east: 0)
  }

  /// Returns the straightness ratio after paths of 40 m. Each path ends at one of `stops`, in metres north of
  /// the origin.
  private func after(_ stops: [Double]) throws -> StraightnessRatio {
    var straightness = StraightnessRatio()
    for metres in stops {
      straightness.addDistance(40)
      straightness.endPath(at: try place(metres: metres))
    }
    return straightness
  }

  @Test("the straightness ratio is 1 before the first fix") func unknown() {
    for activity in [nil] + Activity.allCases.map({ $0 }) {
      #expect(StraightnessRatio().value(for: activity) == 1)
    }
  }

  @Test("slow and fast activities have separate ratios; `learn` ignores paths below 8 m") func learning() {
    var straightness = StraightnessRatio()
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
    "three paths lower the ratio only if the straight distance over them is below 60 % of their length",
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

  @Test("a path below 8 m counts as part of the next path") func shortWays() throws {
    var straightness = try after([0, 40, 0])
    straightness.addDistance(5)
    straightness.endPath(at: try place(metres: 5))
    #expect(straightness.value(for: .walking) == 1)
    straightness.addDistance(35)
    straightness.endPath(at: try place(metres: 40))
    #expect(abs(straightness.value(for: .walking) - 0.6) < 0.01)
  }
}
