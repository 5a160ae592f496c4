import StintGovernor
import StintModel
import StintRuntime
import StintServices
import StintUnits
import Testing

@Suite(.checkedPhones) struct TwoBusesTests {
  private static let policy = """
    use location.gnss as gps
    rule still while motion.activity is still for 2 min { pause gps }
    """

  private func day(_ seed: UInt64) async throws -> (count: Int, digest: String) {
    let phone = try await Phone(
      [PlacesWorld.rest(10, sky: .open), PlacesWorld.walk(10, heading: 0)],
      devices: ["location.gnss", "location.wifi", "motion.accelerometer"], policy: Self.policy, seed: seed)
    await phone.attach("app")
    await phone.ask(
      "app", "way",
      PlainStream(device: "location.gnss", wants: DemandSettings(accuracy: 10, period: .seconds(5))))
    await phone.ask("app", "visits", VisitsRequest())
    await phone.run(until: 3600)
    await phone.expectInvariants()
    return await phone.host.decisions
  }

  @Test("X08: each of two hosts in one process makes the decisions that it makes alone")
  func two() async throws {
    let alone = (try await day(1), try await day(2))
    async let first = day(1)
    async let second = day(2)
    let together = (try await first, try await second)
    #expect(alone.0.count > 5)
    #expect(together.0 == alone.0)
    #expect(together.1 == alone.1)
  }
}
