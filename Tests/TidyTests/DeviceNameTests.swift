import Testing

/// Checks that the modules that find devices by their roles contain no device names in their code.
@Suite("Modules do not depend on device names") struct DeviceNameTests {
  /// The modules that must find devices by role.
  private static let modules = ["StintServices", "Stint", "StintGovernor", "StintRuntime", "StintDaemon"]

  /// The names of standard devices, as string literals.
  private static let names = [
    "location.gnss", "location.wifi", "location.cell", "location.fused", "motion.accelerometer",
    "motion.gyro", "motion.magnetometer", "motion.fused", "radio.cellular", "radio.wifi",
    "radio.ble", "host.processor", "host.app",
  ]

  @Test("the code of the module contains no name of a standard device", arguments: modules)
  func names(module: String) {
    let paths = SourceTree.paths(under: "Sources/\(module)").filter { $0.hasSuffix(".swift") }
    #expect(paths.count > 5, "\(module) is missing")
    for path in paths {
      for (number, line) in SourceTree.lines(of: path).enumerated() {
        guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { continue }
        for name in Self.names where line.contains("\"\(name)\"") {
          Issue.record("\(path):\(number + 1): “\(name)”; find the device by its role")
        }
      }
    }
  }
}
