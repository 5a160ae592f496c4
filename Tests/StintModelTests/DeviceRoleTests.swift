import StintUnits
import Testing

@testable import StintModel

@Suite("Roles of devices") struct DeviceRoleTests {
  private func sensor(
    _ device: DeviceID, radius: Double? = nil, roles: Set<DeviceRole>? = nil, facts: [String] = []
  ) -> Manifest {
    Manifest(
      device: device, kind: .sensor, title: "",
      ladder: radius.map { LadderRank(name: "location", rank: 0, serves: $0) },
      states: [PowerState(name: "off", power: .zero, isOn: false)],
      facts: facts.map { FactSchema(path: $0, type: .quantity(.length)) }, statedRoles: roles)
  }

  private func position(_ device: DeviceID, _ radius: Double?) -> Manifest {
    sensor(device, radius: radius, facts: DeviceRole.positionFacts.map { "\(device.path).\($0)" })
  }

  private func radio(_ device: DeviceID, rank: Int, _ roles: Set<DeviceRole>? = nil) -> Manifest {
    Manifest(
      device: device, kind: .radio, title: "", ladder: LadderRank(name: "radio", rank: rank, serves: nil),
      states: [PowerState(name: "idle", power: .zero, isOn: false)], statedRoles: roles)
  }

  private func roles(_ manifests: Manifest...) -> DeviceRoles { Vocabulary(manifests: manifests).roles }

  @Test("without “provides”, roles follow from the facts, the kind and the name of a standard device")
  func implied() {
    #expect(position("location.ublox", 3).provides == [.positioning])
    #expect(sensor("location.odd", facts: ["location.odd.latitude"]).provides == [])
    #expect(sensor("motion.accelerometer").provides == [.acceleration, .activity])
    #expect(sensor("motion.gyro").provides == [.rotation])
    #expect(radio("radio.lora", rank: 0).provides == [.transfers])
    #expect(radio("radio.cellular", rank: 0).provides == [.transfers, .metered])
    #expect(sensor("motion.accelerometer", roles: []).provides == [])
  }

  @Test("positioning devices are sorted from fine to coarse, whatever their names")
  func positions() {
    let roles = roles(
      position("a.cells", 3000), position("b.networks", 100), position("c.receiver", 5),
      position("d.receiver", 5))
    #expect(roles.devices(.positioning) == ["c.receiver", "d.receiver", "b.networks", "a.cells"])
    #expect(roles.placeDevices == ["b.networks", "c.receiver", "d.receiver"])
    #expect(roles.regionDevices == ["b.networks", "c.receiver", "d.receiver", "a.cells"])
    #expect(roles.coarseDevices == ["b.networks", "a.cells"])
  }

  @Test("when a satellite receiver is the only positioning device, all services use it")
  func alone() {
    let roles = roles(position("location.ublox", 3))
    #expect(roles.placeDevices == ["location.ublox"] && roles.regionDevices == ["location.ublox"])
    #expect(roles.coarseDevices == ["location.ublox"])
  }

  @Test("transfers use the radio of the highest rank, and a session may exclude metered radios")
  func radios() {
    let roles = roles(
      radio("modem.second", rank: 2, [.transfers, .metered]), radio("radio.cellular", rank: 1),
      radio("radio.wifi", rank: 0))
    #expect(roles.radio(metered: true) == "modem.second")
    #expect(roles.radio(metered: false) == "radio.wifi")
    #expect(self.roles(radio("radio.cellular", rank: 1)).radio(metered: false) == nil)
    #expect(self.roles(sensor("motion.gyro")).radio(metered: true) == nil)
  }

  @Test("a role that the kind or the facts of a device contradict is an error of the manifest")
  func faults() {
    func faults(_ manifest: Manifest) -> [String] {
      manifest.faults().filter { $0.path == "provides" }.map(\.sentence)
    }
    #expect(faults(sensor("a.b", roles: [.positioning])).count == 1)
    #expect(faults(sensor("a.b", roles: [.transfers, .metered])).count == 2)
    for role in [DeviceRole.acceleration, .rotation, .magneticField, .deviceMotion, .beacons] {
      #expect(faults(radio("a.b", rank: 0, [role])).count == 1)
      #expect(faults(sensor("a.b", roles: [role])).isEmpty)
    }
    #expect(faults(position("a.b", 5)).isEmpty)
  }
}
