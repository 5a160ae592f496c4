import StintGovernor
import StintModel
import StintRuntime
import StintServices
import StintTestSupport
import StintUnits
import Testing

@Suite(.checkedPhones) struct AuthorizationMatrixTests {
  private static let updates = LocationUpdates(
    accuracy: .meters(10), period: .seconds(1), background: true, pausing: false)

  private static let dock = BeaconRegion("dock", identity: "dock", major: 1)

  private static func services() throws -> [(name: String, request: any ServiceRequest)] {
    let origin = try #require(Coordinate(latitude: 47.05, longitude: 8.31))
    return [
      ("updates", updates), ("ranging", RangingRequest(dock)),
      ("regions", RegionsRequest([Region("home", centre: origin, radius: .meters(200))])),
      ("beacons", BeaconsRequest([dock])), ("visits", VisitsRequest()), ("moves", MovesRequest()),
    ]
  }

  private static let golden: [(level: Authorization, begins: [String], code: String)] = [
    (.denied, [], "denied"), (.undecided, [], "undecided"),
    (.whenInUse, ["updates", "ranging"], "denied"),
    (.always, ["updates", "ranging", "regions", "beacons", "visits", "moves"], ""),
  ]

  @Test(
    "X01: each of four permission levels permits exactly the services that the table lists", arguments: 0..<4)
  func matrix(row: Int) async throws {
    let (level, begins, code) = Self.golden[row]
    let phone = try await Phone(devices: [
      "location.gnss", "location.wifi", "motion.accelerometer", "radio.ble",
    ])
    for (name, request) in try Self.services() {
      let client = ClientID(name)
      await phone.attach(client, Permissions(level))
      await phone.ask(client, name, request)
    }
    await phone.run(until: 60)
    let running = Set(await phone.host.serviceBoard.runningServices.map(\.name))
    #expect(running == Set(begins))
    let refusals = Set(phone.observer.everything.refusals.map(\.text))
    let refused = try Self.services().map(\.name).filter { !begins.contains($0) }
    #expect(refusals == Set(refused.map { "\($0)/\($0) \(code)" }))
    if begins.isEmpty {
      for device: DeviceID in ["location.gnss", "location.wifi", "motion.accelerometer", "radio.ble"] {
        #expect(await phone.onTime(of: device) == 0)
      }
    }
    await phone.expectInvariants()
  }

  @Test("X01: a permission that is granted or revoked at run time affects only its client")
  func upAndDown() async throws {
    let phone = try await Phone(devices: ["location.wifi", "motion.accelerometer"])
    for client: ClientID in ["app", "other"] {
      await phone.attach(client, .whenInUse)
      await phone.ask(client, "moves", MovesRequest())
    }
    #expect(await phone.host.serviceBoard.runningServices.isEmpty)
    await phone.serve(.authorize("app", .always))
    await phone.ask("app", "moves", MovesRequest())
    #expect(await phone.host.serviceBoard.runningServices == [ServiceID("app", "moves")])
    await phone.serve(.authorize("app", .whenInUse))
    #expect(await phone.host.serviceBoard.runningServices.isEmpty)
    #expect(phone.notices(ServiceFailure.self, for: "app").count == 1)
    #expect(phone.notices(ServiceFailure.self, for: "other").isEmpty)
  }

  @Test("X01: rules react when the user changes the location permission, even in the background")
  func policy() async throws {
    let phone = try await Phone(
      devices: ["location.gnss", "host.app"],
      facts: [(0, "app.state", "foreground"), (100, "app.state", "background")],
      policy: """
        use location.gnss as gps
        rule r while auth.location is when_in_use and app.state is background { stop gps }
        rule none while auth.location is denied { stop gps }
        rule notify when auth.location is denied { tell "app" "location is off" }
        """)
    await phone.attach("app", .whenInUse)
    await phone.ask("app", "way", Self.updates)
    await phone.run(until: 300)
    #expect(await phone.onTime(of: "location.gnss") == 100)
    await phone.serve(.authorize("app", .always))
    await phone.run(until: 400)
    #expect(await phone.onTime(of: "location.gnss") == 200)
    await phone.serve(.authorize("app", .denied))
    await phone.run(until: 500)
    #expect(await phone.onTime(of: "location.gnss") == 200)
    #expect(phone.observer.everything.acts.map(\.text).contains { $0.contains("location is off") })
  }

  @Test("X02: after each revocation, an app does not get the fixes that were held for it")
  func heldIsErased() async throws {
    let phone = try await Phone(
      [PlacesWorld.walk(3000, heading: 0)], devices: ["location.gnss", "host.app"],
      facts: [(0, "app.state", "background")])
    var random = SeededRandom(2)
    var second = 0.0
    var held = 0
    var late = 0
    var kept = 0
    await phone.attach("app")
    var request = Self.updates
    request.period = .seconds(20)
    let trials = Trials(1000)
    for round in trials.rounds {
      await phone.serve(.authorize("app", .always))
      await phone.ask("app", "way", request)
      await phone.command("app", "way", LocationCommand.deferUpdates(round, time: .minutes(5)))
      let before = phone.observer.everything.notices.count
      second += 60 + Double.random(in: 0..<60, using: &random)
      await phone.run(until: second)
      await phone.serve(.authorize("app", .denied))
      let told = phone.observer.everything.notices
      if !told[before...].contains(where: { Self.isFix($0.notice) }) { held += 1 }
      second += 1
      await phone.run(until: second)
      if phone.observer.everything.notices.count != told.count { late += 1 }
      if await phone.isOn("location.gnss") { kept += 1 }
    }
    #expect(held >= trials.share(of: 900))
    #expect(late == 0)
    #expect(kept == 0)
    await phone.run(until: second + 3600)
    #expect(!phone.observer.everything.notices.contains { Self.isFix($0.notice) && $0.second > second })
    await phone.expectInvariants()
  }

  private static func isFix(_ notice: any ServiceNotice) -> Bool {
    guard case .fixes(let fixes)? = notice as? LocationNotice else { return false }
    return fixes.contains { !$0.isCached }
  }

  @Test(
    "X02: after a revocation at a random instant, no sample is delivered and every device is off"
  )
  func revoked() async throws {
    for seed in Trials(120, fewest: 1).seeds {
      var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
      state ^= state >> 29
      let second = 1 + Double(state % 3_000_000) / 1000
      let phone = try await Phone(
        [PlacesWorld.rest(20), PlacesWorld.drive(1200, heading: 0)],
        devices: ["location.gnss", "location.wifi", "motion.accelerometer", "radio.ble"], seed: seed)
      await phone.attach("app")
      for (name, request) in try Self.services() { await phone.ask("app", name, request) }
      await phone.run(until: second)
      await phone.serve(.authorize("app", .denied))
      let count = phone.observer.everything.notices.count
      await phone.run(until: second + 3600)
      #expect(phone.observer.everything.notices.count == count)
      #expect(phone.notices(ServiceFailure.self, for: "app").filter { $0.notice.code == .denied }.count == 6)
      for device: DeviceID in ["location.gnss", "location.wifi", "motion.accelerometer", "radio.ble"] {
        #expect(await !phone.isOn(device))
      }
      await phone.expectInvariants()
    }
  }
}
