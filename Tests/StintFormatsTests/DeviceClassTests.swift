import StintModel
import StintUnits
import Testing

@testable import StintFormats

@Suite("Classes of devices") struct DeviceClassTests {
  private static let repository =
    #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

  private func manifest(_ text: String) throws -> Manifest {
    try ManifestReader.manifest(of: Array(text.utf8), source: "manifest.json")
  }

  /// A gyroscope with a name of its own, whose channels can be changed.
  private func gyroscope(
    unit: String = "deg/s", order: [String] = ["x", "y", "z"], rate: String = "Hz", kind: String = "sensor",
    classes: String = #""classes": ["motion.gyro"]"#
  ) throws -> Manifest {
    let channels = order.map { #"{"name": "\#($0)", "unit": "\#(unit)"}"# }.joined(separator: ", ")
    return try manifest(
      """
      {"stint_manifest": 2, "device": "hand.turns", "kind": "\(kind)", "title": "", \(classes),
       "states": [{"name": "off", "power": "0 W", "on": false}], "initial": "off", "safe": "off",
       "channels": [\(channels)], "attributes": [{"name": "rate", "unit": "\(rate)"}]}
      """)
  }

  private func differences(_ manifest: Manifest) -> [String] {
    DeviceClassReader.classes(of: manifest).flatMap { $0.differences(from: manifest) }
  }

  @Test("each file of a class is valid, and has a name of its own")
  func files() throws {
    let names = DeviceClassReader.all.map(\.name)
    #expect(
      names == [
        "location.gnss", "motion.accelerometer", "motion.gyro", "power.battery", "power.thermal",
        "radio", "radio.ble", "sensor", "source",
      ])
    for name in names { #expect(DeviceClassReader.file(named: name)?["class"]?.string == name) }
    let named = DeviceClassReader.all.filter { $0.name != $0.kind.rawValue && !$0.name.hasPrefix("power.") }
    for item in named {
      // The file of a class lists the roles that the name of the class alone implies. So the two tables of
      // roles do not contradict each other.
      let implied = Manifest(device: DeviceID(item.name), kind: item.kind, title: "").provides
      #expect(item.roles.subtracting([.positioning]) == implied, "\(item.name)")
    }
  }

  @Test(
    "the shipped devices do not differ from their classes",
    arguments: [
      "Plugins/Gpsd/manifest.json", "Plugins/IIO/Manifests/accelerometer.json",
      "Plugins/IIO/Manifests/gyroscope.json", "Plugins/PowerSupply/manifest.json",
      "Plugins/Thermometer/manifest.json", "Plugins/Transfers/manifest.json",
      "Sources/StintSimulation/Resources/location.gnss.json",
      "Sources/StintSimulation/Resources/location.wifi.json",
      "Sources/StintSimulation/Resources/motion.accelerometer.json",
      "Sources/StintSimulation/Resources/motion.gyro.json",
      "Sources/StintSimulation/Resources/power.battery.json",
      "Sources/StintSimulation/Resources/radio.ble.json",
      "Sources/StintSimulation/Resources/radio.cellular.json",
      "Sources/StintSimulation/Resources/radio.wifi.json",
    ])
  func shipped(path: String) throws {
    let manifest = try ManifestReader.manifest(path: "\(Self.repository)/\(path)")
    let classes = DeviceClassReader.classes(of: manifest)
    #expect(classes.last?.name == manifest.kind.rawValue)
    let isSpecial = DeviceClassReader.named(manifest.device.path) != nil || !manifest.statedClasses.isEmpty
    #expect(classes.count == (isSpecial ? classes.count : 1) && (classes.count > 1) == isSpecial)
    #expect(differences(manifest) == [])
  }

  @Test("a device with a stated class has its roles, and each missing or different part is a difference")
  func different() throws {
    let right = try gyroscope()
    #expect(right.provides == [.rotation] && differences(right) == [])
    #expect(try gyroscope(classes: #""vendor": """#).provides == [])
    #expect(
      try differences(gyroscope(unit: "m/s2")).first
        == "the channel “x” of a gyroscope is \(FactType.quantity(MeasureUnit.named("deg/s")!.dimension).name), "
        + "not \(FactType.quantity(MeasureUnit.named("m/s2")!.dimension).name)")
    #expect(
      try differences(gyroscope(order: ["y", "x", "z"])) == ["the first channels of a gyroscope are x, y, z"])
    #expect(
      try differences(gyroscope(order: ["x", "y"])).first?.hasPrefix("a gyroscope has the channel “z”")
        == true)
    #expect(try differences(gyroscope(order: ["x", "y", "z", "temperature"])) == [])
    #expect(try differences(gyroscope(rate: "s")).count == 1)
    #expect(
      try differences(gyroscope(classes: #""classes": ["motion.gyro"], "provides": []"#))
        == ["a gyroscope has the role “rotation”"])
  }

  @Test("a device needs the words of its class, and may have more")
  func words() throws {
    func thermal(_ words: String, _ more: String = "") throws -> Manifest {
      try manifest(
        """
        {"stint_manifest": 2, "device": "cpu.heat", "kind": "source", "title": "", "classes": ["power.thermal"],
         "facts": [{"name": "thermal.state", "options": [\(words)]}\(more)]}
        """)
    }
    let words = #""cool", "nominal", "warm", "hot", "critical""#
    #expect(try differences(thermal(words)) == [])
    #expect(try differences(thermal(#""nominal", "warm", "hot""#)).count == 1)
    // An optional fact may be missing, but it must not have a different type.
    #expect(try differences(thermal(words, #", {"name": "thermal.temperature", "unit": "m"}"#)).count == 1)
  }

  @Test("an unknown class is an error with the nearest name, and version 1 has no classes")
  func unknown() throws {
    let problem = #expect(throws: Problem.self) { try gyroscope(classes: #""classes": ["motion.gyros"]"#) }
    #expect(problem.map { "\($0)" }?.contains("no class of devices is called “motion.gyros”") == true)
    #expect(problem.map { "\($0)" }?.contains("did you mean “motion.gyro”?") == true)
    let old = #"{"stint_manifest": 1, "device": "a.b", "kind": "source", "title": "", "classes": ["source"]}"#
    #expect(throws: Problem.self) { try manifest(old) }
  }

  @Test("the file of a class with an unknown key, type or kind is refused")
  func refused() {
    for text in [
      #"{"stint_class": 1, "class": "a", "title": "b", "kind": "lamp"}"#,
      #"{"stint_class": 1, "class": "a", "title": "b", "kind": "sensor", "colour": "red"}"#,
      #"{"stint_class": 1, "class": "a", "title": "b", "kind": "sensor", "facts": [{"name": "c"}]}"#,
      #"{"stint_class": 2, "class": "a", "title": "b", "kind": "sensor"}"#,
    ] {
      #expect(throws: Problem.self) {
        try DeviceClassReader.deviceClass(of: Array(text.utf8), source: "class.json")
      }
    }
  }
}
