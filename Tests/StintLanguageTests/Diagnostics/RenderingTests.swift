import StintLanguage
import StintTestSupport
import Testing

@Suite("Rendered diagnostics")
struct RenderingTests {
  private func rendered(_ text: String, colour: Bool = false) -> String {
    let source = SourceText(file: "p.stint", text: text)
    let found = Checker.check([source], vocabulary: TestVocabulary.vocabulary).diagnostics
    return DiagnosticRenderer.text(found, sources: [source], colour: colour)
  }

  @Test("a diagnostic is shown with position, title, line, carets and hint")
  func oneProblem() {
    #expect(
      rendered("policy \"p\"\nrule r while screen.on for 5 m { pause location.gnss }\n")
        == """
        p.stint:2:28: error[P0302]: “for” takes a time, and “5 m” is a length
         2 | rule r while screen.on for 5 m { pause location.gnss }
           |                            ^^^ a length, not a time
          hint: did you mean “5 min”? “m” is always metres

        """)
  }

  @Test("below a line with two labels, carets show the main label, and hyphens show the second label")
  func twoPlaces() {
    #expect(
      rendered("policy \"p\"\nrule r while battery.level below 20 % release 15 % { pause location.gnss }\n")
        == """
        p.stint:2:47: error[P0402]: this release is on the wrong side of its threshold
         2 | rule r while battery.level below 20 % release 15 % { pause location.gnss }
           |                                  ----         ^^^^ the release
           |                                  |
           |                                  the threshold
          hint: “below” needs a release above its threshold; did you mean “below 15 % release 20 %”?

        """)
  }

  @Test("a verb that the manifest lacks is shown with labels at the verb and at the device")
  func capability() {
    #expect(
      rendered("policy \"p\"\nuse radio.cellular as cell\nrule r always { pause cell }\n") == """
        p.stint:3:17: error[P0501]: radio.cellular cannot “pause”
         3 | rule r always { pause cell }
           |                 ^^^^^ ---- cellular radio
          hint: the verbs of its manifest are stop, batch, defer, flush

        """)
  }

  @Test("all problems of a file are reported in one run, in source order")
  func several() {
    let codes = Checker.check(
      [
        SourceText(
          file: "p",
          text: """
            policy "p"
            let a = batery.level > 5 %
            rule r when screen.on { stop location.gnss }
            rule s while screen.on for 5 m { downgrade location.gnss to }
            machine m starts b { state a { } }
            rule t always { pause radio.cellular }
            """)
      ], vocabulary: TestVocabulary.vocabulary
    ).diagnostics.filter { $0.severity == .error }.map(\.code.name)
    #expect(codes == ["P0201", "P0401", "P0302", "P0102", "P0208", "P0501"])
  }

  @Test("an empty file is reported as empty")
  func empty() {
    #expect(
      rendered("") == """
        p.stint:1:1: error[P0101]: the file contains no policy
         1 |\u{20}
           | ^
          hint: begin it with: policy "my-policy" version 1

        """)
  }

  @Test("the first hundred diagnostics and the number of the remaining diagnostics are shown")
  func limit() {
    let text = "policy \"p\"\n" + String(repeating: "§ ;\n", count: 75)
    let parts = rendered(text).split(separator: "\n\n", omittingEmptySubsequences: true)
    #expect(rendered(text).hasSuffix("and 50 more\n"))
    #expect(parts.count == 101)
  }

  @Test("colours add escape sequences and change nothing else")
  func colours() {
    let text = "policy \"p\"\nlet a = batery.level > 5 %\n"
    let bare = rendered(text, colour: true).replacing(/\u{1B}\[[0-9;]*m/, with: "")
    #expect(rendered(text, colour: true) != rendered(text))
    #expect(bare == rendered(text))
  }

  @Test("a very long line is shown in part, with its carets below the right words")
  func longLine() {
    let text =
      "policy \"p\" rule r while " + String(repeating: "screen.on and ", count: 3000)
      + "batery.level > 5 % { pause location.gnss }"
    let lines = rendered(text).split(separator: "\n")
    #expect(lines.allSatisfy { $0.count < 300 })
    let column = lines[1].firstRange(of: "batery.level").map {
      lines[1].distance(from: lines[1].startIndex, to: $0.lowerBound)
    }
    let caret = lines[2].firstIndex(of: "^").map { lines[2].distance(from: lines[2].startIndex, to: $0) }
    #expect(column == caret && column != nil)
  }

  @Test("carets are below the right words after tabs, multi-byte letters and CR LF")
  func columns() {
    let lines = rendered(
      "policy \"p\"\r\nrule r \"für é\" while\tbatery.level > 5 % { pause location.gnss }\r\n"
    ).split(
      separator: "\n")
    #expect(lines[0].hasPrefix("p.stint:2:22: error[P0201]"))
    #expect(lines[1] == " 2 | rule r \"für é\" while batery.level > 5 % { pause location.gnss }")
    #expect(lines[2] == "   |                      ^^^^^^^^^^^^")
  }
}
