import StintLanguage
import StintUnits
import Testing

/// Compares the complete messages of syntax errors, as authors see them, with the expected texts.
@Suite("Messages of syntax errors")
struct MistakeTests {
  private func rendered(_ text: String) -> String { rendered(Array(text.utf8)) }

  private func rendered(_ bytes: [UInt8]) -> String {
    let source = SourceText(file: "p.stint", bytes: bytes)
    return DiagnosticRenderer.text(Parser.parse(source, units: .standard).diagnostics, sources: [source])
  }

  @Test("typographic quotes and dashes are reported with their replacements")
  func lookAlikes() {
    #expect(
      rendered("policy “p”\nlet a = b – 5 m\n") == """
        p.stint:1:8: error[P0001]: ““” (U+201C) is a typographic quote; policies use "
         1 | policy “p”
           |        ^

        p.stint:1:10: error[P0001]: “”” (U+201D) is a typographic quote; policies use "
         1 | policy “p”
           |          ^

        p.stint:2:11: error[P0001]: “–” (U+2013) is a dash; policies use the hyphen -
         2 | let a = b – 5 m
           |           ^

        """)
  }

  @Test("a string without its closing quote ends with its line")
  func openText() {
    #expect(
      rendered("policy \"p\"\nrule r \"why\nalways { pause gps }\nlet a =\n") == """
        p.stint:2:8: error[P0002]: this string has no closing quote
         2 | rule r "why
           |        ^^^^
          hint: close it with " on the same line

        p.stint:5:1: error[P0102]: expected a fact, a number or a condition, found the end of the file
         5 |\u{20}
           | ^

        """)
  }

  @Test("invalid UTF-8 is reported once, at its first byte")
  func encoding() {
    #expect(
      rendered(Array("policy \"p\"\n# caf".utf8) + [0xE9, 0x0A, 0xFF]) == """
        p.stint:2:6: error[P0003]: this is not a text file: it is not UTF-8 from here on
         2 | # caf\u{FFFD}
           |      ^
          hint: save it as UTF-8

        """)
  }

  @Test("an unclosed block is reported at its opening brace, and the next items are parsed")
  func openBlock() {
    #expect(
      rendered("policy \"p\"\nrule r always {\n  pause gps\n\nrule s allways { pause gps }\n") == """
        p.stint:2:15: error[P0105]: this block is never closed
         2 | rule r always {
           |               ^
          hint: close it with }

        p.stint:5:8: error[P0102]: expected always, while, when or every, found “allways”
         5 | rule s allways { pause gps }
           |        ^^^^^^^
          hint: did you mean “always”?

        """)
  }

  @Test("a string or a negative time span after “for” is reported")
  func noSpan() {
    #expect(
      rendered(
        "policy \"p\"\nrule r while a for \"hold\" { pause gps }\nrule s while a for -5 min { pause gps }\n")
          == """
          p.stint:2:20: error[P0102]: expected a span of time, found a string
           2 | rule r while a for "hold" { pause gps }
             |                    ^^^^^^
            hint: as in: for 4 min

          p.stint:3:20: error[P0102]: expected a span of time, found “-”
           3 | rule s while a for -5 min { pause gps }
             |                    ^
            hint: as in: for 4 min

          """)
  }

  @Test("`km/h_max` is parsed as the unit km divided by the name h_max, not as the unit km/h")
  func longerWord() {
    func read(_ limit: String) -> String { tree("policy \"p\"\nlet a = v > 5 " + limit + "\n") }
    #expect(read("km/h_max") == read("km / h_max"))
    #expect(read("km/h") != read("km / h"))
  }

  @Test(
    "a misspelled item word is reported, even after an earlier mistake",
    arguments: [
      "", "let a\n", "lett a = b\n", "rule r while {\n}\n", "budget b = 5 J per day on gps {\n}\n",
      "require a\n", "policy\n",
    ])
  func misspelled(before: String) {
    let source = SourceText(file: "p", text: "policy \"p\"\n" + before + "usee location.gnss as gps\n")
    let hints = Parser.parse(source, units: .standard).diagnostics.compactMap(\.hint).filter {
      $0 == "did you mean “use”?"
    }
    #expect(hints.count == 1)
  }

  @Test("a rate per 0 s is rejected")
  func ratePerNothing() {
    #expect(
      rendered("policy \"p\"\nrule r when a at most 1 per 0 s { flush gps }\n") == """
        p.stint:2:23: error[P0306]: a rate needs a span of time above zero
         2 | rule r when a at most 1 per 0 s { flush gps }
           |                       ^^^^^^^^^

        """)
  }

  @Test("a budget without a unit is reported at its amount and not at its period")
  func bareBudget() {
    #expect(
      rendered("policy \"p\"\nbudget b = 1500 per day on gps { at 80 % { pause gps } }\n") == """
        p.stint:2:12: error[P0303]: this number has no unit
         2 | budget b = 1500 per day on gps { at 80 % { pause gps } }
           |            ^^^^ expected an energy, as in 1500 J
          hint: write the unit after it, as in “1500 J” or “1500 mWh”

        """)
  }

  @Test("a verb on the next line is not parsed as the device of the previous verb")
  func missingDevice() {
    #expect(
      rendered("policy \"p\"\nrule r always {\n  pause\n  stop gps\n}\n") == """
        p.stint:4:3: error[P0102]: expected a device, found “stop”
         4 |   stop gps
           |   ^^^^
          hint: “stop” begins the next directive; the verb before it has no device yet

        """)
  }

  @Test("a missing unit, a misspelled word and a missing value are reported in one run")
  func several() {
    #expect(
      rendered(
        "policy \"p\"\nzone home = circle 1 2 radius 5\nusee location.gnss as gps\nparam x = 5 m in 1 m .. \n"
      )
        == """
        p.stint:2:31: error[P0303]: this number has no unit
         2 | zone home = circle 1 2 radius 5
           |                               ^ expected the radius
          hint: write the unit after it, as in “5 s” or “5 m”

        p.stint:3:1: error[P0102]: expected an item, as in use, let or rule, found “usee”
         3 | usee location.gnss as gps
           | ^^^^
          hint: did you mean “use”?

        p.stint:5:1: error[P0102]: expected the highest value, found the end of the file
         5 |\u{20}
           | ^

        """)
  }
}
