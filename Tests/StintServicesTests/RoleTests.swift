import StintModel
import StintUnits
import Testing

@testable import StintServices

/// Services with devices of a third party, whose names are not those of the standard devices.
@Suite("Services find devices by role") struct RoleTests {
  private static let manifests: [Manifest] = [
    sensor("acme.fine", radius: 4, facts: ["latitude", "longitude", "accuracy"]),
    sensor("acme.rough", radius: 90, facts: ["latitude", "longitude", "accuracy"]),
    sensor("acme.imu", roles: [.acceleration, .activity]),
    sensor("acme.turn", roles: [.rotation]),
    sensor("acme.pose", roles: [.deviceMotion], inputs: ["acme.imu", "acme.turn"]),
    sensor("acme.ears", roles: [.beacons]),
    Manifest(
      device: "acme.modem", kind: .radio, title: "",
      states: [PowerState(name: "idle", power: .zero, isOn: false)], statedRoles: [.transfers]),
  ]

  private static func sensor(
    _ device: DeviceID, radius: Double? = nil, roles: Set<DeviceRole>? = nil, facts: [String] = [],
    inputs: [DeviceID] = []
  ) -> Manifest {
    Manifest(
      device: device, kind: .sensor, title: "",
      ladder: radius.map { LadderRank(name: "location", rank: 0, serves: $0) },
      states: [PowerState(name: "off", power: .zero, isOn: false)], inputs: inputs,
      facts: facts.map { FactSchema(path: "\(device.path).\($0)", type: .quantity(.length)) },
      statedRoles: roles)
  }

  /// Returns the effects of a request on a host without some devices.
  private func effects(_ request: any ServiceRequest, without missing: [DeviceID] = []) -> [ServiceEffect] {
    let manifests = Self.manifests.filter { !missing.contains($0.device) }
    var board = ServiceBoard(Vocabulary(manifests: manifests), at: .epoch)
    return board.step(
      [
        .attach("app", permissions: .always, mayBackground: true),
        .ask(ServiceID("app", "it"), request, receivers: .both),
      ], at: .epoch)
  }

  private func targets(_ request: any ServiceRequest, without missing: DeviceID...) -> [DeviceID] {
    effects(request, without: missing).compactMap {
      if case .raise(let demand) = $0 { demand.target } else { nil }
    }
  }

  @Test("each kind of request demands the devices with its role")
  func requests() throws {
    let place = try #require(Coordinate(latitude: 47, longitude: 8))
    #expect(targets(LocationUpdates(accuracy: .meters(10))) == ["acme.fine"])
    #expect(targets(FixRequest(accuracy: .meters(10), timeout: .seconds(30))) == ["acme.fine"])
    #expect(targets(MotionRequest(.acceleration, interval: .seconds(1))) == ["acme.imu"])
    #expect(targets(MotionRequest(.rotation, interval: .seconds(1))) == ["acme.turn"])
    #expect(
      targets(MotionRequest(.deviceMotion, interval: .seconds(1))) == ["acme.pose", "acme.imu", "acme.turn"])
    #expect(targets(BeaconsRequest([BeaconRegion("gate", identity: "f7826da6")])) == ["acme.ears"])
    #expect(
      targets(RegionsRequest([Region("home", centre: place, radius: .meters(100))])) == [
        "acme.imu", "acme.rough",
      ])
    #expect(targets(MovesRequest()) == ["acme.rough"])
    #expect(targets(VisitsRequest()) == ["acme.imu"])
    #expect(targets(VisitsRequest(), without: "acme.imu") == ["acme.rough"])
    #expect(targets(MediaRequest("film", bytes: 1000, mostWasted: 1000)) == ["acme.modem"])
  }

  @Test("without a coarse positioning device, regions and moves use the fine device")
  func fallback() throws {
    let place = try #require(Coordinate(latitude: 47, longitude: 8))
    let regions = RegionsRequest([Region("home", centre: place, radius: .meters(100))])
    #expect(targets(regions, without: "acme.rough") == ["acme.imu", "acme.fine"])
    #expect(targets(MovesRequest(), without: "acme.rough") == ["acme.fine"])
  }

  @Test("a request for a role that no device has is refused, and the reason names the missing data")
  func missing() {
    let refusals: [(any ServiceRequest, [DeviceID], String)] = [
      (LocationUpdates(accuracy: .meters(10)), ["acme.fine", "acme.rough"], "no device provides positions"),
      (MotionRequest(.rotation, interval: .seconds(1)), ["acme.turn"], "no device provides rotation rates"),
      (
        BeaconsRequest([BeaconRegion("gate", identity: "f7826da6")]), ["acme.ears"],
        "no device provides beacons"
      ),
      (MediaRequest("film", bytes: 1000, mostWasted: 1000), ["acme.modem"], "no device provides transfers"),
    ]
    for (request, devices, sentence) in refusals {
      let found = effects(request, without: devices).compactMap { effect in
        if case .refused(_, let failure) = effect { failure.sentence } else { nil }
      }
      #expect(found == [sentence])
    }
  }
}
