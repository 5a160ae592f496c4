import StintGovernor
import StintModel
import StintRuntime
import StintServices
import StintUnits
import Testing

@Suite(.checkedPhones) struct BeaconPhoneTests {
  private static let identity = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"
  private static let dock = BeaconRegion("dock", identity: identity, major: 10)
  private static let devices: [DeviceID] = ["radio.ble", "host.processor", "host.app"]

  /// Returns a beacon `north` metres north of the origin.
  private func beacon(_ minor: Int, north: Double = 3, range: Double = 30) throws -> PlacedBeacon {
    let origin = try #require(Coordinate(latitude: 47.05, longitude: 8.31))
    return PlacedBeacon(
      identity: Self.identity, major: 10, minor: minor, place: origin.moved(north: north, east: 0),
      range: range)
  }

  @Test(
    "R02: an hour in range with a fifth of the packets lost causes no exit",
    arguments: 1...5 as ClosedRange<UInt64>)
  func loss(seed: UInt64) async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(70)], devices: Self.devices, beacons: [try beacon(1), try beacon(2, north: 9)],
      seed: seed)
    await phone.attach("app")
    await phone.ask("app", "dock", BeaconsRequest([Self.dock]))
    await phone.run(until: 3600)
    #expect(
      phone.notices(BeaconNotice.self, for: "app").map(\.notice) == [.known(region: "dock", isInside: true)])
    await phone.expectInvariants()
    let scanning = try #require(await phone.ledger().byDevice["radio.ble"])
    // The radio scans for half a second in every ten seconds, at 15 mW.
    #expect(abs(scanning.nanojoules - 2_700_000_000) <= 750_000)
  }

  @Test(
    "R02: an exit is reported half a minute after the last signal; the return is reported at the next scan")
  func leaving() async throws {
    let phone = try await Phone(
      [
        PlacesWorld.rest(10), PlacesWorld.drive(60, heading: 0), PlacesWorld.rest(10),
        PlacesWorld.drive(60, heading: 180),
      ], devices: Self.devices, beacons: [try beacon(1, north: 0, range: 600)])
    await phone.attach("app")
    await phone.ask("app", "dock", BeaconsRequest([Self.dock]))
    await phone.run(until: 1800)
    let notices = phone.notices(BeaconNotice.self, for: "app")
    #expect(
      notices.map(\.notice) == [.known(region: "dock", isInside: true), .exited("dock"), .entered("dock")])
    // The phone leaves the range 36 s after the start of the drive, and re-enters it 24 s after the start of
    // the return. An exit is reported after half a minute without a signal, and scans are ten seconds apart.
    #expect((656...676).contains(notices[1].second), "\(notices[1].second)")
    #expect((1284...1294).contains(notices[2].second), "\(notices[2].second)")
  }

  @Test("R02: while the radio is off, the state of the region is unknown, and no exit is reported")
  func radioOff() async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(70)], devices: Self.devices,
      faults: [InjectedFault(device: "radio.ble", at: .minutes(10), duration: .minutes(10), kind: .loss)],
      beacons: [try beacon(1)])
    await phone.attach("app")
    await phone.ask("app", "dock", BeaconsRequest([Self.dock]))
    await phone.run(until: 3600)
    #expect(
      phone.notices(BeaconNotice.self, for: "app").map(\.notice) == [
        .known(region: "dock", isInside: true), .unknown("dock"), .known(region: "dock", isInside: true),
      ])
    #expect(phone.notices(ServiceFailure.self, for: "app").map(\.second) == [600])
  }

  @Test("R02: the zone of a policy can be the range of a beacon")
  func zone() async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(5), PlacesWorld.drive(60, heading: 0), PlacesWorld.rest(10)],
      devices: Self.devices,
      policy: """
        use radio.ble as ble
        zone dock = beacon "\(Self.identity)" major 10 exit_after 30 s
        rule listen always { start ble with { rate 1 per 10 s  background on } }
        rule out when exit(dock) { emit "dock.out" }
        """, beacons: [try beacon(1, north: 0, range: 100)])
    await phone.run(until: 900)
    #expect(phone.observer.everything.acts.map(\.text).filter { $0.contains("dock.out") }.count == 1)
    await phone.expectInvariants()
  }

  @Test(
    "R23: a walk past a beacon gives far, near, immediate, near, far; ranging ends 10 s after the last signal"
  )
  func ramp() async throws {
    let phone = try await Phone(
      [
        PlacesWorld.rest(1, sky: .open), PlacesWorld.slow(150, heading: 0), PlacesWorld.rest(1, sky: .open),
        PlacesWorld.slow(150, heading: 0), PlacesWorld.rest(10),
      ],
      devices: Self.devices, beacons: [try beacon(1, north: 45, range: 40)])
    await phone.attach("app")
    await phone.ask("app", "near", RangingRequest(Self.dock))
    await phone.run(until: 1200)
    let notices = phone.notices(RangingNotice.self, for: "app")
    var classes: [Proximity] = []
    var seconds: [Double] = []
    for (second, notice) in notices {
      guard case .ranged(let proximity, _) = notice else { continue }
      seconds.append(second)
      if classes.last != proximity { classes.append(proximity) }
    }
    #expect(classes == [.far, .near, .immediate, .near, .far])
    #expect(seconds.count > 100)
    #expect(notices.filter { $0.notice == .ended }.count == 1)
    let ended = try #require(notices.first { $0.notice == .ended }?.second)
    let last = try #require(seconds.last)
    #expect(abs(ended - last - 10) <= 1.01)
    await phone.expectInvariants()
  }

  @Test("R23: in the background ranging lasts about ten seconds after an arrival, and then ends")
  func background() async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(70)], devices: Self.devices, facts: [(0, "app.state", "background")],
      beacons: [try beacon(1)])
    await phone.attach("app", .whenInUse)
    await phone.run(until: 1)
    await phone.ask("app", "near", RangingRequest(Self.dock))
    await phone.run(until: 3600)
    let notices = phone.notices(RangingNotice.self, for: "app").map(\.notice)
    #expect(notices.last == .ended)
    #expect((8...14).contains(notices.count))
  }

  @Test("R23: a policy can scan once a second inside a zone, and can scan once in ten seconds outside")
  func policy() async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(5), PlacesWorld.drive(60, heading: 0), PlacesWorld.rest(10)],
      devices: Self.devices,
      policy: """
        use radio.ble as ble
        zone dock = beacon "\(Self.identity)" major 10 exit_after 10 s
        rule listen always { start ble with { rate 1 per 10 s  background on } }
        rule r while inside(dock) for 5 s { start ble with { rate 1 Hz  background on } }
        """, beacons: [try beacon(1, north: 0, range: 100)])
    await phone.run(until: 290)
    #expect(await phone.host.snapshot.status(of: "radio.ble")?.setting.period == .seconds(1))
    await phone.run(until: 900)
    #expect(await phone.host.snapshot.status(of: "radio.ble")?.setting.period == .seconds(10))
  }
}
