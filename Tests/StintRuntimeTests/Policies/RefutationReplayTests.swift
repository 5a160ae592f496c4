import StintLanguage
import StintModel
import StintSimulation
import Testing

@testable import StintRuntime

@Suite("Counterexamples of requirements are replayed on a governor")
struct RefutationReplayTests {
  private static func loaded(_ body: String) throws -> PolicyLoader.Loaded {
    let text = "policy \"p\"\nuse location.gnss as gps required\n\(body)\n"
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    return PolicyLoader(vocabulary: vocabulary).load([SourceText(file: "p.stint", text: text)])
  }

  @Test("a requirement that holds because a rule reads the device is not refuted")
  func kept() throws {
    let loaded = try Self.loaded(
      """
      rule r when gps.speed > 30 m/s { emit "fast" }
      require battery.level > 93 % implies gps.on
      """)
    #expect(!loaded.hasErrors, "\(loaded.diagnostics.map(\.title))")
  }

  @Test("a requirement is refuted if its counterexample has facts with which no rule reads the device")
  func guarded() throws {
    let loaded = try Self.loaded(
      """
      rule r when battery.level < 20 % and gps.speed > 30 m/s { emit "fast" }
      require screen.on implies gps.on
      """)
    let found = try #require(loaded.diagnostics.first { $0.code == .brokenRequirement })
    #expect(found.labels.first?.text.contains("battery.level = 20 %") == true)
  }

  @Test(
    "a counterexample counts only if it violates the requirement after the devices have applied their settings"
  )
  func replayed() throws {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let text = """
      policy "p"
      use location.gnss as gps required
      rule r while battery.level > 50 % { start gps for "map" with { accuracy 5 m } }
      require battery.level > 20 % implies gps.on
      """
    let checked = Checker.check([SourceText(file: "p.stint", text: text)], vocabulary: vocabulary)
    let requirement = try #require(checked.policies.first?.requirements.first)
    func isViolated(at level: Double) -> Bool {
      let witness = Witness(readings: [.init(path: "battery.level", value: .number(level))])
      return RefutationReplay.isViolated(requirement, of: checked.policies, by: witness, vocabulary)
    }
    #expect(isViolated(at: 0.4))
    #expect(!isViolated(at: 0.6))
    #expect(!isViolated(at: 0.1))
  }
}
