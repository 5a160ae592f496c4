import StintGovernor
import StintModel
import StintRuntime
import StintTestSupport
import StintUnits
import Testing

@Suite(.checkedPhones) struct ReloadDayTests {
  private static let policy = """
    use location.gnss as gps
    use radio.cellular as net
    rule still while motion.activity is still for 4 min { pause gps }
    rule giveup when (gps.on and not known(gps.accuracy)) for 2 min { stop gps for 5 min doubling to 1 h }
    rule low while battery.level below 30 % release 35 % { downgrade gps to 100 m }
    rule wait always { defer net until screen.on deadline 3 h }
    rule news every 45 min flex 5 min { fix gps to 50 m timeout 60 s }
    budget day = 900 J per day from 04:00 on gps { at 80 % { downgrade gps to 1 km } at 100 % { stop gps } }
    schedule night = 22:00..06:00
    rule dark while time in night { batch gps until 10 min }
    """

  private func decisions(reloads: Int) async throws -> (count: Int, digest: String) {
    let facts = (0..<96).flatMap { quarter -> [(Double, String, String)] in
      let second = Double(quarter) * 900
      return [
        (second, "motion.activity", quarter % 5 < 2 ? "still" : "walking"),
        (second + 10, "screen.on", quarter % 7 == 0 ? "true" : "false"),
        (second + 20, "battery.level", "\(max(5, 90 - quarter)) %"),
      ]
    }
    let phone = try await Phone(
      [PlacesWorld.rest(120, sky: .open), PlacesWorld.walk(60, heading: 0), PlacesWorld.rest(2000)],
      devices: ["location.gnss", "radio.cellular", "host.app"],
      declares: [
        FactSchema(
          path: "motion.activity", type: .symbol(Activity.allCases.map(\.rawValue)), maxAge: .minutes(20)),
        FactSchema(path: "battery.level", type: .quantity(.ratio), range: 0...1),
      ], facts: facts)
    let program = try phone.program(Self.policy)
    try await phone.host.load(program, policies: [], at: Phone.start)
    await phone.attach("app")
    await phone.ask(
      "app", "way",
      PlainStream(device: "location.gnss", wants: DemandSettings(accuracy: 10, period: .minutes(1))))
    var state: UInt64 = 88_172_645_463_325_252
    var instants: [Double] = []
    for _ in 0..<reloads {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      instants.append(Double(state % 86_400_000) / 1000)
    }
    for second in instants.sorted() {
      await phone.run(until: second)
      try await phone.host.load(program, policies: [], at: await phone.host.now)
    }
    await phone.run(until: 86_400)
    await phone.expectInvariants()
    return await phone.host.decisions
  }

  @Test(
    "X04: reloading an unchanged policy at random instants of a day changes no decision")
  func reloads() async throws {
    let plain = try await decisions(reloads: 0)
    #expect(plain.count > 100)
    #expect(try await decisions(reloads: Trials(10_000).count) == plain)
  }
}
