import StintLanguage
import StintModel
import StintSimulation
import StintTools
import Testing

@Suite("Names of devices with a pattern")
struct DevicePatternTests {
  /// Returns the manifests of the phone's devices with these names.
  private static func manifests(_ names: DeviceID...) throws -> [Manifest] {
    try ReferencePhone.manifests().filter { names.contains($0.device) }
  }

  private static func check(_ use: String, _ manifests: [Manifest]) -> PolicyCheck {
    let text = "policy \"p\" version 1\nuse \(use)\nrule r while battery.level < 10 % { stop it }\n"
    return PolicyCheck(
      [SourceText(file: "p.stint", text: text)], vocabulary: Vocabulary(manifests: manifests))
  }

  /// Returns the device that the rule stops; nil when the rule stops none.
  private static func target(_ use: String, _ manifests: [Manifest]) throws -> DeviceID? {
    let check = check(use, manifests)
    #expect(!check.hasErrors, "\(check.diagnostics)")
    return try #require(check.policies.first).rules[0].directives.first?.directive.targets.first
  }

  @Test("a pattern names the device with the most accurate positions that is present")
  func mostAccurate() throws {
    let battery = try Self.manifests("host.battery")
    let all = try Self.manifests("location.gnss", "location.wifi", "location.cell")
    #expect(try Self.target("location.* as it", all + battery) == "location.gnss")
    let coarse = try Self.manifests("location.wifi", "location.cell")
    #expect(try Self.target("location.* as it", coarse + battery) == "location.wifi")
  }

  @Test("a policy with a pattern has the same image as a policy with the device's name")
  func sameImage() throws {
    let phone = try ReferencePhone.manifests()
    #expect(Self.check("location.* as it", phone).cost == Self.check("location.gnss as it", phone).cost)
    #expect(Self.check("location.* as it", phone).bounds == Self.check("location.gnss as it", phone).bounds)
  }

  @Test("`where` selects among the devices that a pattern matches")
  func vendors() throws {
    var gnss = try #require(ReferencePhone.manifest("location.gnss"))
    gnss.vendor = "other"
    let all = try [gnss] + Self.manifests("location.wifi", "host.battery")
    #expect(try Self.target("location.* where vendor != \"other\" as it", all) == "location.wifi")
    #expect(try Self.target("location.* where vendor == \"other\" as it", all) == "location.gnss")
  }

  @Test("a pattern that matches no device is a note, or an error when the policy requires the device")
  func missing() throws {
    let battery = try Self.manifests("host.battery")
    #expect(try Self.target("location.* as it", battery) == nil)
    let optional = try #require(Self.check("location.* as it", battery).diagnostics.first)
    #expect(optional.title.hasPrefix("no device matches “location.*”"), "\(optional)")
    let required = Self.check("location.* as it required", battery)
    #expect(required.hasErrors)
    #expect(required.missing.first?.first?.title == "a receiver for satellite positions")
  }

  @Test("a pattern that matches devices of different kinds is an error that lists them")
  func ambiguous() throws {
    let found = try Self.check("radio.* as it", ReferencePhone.manifests()).diagnostics
    let first = try #require(found.first)
    #expect(found.filter { $0.severity == .error }.count == 1, "\(found)")
    #expect(first.code == .unknownDevice, "\(first)")
    #expect(first.title.contains("radio.cellular, radio.wifi"), "\(first)")
  }
}
