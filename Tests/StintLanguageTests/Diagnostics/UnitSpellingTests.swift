import StintLanguage
import StintModel
import StintUnits
import Testing

@Suite struct UnitSpellingTests {
  private func fix(_ word: String) -> (code: String, replacement: String?)? {
    let source = SourceText(
      file: "a.stint", text: "policy \"a\"\nrule r while battery.level < 2 \(word) { emit \"x\" }\n")
    let first = Parser.parse(source, units: .standard).diagnostics.first
    return first.map { ("\($0.code)", $0.fix?.replacement) }
  }

  @Test(
    "a unit is proposed for its full name, even if misspelled, and for its symbol with wrong capitals",
    arguments: [
      ("minutes", "min"), ("Minuts", "min"), ("secnds", "s"), ("percent", "%"), ("feet", "ft"),
      ("knots", "kn"),
      ("MIN", "min"), ("HZ", "Hz"), ("KM", "km"), ("kiB", "KiB"), ("joules", "J"), ("degrees", "deg"),
    ])
  func offered(_ word: String, _ symbol: String) {
    let found = fix(word)
    #expect(found?.code == "P0005")
    #expect(found?.replacement == symbol, "\(word)")
  }

  @Test(
    "for a word without a similar unit, or with several possible units or prefixes, no unit is proposed",
    arguments: ["Mw", "MA", "mj", "MWh", "kb", "mb", "GJ", "kHZz", "mmi", "F", "x", "yards", "kcal", "uF"])
  func notOffered(_ word: String) {
    #expect(fix(word)?.code == "P0005")
    #expect(fix(word)?.replacement == nil, "\(word)")
  }

  @Test("no name is proposed when two names are equally similar")
  func ties() {
    #expect(Suggestion.nearest(to: "gpx", in: ["gps", "gpu"]) == nil)
    #expect(Suggestion.nearest(to: "gps1", in: ["gps", "gp"]) == "gps")
    #expect(Suggestion.nearest(to: "wifi", in: ["wife", "wily", "walk"]) == "wife")
  }

  @Test("a file with syntax errors gets errors and no warnings")
  func noAdvice() {
    let source = SourceText(
      file: "a.stint",
      text: "policy \"a\"\nlet unused = screen.on\nrule r while zzz and { emit \"x\" }\nrequre screen.on\n")
    let found = Checker.check([source], vocabulary: Vocabulary(manifests: [])).diagnostics
    #expect(!found.isEmpty && found.allSatisfy { $0.severity == .error })
  }
}
