import StintGovernor
import StintModel
import StintServices
import StintTestSupport
import StintUnits
import Testing

@Suite(.checkedPhones) struct CauseTests {
  private static let policy = """
    use location.gnss as gps
    use location.wifi as near
    use motion.accelerometer as accel
    zone home = circle 47.05 8.31 radius 250 m enter_after 20 s exit_after 60 s
    schedule night = 22:00..06:00
    budget day = 350 J per day from 04:00 on gps { at 80 % { downgrade gps to 100 m } at 100 % { stop gps except "sos" } }
    rule look while not time in night { watch home on near }
    rule low while battery.level below 20 % release 25 % { downgrade gps to 1 per 30 s batch accel until 60 s }
    rule ask every 30 min flex 5 min { fix gps to 50 m timeout 60 s }
    rule denied while auth.location is denied { stop gps }
    require unexplained == 0 s
    """

  @Test(
    "X12: with random requests and permissions, rules, budgets and faults, each powered interval has a cause",
    arguments: Trials(60, fewest: 1).seeds)
  func causes(seed: UInt64) async throws {
    let (legs, _) = PlacesWorld.week()
    let phone = try await Phone(
      legs,
      facts: [
        (0, "app.state", "foreground"), (3600, "app.state", "background"),
        (40_000, "app.state", "foreground"),
      ],
      faults: [
        InjectedFault(device: "location.wifi", at: .hours(3), duration: .minutes(40), kind: .loss),
        InjectedFault(device: "motion.accelerometer", at: .hours(5), duration: .minutes(20), kind: .crash),
        InjectedFault(device: "location.gnss", at: .hours(9), duration: .minutes(20), kind: .dropout),
      ], policy: Self.policy, seed: seed)
    let origin = try #require(Coordinate(latitude: 47.05, longitude: 8.31))
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func chance(_ limit: UInt64) -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state % limit
    }
    let requests: [any ServiceRequest] = [
      RegionsRequest([Region("home", centre: origin, radius: .meters(250))]), VisitsRequest(), MovesRequest(),
      PlainStream(device: "location.gnss", wants: DemandSettings(accuracy: 20, period: .seconds(10))),
      PlainStream(
        device: "motion.accelerometer", wants: DemandSettings(period: .seconds(1), latency: .minutes(4))),
    ]
    var second = 0.0
    for number in 0..<40 {
      second += Double(1 + chance(2000))
      await phone.run(until: second)
      let client = ClientID("app\(chance(3))")
      switch chance(6) {
      case 0, 1: await phone.attach(client)
      case 2, 3: await phone.ask(client, "s\(number)", requests[Int(chance(UInt64(requests.count)))])
      case 4: await phone.serve(.detach(client))
      default: await phone.serve(.authorize(client, chance(3) == 0 ? .denied : .always))
      }
      await phone.expectInvariants()
    }
    await phone.run(until: 86_400)
    await phone.expectInvariants()
    #expect(!phone.observer.everything.acts.contains { $0.text.contains("violation") })
  }
}
