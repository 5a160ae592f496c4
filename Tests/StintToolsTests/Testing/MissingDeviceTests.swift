import StintFormats
import StintLanguage
import StintModel
import StintRuntime
import StintSimulation
import StintTestSupport
import StintTools
import Testing

/// A missing device affects only the parts of a policy that name it.
@Suite("Policies: missing devices")
struct MissingDeviceTests {
  private static let header = """
    policy "sites"
    use location.gnss as gps required
    use location.fused as fused
    zone desk = beacon "11111111-2222-3333-4444-555555555555" major 3

    """

  private static let test = """

    test "t" {
      given screen.on = false, battery.level = 10 %
      at 1 s attach "app" on gps with { accuracy 10 m }

    """

  private func passes(_ body: String, _ expectation: String) throws -> Bool {
    let text = Self.header + body + Self.test + "expect \(expectation) at 1 min }\n"
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let tests = try PolicyTests([SourceText(file: "sites.stint", text: text)], vocabulary: vocabulary)
    return try tests.run().outcomes.map(\.hasPassed) == [true]
  }

  @Test(
    "a directive applies to the targets that exist; a directive without existing targets is ignored",
    arguments: [
      "rule r while not screen.on { stop [gps, fused] }",
      "rule r while not screen.on { stop fused stop gps }",
      "rule r while not screen.on { downgrade fused to 100 m pause gps }",
    ])
  func keepsTargets(_ rule: String) throws {
    #expect(try passes(rule, "r and not gps.on"))
  }

  @Test(
    "facts of a missing device are unknown, and a condition that reads them can be true",
    arguments: [
      "battery.level < 20 % or fused.on", "battery.level < 20 % or inside(desk)",
      "fused.speed > 1 m/s or not screen.on", "location.fused.speed > 1 m/s or not screen.on",
      "not (fused.on and screen.on)", "fused.on implies not screen.on",
      "not known(fused.speed) and not screen.on",
      "not screen.on or fused.speed * 2 > 3 m/s for 5 min", "age(fused.speed) > 1 min or not screen.on",
    ])
  func holdsWithout(_ condition: String) throws {
    #expect(try passes("rule r while \(condition) { stop gps }", "r and not gps.on"))
  }

  @Test(
    "a condition that needs a missing device is never true, and neither is its negation",
    arguments: [
      "battery.level < 20 % and fused.on", "not fused.on", "inside(desk)", "not inside(desk)",
      "fused.speed * 2 > 3 m/s for 5 min", "fused.speed between 1 m/s and 2 m/s", "fused.state is tracking",
      "fused.speed below 1 m/s release 2 m/s", "clamp(fused.speed, 1 m/s, 2 m/s) <= 2 m/s",
    ])
  func neverHolds(_ condition: String) throws {
    #expect(try passes("rule r while \(condition) { stop gps }", "not r and gps.on"))
  }

  @Test(
    "a transition can act without the missing device; a rule for only this device never comes into force")
  func machines() throws {
    let machine = """
      machine m starts a {
        state a { goto b when not screen.on or fused.on }
        state b { stop [gps, fused] goto a when screen.on }
      }
      """
    #expect(try passes(machine, "m is b and not gps.on"))
    #expect(try passes("rule r while not screen.on { stop fused }", "not r and gps.on"))
  }

  @Test("a note reports the missing device, and rules that lack a device are not reported as unnecessary")
  func notes() throws {
    let body = """
      rule one while not screen.on or battery.level < 50 % { stop gps }
      rule two while not screen.on { stop [gps, fused] }
      rule three while battery.level < 20 % and fused.on { stop gps }
      """
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let source = SourceText(file: "sites.stint", text: Self.header + body)
    let codes = PolicyCheck([source], vocabulary: vocabulary).diagnostics.map { "\($0.code)" }
    #expect(codes.contains("W0201") && !codes.contains("W0306") && !codes.contains("W0302"))
  }

  private static func policy(_ test: String) -> String {
    header + """
      rule low while battery.level < 20 % { stop [gps, fused] }
      rule fast while fused.speed > 1 m/s { stop fused }
      test "works" { given battery.level = 10 %  expect low at 1 s }
      test "t" { \(test) }

      """
  }

  @Test(
    "a test that cannot pass without a missing device is skipped, and the other tests run",
    arguments: [
      ("given location.fused.speed = 2 m/s  expect low at 1 s", "location.fused"),
      ("given fused.speed = 2 m/s  expect low at 1 s", "location.fused"),
      ("at 1 s attach \"app\" on fused  expect not low at 1 s", "location.fused"),
      (
        "at 1 s attach \"app\" on location.fused with { accuracy 5 m }  expect not low at 1 s",
        "location.fused"
      ),
      ("expect fast at 1 s", "location.fused"), ("expect low at 1 s because fast", "location.fused"),
      ("expect not fused.on at 1 s", "location.fused"),
      ("expect location.fused.speed > 1 m/s at 1 s", "location.fused"),
      (
        "expect inside(desk) at 1 s",
        "a receiver of the beacon “beacon.11111111-2222-3333-4444-555555555555.3”"
      ),
      ("given environment.barometer.pressure = 1 Pa  expect low at 1 s", "environment.barometer"),
      ("at 1 s attach \"app\" on environment.barometer  expect low at 1 s", "environment.barometer"),
    ])
  func skips(_ test: String, _ missing: String) throws {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let source = SourceText(file: "sites.stint", text: Self.policy(test))
    let report = try PolicyTests([source], vocabulary: vocabulary).run(coverage: true, mutate: true)
    #expect(report.outcomes.map(\.test.title) == ["works"] && report.failures == 0)
    #expect(report.files.first?.skipped.map(\.missingDevices) == [[missing]])
    #expect(report.text().contains("  skip  t\n        missing: \(missing)\n"))
    #expect(report.text().hasSuffix("1 passed, 1 skipped"))
    #expect(report.files.first?.mutants?.isEmpty == false)
    #expect(report.junitText.contains("<skipped message=\"missing: \(missing)\"/>"))
    #expect(report.junitText.contains("<testsuites tests=\"2\" failures=\"0\" skipped=\"1\">"))
    let skipped = report.json["files"]?.items?.first?["skipped"]?.items?.first
    #expect(report.json["skipped"]?.number == 1 && skipped?["missing"]?.items?.first?.string == missing)
  }

  @Test(
    "a misspelt name in a test is an error, also with a missing device",
    arguments: [
      "given location.gns.accuracy = 1 m", "given location.gnss.acuracy = 1 m", "given batery.level = 1 %",
      "given location.gnss.lidar = 1 m", "at 1 s attach \"app\" on location.gns",
      "at 1 s attach \"app\" on phone",
    ])
  func misspelt(_ step: String) throws {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let source = SourceText(file: "sites.stint", text: Self.policy(step + "  expect not low at 1 s"))
    #expect(PolicyCheck([source], vocabulary: vocabulary).hasErrors)
  }

  @Test("each policy loads without each device that it does not require; a required one gives one error")
  func shipped() throws {
    let manifests = try ReferencePhone.manifests()
    for path in try Folder.policies(at: Repository.path("policies")) {
      let source = SourceText(file: path, bytes: try FileText.read(path))
      for missing in manifests {
        let vocabulary = Vocabulary(manifests: manifests.filter { $0.device != missing.device })
        let check = PolicyCheck([source], vocabulary: vocabulary)
        let errors = check.diagnostics.filter { $0.severity == .error }
        let requires = errors.contains { $0.title.contains("and the policy requires it") }
        #expect(
          errors.isEmpty || requires && errors.count == 1,
          "\(path) without \(missing.device): \(check.text())")
      }
    }
  }
}
