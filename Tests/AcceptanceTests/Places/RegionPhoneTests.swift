import StintGovernor
import StintModel
import StintServices
import StintUnits
import Testing

@Suite(.checkedPhones) struct RegionPhoneTests {
  private static let devices: [DeviceID] = [
    "location.gnss", "location.wifi", "location.cell", "motion.accelerometer", "host.processor",
  ]

  private func origin() throws -> Coordinate { try #require(Coordinate(latitude: 47.05, longitude: 8.31)) }

  @Test("R01: walks out of a circle and back give exits and entries in turn, for at most 75 J of positions")
  func pairs() async throws {
    var legs: [Leg] = []
    for _ in 0..<5 {
      legs += [
        PlacesWorld.rest(30), PlacesWorld.walk(12, heading: 0), PlacesWorld.rest(15),
        PlacesWorld.walk(12, heading: 180),
      ]
    }
    let phone = try await Phone(legs, devices: Self.devices)
    await phone.attach("app")
    let home = Region("home", centre: try origin(), radius: .meters(250))
    await phone.ask("app", "home", RegionsRequest([home]))
    await phone.run(until: 5 * 4140)
    let notices = phone.notices(RegionNotice.self, for: "app")
    #expect(notices.first?.notice == .known(region: "home", isInside: true))
    let crossings = notices.dropFirst().map(\.notice)
    #expect(crossings.count >= 9)
    for (place, crossing) in crossings.enumerated() {
      #expect(crossing == (place.isMultiple(of: 2) ? .exited("home") : .entered("home")))
    }
    // With only Wi-Fi positions, which are too coarse to decide near the border, the same walks cost 88 J.
    let ledger = await phone.ledger()
    let spent = (["location.cell", "location.wifi", "location.gnss"] as [DeviceID])
      .compactMap { ledger.byDevice[$0] }.reduce(.zero, +)
    #expect(spent <= Energy(nanojoules: 75_000_000_000))
    await phone.expectInvariants()
  }

  @Test(
    "R03: the notice of a crossing contains no position; a fix for a rule is charged to the rule"
  )
  func fix() async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(5, sky: .open), PlacesWorld.walk(10, heading: 0)], devices: Self.devices,
      policy: """
        use location.gnss as gps
        use location.wifi as wifi
        zone depot = circle 47.0536 8.31 radius 200 m enter_after 20 s exit_after 60 s
        rule look always { watch depot on wifi }
        rule r when enter(depot) { fix gps to 50 m timeout 60 s }
        """)
    await phone.attach("app")
    let centre = try #require(Coordinate(latitude: 47.0536, longitude: 8.31))
    await phone.ask("app", "depot", RegionsRequest([Region("depot", centre: centre, radius: .meters(200))]))
    await phone.run(until: 900)
    #expect(phone.notices(RegionNotice.self, for: "app").map(\.notice).contains(.entered("depot")))
    #expect(phone.states(of: "location.gnss").count >= 3)
    let ledger = await phone.ledger()
    let billed = try #require(ledger.byRule[RuleID(policy: "test", rule: "r")])
    let receiver = try #require(ledger.byDevice["location.gnss"])
    let app = try #require(ledger.byClient["app"])
    // The app's region also uses the receiver, so the app and the rule share the cost. The rule pays at least
    // half of a hot start.
    #expect(billed >= Energy(nanojoules: 150_000_000))
    #expect(billed + app >= receiver)
    await phone.expectInvariants()
  }

  @Test("R03: a failed fix does not affect the crossing")
  func failedFix() async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(5), PlacesWorld.drive(120, heading: 0), PlacesWorld.rest(30)],
      devices: Self.devices,
      policy: """
        use location.gnss as gps
        zone depot = circle 47.05 8.31 radius 300 m
        use location.wifi as wifi
        rule look always { watch depot on wifi }
        rule r when exit(depot) { fix gps to 50 m timeout 30 s }
        """)
    await phone.attach("app")
    await phone.ask(
      "app", "depot", RegionsRequest([Region("depot", centre: try origin(), radius: .meters(300))]))
    await phone.run(until: 1800)
    // After a cold start, the receiver searches for half a minute and finds no position.
    #expect(await phone.onTime(of: "location.gnss") == 30)
    #expect(!phone.states(of: "location.gnss").contains { $0.hasPrefix("track") })
    #expect(phone.notices(RegionNotice.self, for: "app").map(\.notice).contains(.exited("depot")))
    await phone.expectInvariants()
  }
}
