import StintLanguage
import StintModel
import StintSimulation
import StintUnits
import Testing

@Suite("Verbs of policies on each device") struct VerbTests {
  private static let statements: [(verb: Verb, text: @Sendable (String) -> String)] = [
    (.start, { "start \($0) for \"app\"" }), (.stop, { "stop \($0)" }),
    (.defer, { "defer \($0) until battery.level > 50 % deadline 1 h" }),
    (.downgrade, { "downgrade \($0) to 1 per 60 s" }),
    (.batch, { "batch \($0) until 60 s" }),
  ]

  /// The manifests of all devices of the reference phone, including the optional devices.
  private static func manifests() throws -> [Manifest] {
    try (ReferencePhone.deviceNames + ReferencePhone.optionalDeviceNames).map { device in
      try #require(ReferencePhone.manifest(device))
    }
  }

  @Test(
    "X05: a policy can use a verb on a built-in device exactly if the manifest of the device lists the verb")
  func verbs() throws {
    let manifests = try Self.manifests()
    let vocabulary = Vocabulary(manifests: manifests)
    var accepted = 0
    var refused = 0
    for manifest in manifests {
      for (verb, text) in Self.statements {
        // Devices whose range of rates contains 1 Hz get this rate, so that only the verb can be
        // unsupported.
        let supportsOneHertz = manifest.attribute(named: "rate")?.range?.contains(1) == true
        let statement = supportsOneHertz ? text("it").replacing("1 per 60 s", with: "1 Hz") : text("it")
        let policy = """
          policy "p" version 1
          use \(manifest.device) as it
          rule r while battery.level below 15 % release 20 % { \(statement) }
          """
        let source = SourceText(file: "p.stint", bytes: Array(policy.utf8))
        let errors = Checker.check([source], vocabulary: vocabulary).diagnostics.filter {
          $0.severity == .error
        }
        let isSupported = manifest.verbs.contains(verb)
        #expect(errors.isEmpty == isSupported, "\(manifest.device) \(verb): \(errors.map(\.title))")
        if isSupported { accepted += 1 } else { refused += 1 }
        if let error = errors.first {
          // The diagnostic names the device by its path, or by its name in the policy.
          #expect(error.title.contains(manifest.device.path) || error.title.contains("it"))
        }
      }
    }
    #expect(accepted >= 20 && refused >= 10)
  }

  @Test("X05: one rule can use the verbs stop, downgrade and batch on three devices")
  func together() throws {
    let vocabulary = Vocabulary(manifests: try Self.manifests())
    let policy = """
      policy "p" version 1
      use location.gnss as gps
      use motion.accelerometer as accel
      use location.wifi as near
      rule r while battery.level below 15 % release 20 % { stop near downgrade gps to 1 km batch accel until 60 s }
      """
    let source = SourceText(file: "p.stint", bytes: Array(policy.utf8))
    let checked = Checker.check([source], vocabulary: vocabulary)
    #expect(checked.diagnostics.filter { $0.severity == .error }.isEmpty)
    #expect(checked.policies.first?.rules.first?.directives.count == 3)
  }
}
