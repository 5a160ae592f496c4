import StintModel
import StintUnits
import Testing

@testable import StintTools

@Suite("Device profiles in a run")
struct ProfileTests {
  private func run(_ profile: String?) throws -> SimulationReport {
    try SimulationRun(SimulationRequest(policies: [], scenario: "quiet", profile: profile)).run().report
  }

  @Test("the figures come from the requested profile, and the report names the profile") func named() throws {
    let reference = try run(nil)
    #expect(reference.profile == "reference")
    let report = try run("nexus5")
    #expect(report.profile == "nexus5")
    // The processor sleeps for a day at 12.16 mW.
    #expect(report.ledger.byDevice["host.processor"]?.joules == 12.16e-3 * 86_400)
    #expect(try run("m8tracker").ledger.byDevice["radio.wifi"] == nil)
  }

  @Test("an unknown profile is refused, and the error lists the known names") func unknown() {
    let error = #expect(throws: Problem.self) { try run("nexus6") }
    #expect(error?.description.contains("no device profile is named “nexus6”") == true)
    #expect(error?.description.contains("reference, pixel5, nexus5, m8tracker") == true)
  }
}
