import StintModel
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite(.enabled(if: Tier.current >= .gate)) struct RestRunTests {
  private let temporaryFiles = TemporaryFiles()

  /// Returns a night at one place, as a receiver that does not move records it. There is a point every ten
  /// seconds, with an error of about a metre.
  private func night() throws -> String {
    var generator = SeededGenerator(seed: 1)
    var (north, east) = (0.0, 0.0)
    let rows = (0...2880).map { row in
      north = 0.9 * north + Double.random(in: -0.5...0.5, using: &generator)
      east = 0.9 * east + Double.random(in: -0.5...0.5, using: &generator)
      return "\(row * 10),\(47.05 + north / 111_195),\(8.31 + east / 75_600),still"
    }
    return try temporaryFiles.file("night.csv", (["t_s,lat,lon,label"] + rows).joined(separator: "\n") + "\n")
  }

  @Test(
    "F12: at rest, a shipped track policy uses less than 3 J an hour for receiver and accelerometer",
    arguments: ["pixel5", "nexus5", "m8tracker"], ["track-50", "track-100"])
  func atRest(profile: String, policy: String) throws {
    let report = try SimulationRun(
      SimulationRequest(
        policies: [Repository.path("policies/\(policy).stint")], scenario: "tracker", trace: try night(),
        profile: profile, openSky: true)
    ).run().report
    #expect(report.duration >= .hours(8))
    let spent = ["location.gnss", "motion.accelerometer"].map {
      report.ledger.byDevice[DeviceID($0)]?.joules ?? 0
    }
    let hourly = spent.reduce(0, +) / 8
    #expect(hourly < 3, "\(hourly) J an hour")
    // A result of zero would also pass the check above.
    #expect(spent.allSatisfy { $0 > 0 })
    #expect(report.deliveries["tracker"]?.samples ?? 0 >= 1)
  }
}
