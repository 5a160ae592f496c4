import StintLanguage
import StintModel
import StintSimulation
import StintTools
import Testing

@Suite("Rules about zones")
struct ZoneRuleTests {
  @Test("a rule can be ineffective because of a rule on the same zone, but not of a rule on another zone")
  func shadowed() throws {
    let text = """
      policy "z" version 1
      use location.gnss as gps required
      zone a = circle 47.05 8.31 radius 150 m
      zone b = circle 47.15 8.31 radius 150 m
      zone c = circle 47.25 8.31 radius 150 m
      rule r1 while inside(a) { downgrade gps to 100 m }
      rule r2 while inside(a) or inside(b) { downgrade gps to 100 m }
      rule r3 while inside(c) { downgrade gps to 50 m }
      rule r4 while not inside(c) { downgrade gps to 500 m }
      rule r5 while inside(b) and inside(c) { downgrade gps to 80 m }
      """
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let check = PolicyCheck([SourceText(file: "z.stint", text: text + "\n")], vocabulary: vocabulary)
    let found = check.diagnostics.filter { $0.code == .shadowed }.map(\.title)
    #expect(
      found == [
        "“r1” has no effect: whenever it is active, “r2” saves at least as much",
        "“r5” has no effect: whenever it is active, “r2” saves at least as much",
      ])
  }
}
