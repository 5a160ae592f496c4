import StintLanguage
import StintModel
import StintRuntime
import StintSimulation
import StintTestSupport
import StintTools
import Testing

/// The tests in the shipped policies, which must pass. The step `smoke` of `.ci/run` measures their mutation
/// score.
@Suite("Tests of the policies that ship", .enabled(if: Tier.current >= .gate))
struct ShippedPolicyTests {
  static let names = [
    "camera-trap", "cold-chain", "collar", "courier", "drone-station", "ebike", "fleet", "hiking",
    "home-presence",
    "ladder", "mail", "motion-change", "motion-stream", "sync", "track-100", "track-50", "warehouse",
    "wearable",
  ]

  @Test("F15: every policy has tests, and they pass", arguments: names)
  func pass(name: String) throws {
    let path = Repository.path("policies/\(name).stint")
    let source = SourceText(file: path, bytes: try FileText.read(path))
    let report = try PolicyTests([source], vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()))
      .run()
    #expect(report.outcomes.count >= 3)
    #expect(report.failures == 0, "\(report.text())")
  }

  @Test("the list in this test contains every shipped policy")
  func all() throws {
    let found = try Folder.policies(at: Repository.path("policies"))
    #expect(
      found.map { $0.split(separator: "/").last.map(String.init) ?? "" } == Self.names.map { $0 + ".stint" })
  }
}
