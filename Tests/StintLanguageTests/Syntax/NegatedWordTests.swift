import StintLanguage
import StintTestSupport
import StintUnits
import Testing

@Suite("The comparison `is not`")
struct NegatedWordTests {
  /// Every part of a policy that may contain a condition, with `#` in place of the comparison.
  private static let places = [
    "let e = #", "let e = (#) and screen.on", "rule r while # { pause gps }",
    "rule r while not # { pause gps }",
    "rule r when # for 5 s at most 1 per 1 min { emit \"x\" }", "rule r every 5 min if # { flush gps }",
    "rule r while # in last 5 min { pause gps }", "rule r while # for 1 min tolerate 5 s { pause gps }",
    "rule r while # implies screen.on { pause gps }", "rule r while screen.on or # { pause gps }",
    "rule r while screen.on { defer net until # deadline 1 h }",
    "machine m starts a { state a { goto b when # } state b { rule q while # { pause gps } goto a when # } }",
    "require #", "require screen.on implies #", "test \"t\" { expect # at 1 s }",
    "test \"t\" { expect # by 1 s because r }", "test \"t\" { expect not # }",
  ]

  private static func parse(_ text: String) -> (policy: PolicyFile, titles: [String]) {
    let parsed = Parser.parse(SourceText(file: "p", text: "policy \"p\"\n" + text), units: .standard)
    return (parsed.file, parsed.diagnostics.map(\.title))
  }

  @Test(
    "`is not` is accepted wherever `is` is, and means the negation of `is`", arguments: places,
    ["motion.activity", "grant(\"app\", gps)"])
  func negated(_ place: String, _ fact: String) {
    func text(_ comparison: String) -> String {
      place.split(separator: "#", omittingEmptySubsequences: false).joined(separator: comparison)
    }
    let plain = Self.parse(text("\(fact) is still"))
    let negated = Self.parse(text("\(fact) is not still"))
    let written = Self.parse(text("not \(fact) is still"))
    #expect(plain.titles == [] && negated.titles == [])
    #expect(negated.policy.tree == written.policy.tree)
  }

  @Test("a list is negated by `not` before the fact")
  func list() {
    #expect(Self.parse("let e = not motion.activity in [still, walking]").titles == [])
  }
}
