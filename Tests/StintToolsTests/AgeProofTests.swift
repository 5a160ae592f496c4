import StintAuthoring
import StintFormats
import StintLanguage
import StintModel
import StintRuntime
import StintSimulation
import StintTools
import StintUnits
import Testing

/// Tests the analyses of conditions on the age of a fact. The limits in the conditions are far above the
/// maximum age of the fact, 10 s.
@Suite("Analyses of ages beyond the maximum age of a fact") struct AgeProofTests {
  private static let head = "policy \"p\" version 1\nuse location.gnss as gps required\n"

  @Test(
    "a requirement is not proved if a new value of a fact can violate it",
    arguments: [
      "known(gps.speed) implies age(gps.speed) > 30 s",
      "age(gps.speed) < 1 min implies gps.speed > 100 m/s",
      "not (age(gps.speed) < 1 min and gps.speed > 3 m/s)",
    ])
  func unproved(requirement: String) throws {
    let text =
      Self.head + """
        rule r always { downgrade gps to 20 m }
        require \(requirement)
        test "a fresh fact" {
          given battery.level = 80 %, location.gnss.speed = 5 m/s
          at 0 s attach "app" on gps with { accuracy 10 m }
          expect known(gps.speed) and age(gps.speed) < 2 s at 2 min
        }
        """
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let source = SourceText(file: "p.stint", text: text)
    let check = PolicyCheck([source], vocabulary: vocabulary).text()
    #expect(check.contains("watched") && !check.contains("proved"), "\(check)")
    let report = try PolicyTests([source], vocabulary: vocabulary).run()
    // The expectation holds, and the requirement is broken.
    #expect(report.failures == 1 && report.text().contains("violated at"), "\(report.text())")
  }

  @Test("a rule that requires a new value can be active, and `diff` finds the difference of two such rules")
  func active() throws {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    func loaded(_ sign: String) -> PolicyLoader.Loaded {
      let rule =
        "rule r while gps.speed \(sign) 2 m/s and age(gps.speed) < 1 min { stop motion.accelerometer }"
      return PolicyLoader(vocabulary: vocabulary).load([SourceText(file: "p.stint", text: Self.head + rule)])
    }
    let (below, above) = (loaded("<"), loaded(">"))
    for policies in [below, above] {
      #expect(!policies.diagnostics.contains { $0.code == .unreachable }, "\(policies.diagnostics)")
    }
    let difference = PolicyDifference(from: below.policies, to: above.policies, vocabulary: vocabulary)
    #expect(difference.regions.count == 2)
  }
}
