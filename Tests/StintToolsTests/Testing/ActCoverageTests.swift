import StintLanguage
import StintModel
import StintSimulation
import StintTools
import Testing

@Suite("Coverage of rules that act")
struct ActCoverageTests {
  private static let policy = """
    policy "door" version 1
    use location.gnss as gps
    machine m starts a {
      state a { goto b when screen.on }
      state b { stop gps  goto a when not screen.on  goto c when battery.level < 5 % }
      state c { goto a when battery.level > 50 % }
    }
    rule lit when screen.on { emit "lit" }
    rule dark when not screen.on and battery.level < 5 % { emit "dark" }
    rule often every 10 min { emit "often" }
    rule rare every 10 h { emit "rare" }

    """

  private func neverSeen(_ tests: String) throws -> [String] {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let source = SourceText(file: "door.stint", text: Self.policy + tests)
    let report = try PolicyTests([source], vocabulary: vocabulary).run(coverage: true, mutate: false)
    let coverage = try #require(report.files.first?.coverage)
    #expect(coverage.rules == 9)
    return coverage.rulesNeverInForce.map(\.rule)
  }

  @Test("a `goto`, a `when` and an `every` count as covered exactly when they act in a test")
  func acts() throws {
    let lit = """
      test "lit" { given screen.on = false, battery.level = 80 %
        at 1 min set screen.on = true
        at 12 min set screen.on = false
        expect m is a at 13 min }

      """
    #expect(try neverSeen(lit) == ["m-b-c", "m-c-a", "dark", "rare"])
    let low = """
      test "low" { given screen.on = true, battery.level = 4 %
        at 5 min set battery.level = 60 %
        expect m is a or m is b at 6 min }

      """
    #expect(try neverSeen(low) == ["m-b-a", "dark", "often", "rare"])
    #expect(try neverSeen(lit + low) == ["dark", "rare"])
  }
}
