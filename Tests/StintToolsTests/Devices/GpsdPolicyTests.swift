import StintFormats
import StintLanguage
import StintModel
import StintRuntime
import StintTestSupport
import Testing

@testable import StintTools

/// The shipped policies on a machine whose only device is a receiver behind gpsd. Facts of apps are known.
@Suite("Shipped policies with gpsd alone") struct GpsdPolicyTests {
  /// The policies that are not loaded, or that limit only devices other than the receiver. For each policy:
  /// the missing devices.
  private static let others: [String: [String]] = [
    "mail": ["radio.cellular"], "motion-change": ["motion.accelerometer"],
    "motion-stream": ["motion.accelerometer"],
    "sync": ["radio.cellular", "radio.wifi"],
  ]

  private static func vocabulary() throws -> Vocabulary {
    Vocabulary(manifests: [try ManifestReader.manifest(path: Repository.path("Plugins/Gpsd/manifest.json"))])
  }

  private static func source(_ name: String) throws -> SourceText {
    let path = Repository.path("policies/\(name).stint")
    return SourceText(file: path, text: String(decoding: try FileText.read(path), as: UTF8.self))
  }

  static let names: [String] = {
    do {
      return try Folder.files(in: Repository.path("policies"), suffix: ".stint").map { path in
        String(path.split(separator: "/").last?.dropLast(".stint".count) ?? "")
      }
    } catch { return [] }
  }()

  @Test("at least 12 of the 18 policies are loaded and act on the receiver")
  func count() {
    #expect(Self.names.count == 18 && Self.names.count - Self.others.count >= 12)
    #expect(Set(Self.others.keys).isSubset(of: Self.names))
  }

  @Test(
    "a policy limits or starts the receiver in its own tests, or its missing devices are listed",
    arguments: names)
  func policy(name: String) throws {
    let vocabulary = try Self.vocabulary()
    let source = try Self.source(name)
    let check = PolicyCheck([source], vocabulary: vocabulary)
    let missing = try #require(check.missing.first)
    for device in missing {
      #expect(!device.providers.isEmpty && device.title != "a device of this name", "\(device.device)")
      #expect(check.text().contains("  missing  \(device.text)"), "\(check.text())")
    }
    if let devices = Self.others[name] {
      #expect(missing.map(\.device.path) == devices)
      return
    }
    #expect(!check.hasErrors && missing.allSatisfy { !$0.isRequired }, "\(check.text())")
    let report = try PolicyTests([source], vocabulary: vocabulary).run()
    let file = try #require(report.files.first)
    let inForce = file.outcomes.reduce(into: Set<RuleID>()) { $0.formUnion($1.rulesInForce) }
    let acting = check.policies[0].rules.filter { rule in
      inForce.contains(rule.id) && rule.directives.contains { $0.directive.targets.contains("location.gnss") }
    }
    // A test that also expects the work of a missing device is skipped.
    let paths = Set(missing.map(\.device.path))
    let isSkipped = file.skipped.contains { paths.isSuperset(of: $0.missingDevices) }
    #expect(!acting.isEmpty || isSkipped, "no rule acted on the receiver")
  }

  @Test("a missing device is listed with its class and with the plugins that would provide it")
  func providers() throws {
    let check = PolicyCheck([try Self.source("motion-change")], vocabulary: try Self.vocabulary())
    #expect(
      check.missing.first?.first?.text
        == "motion.accelerometer: an accelerometer, without which the policy is not loaded; provided by "
        + "the plugin iio, or by stint plugin new NAME --kind chip")
    let unknown = SourceText(
      file: "a.stint", text: "policy \"a\" version 1\nuse smell.sensor as nose\n")
    let listed = PolicyCheck([unknown], vocabulary: try Self.vocabulary()).missing.first?.first
    #expect(
      listed?.text == "smell.sensor: a device of this name; provided by stint plugin new NAME")
  }
}
