import StintLanguage
import StintTestSupport
import StintUnits
import Testing

/// Unusual characters that editors, mail programs and converters put into policies.
@Suite("Unusual characters")
struct OddTextTests {
  /// A policy whose unusual character is between ⟦ and ⟧, and a part of the expected message. `fix` is the
  /// replacement of the automatic fix; nil when there is no fix.
  struct Oddity: Sendable, CustomTestStringConvertible {
    let marked: String
    let title: String
    let fix: String?
    var testDescription: String { title }

    init(_ marked: String, _ title: String, fix: String? = nil) {
      self.marked = marked
      self.title = title
      self.fix = fix
    }
  }

  private static let oddities = [
    Oddity("let a = b⟦а⟧ttery.level > 5 %", "is a Cyrillic letter that looks like the Latin “a”", fix: "a"),
    Oddity("let a = batter⟦υ⟧.level > 5 %", "is a Greek letter that looks like the Latin “u”", fix: "u"),
    Oddity("let a = batter⟦µ⟧.level > 5 %", "is the micro sign, which looks like the Latin “u”", fix: "u"),
    Oddity("let a = screen.⟦օ⟧n", "is an Armenian letter that looks like the Latin “o”", fix: "o"),
    Oddity("rule ⟦рас⟧k always { }", "are Cyrillic letters that look like the Latin “pac”", fix: "pac"),
    Oddity("let ⟦ａ⟧ = screen.on", "is a wide letter that looks like the Latin “a”", fix: "a"),
    Oddity("let a = battery.level > 5 ⟦％⟧", "only looks like a narrow one", fix: "%"),
    Oddity("rule ⟦ש⟧ always { }", "is a Hebrew letter, written from right to left"),
    Oddity("let ⟦ا⟧ = screen.on", "is an Arabic letter, written from right to left"),
    Oddity("let caf⟦é⟧ = screen.on", "is a Latin letter outside ASCII, and is not allowed in a name"),
    Oddity("let a = ⟦\u{202E}⟧screen.on", "U+202E changes the direction of writing", fix: ""),
    Oddity("let a = screen.on # ⟦\u{202E}⟧no.neercs", "in this comment changes the direction", fix: ""),
    Oddity("rule r \"⟦\u{2066}⟧why\" always { }", "in this string changes the direction", fix: ""),
    Oddity("let a = screen.on⟦\u{200F}⟧", "U+200F changes the direction of writing", fix: ""),
    Oddity("let a =⟦\u{A0}⟧screen.on", "the character U+A0, which only looks like a space", fix: " "),
    Oddity("let a = scr⟦\u{200B}⟧een.on", "the invisible character U+200B", fix: ""),
    Oddity("let a = screen.on ⟦\u{FEFF}⟧", "a byte-order mark (U+FEFF), which belongs at the", fix: ""),
    Oddity("let a = battery.level > 5 % ⟦−⟧ 3 %", "(U+2212) is a dash; policies use the hyphen", fix: "-"),
    Oddity("rule r ⟦“⟧why” always { }", "(U+201C) is a typographic quote", fix: "\""),
    Oddity("let a = battery.level ⟦≥⟧ 5 %", "“≥” is not an operator of this language; write >=", fix: ">="),
    Oddity("let a = screen.on ⟦\u{C}⟧", "the control character U+C"),
    Oddity("let a = screen.on # one⟦\r⟧let b = screen.on", "a carriage return alone (U+D)", fix: "\n"),
  ]

  @Test("each unusual character is reported by its name at its position", arguments: oddities)
  func named(_ oddity: Oddity) throws {
    let marked = MarkedSource("policy \"p\"\n" + oddity.marked + "\n")
    let found = Parser.parse(marked.source(), units: .standard).diagnostics
    let titles = found.map(\.title)
    let matching = try #require(found.first { $0.title.contains(oddity.title) }, "\(titles)")
    #expect(matching.code == .strangeCharacter && matching.severity == .error)
    #expect(matching.labels.first?.span == marked.spans[0])
    #expect(matching.fix?.replacement == oddity.fix)
    #expect(found.count { $0.code != .strangeCharacter } == 0, "\(titles)")
  }

  @Test(
    "a file with a control character is not a text file: one problem at the first such character",
    arguments: [
      "let a = ⟦\0⟧ 5 m # \u{1B}", "let a = screen.on ⟦\u{1B}⟧ \0 x", "# a comment⟦\u{7F}⟧\nlet ! b",
      "rule r \"a⟦\u{B}⟧b\" always { }",
    ])
  func control(_ text: String) throws {
    let marked = MarkedSource("policy \"p\"\n" + text + "\n")
    let found = Parser.parse(marked.source(), units: .standard).diagnostics
    #expect(found.count == 1 && found.first?.code == .invalidEncoding)
    #expect(
      found.first?.title.hasPrefix("this is not a text file: it contains the control character U+") == true)
    #expect(found.first?.hint == "save it as UTF-8 without control characters")
    #expect(found.first?.labels.first?.span == marked.spans[0])
  }

  @Test("a byte-order mark, CR LF and tabs do not change the tree")
  func harmless() {
    let plain = "policy \"p\" version 1\n\n# a comment\nrule r while\n  screen.on {\n  stop radio.wifi\n}\n"
    let odd = "\u{FEFF}" + plain.replacing("\n", with: "\r\n").replacing("  ", with: "\t")
    let source = SourceText(file: "p", text: odd)
    #expect(source.hadByteOrderMark)
    #expect(Parser.parse(source, units: .standard).diagnostics.isEmpty)
    #expect(tree(source.text) == tree(plain))
  }

  @Test("UTF-16 of either byte order is decoded and reported; invalid UTF-8 is reported")
  func encodings() {
    let plain = "policy \"p\" version 1\n"
    let little: [UInt8] = [0xFF, 0xFE] + plain.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big: [UInt8] = [0xFE, 0xFF] + plain.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    for bytes in [little, big] {
      let found = Parser.parse(SourceText(file: "p", bytes: bytes), units: .standard).diagnostics
      #expect(found.map(\.title) == ["the file is UTF-16, and policies are UTF-8"])
    }
    let latin = Array(plain.utf8) + [0x23, 0xE9, 0x0A, 0xE9]
    let found = Parser.parse(SourceText(file: "p", bytes: latin), units: .standard).diagnostics
    #expect(found.map(\.title) == ["this is not a text file: it is not UTF-8 from here on"])
    #expect(found.first?.labels.first?.span.start == plain.utf8.count + 1)
  }

  @Test("ten thousand levels of nesting give one or two errors", arguments: ["(", "not ", "-", "not ("])
  func deep(_ piece: String) {
    let nest = String(repeating: piece, count: 10_000)
    let end = String(repeating: piece.hasSuffix("(") ? ")" : "", count: 10_000)
    let text = "policy \"p\"\nrule r while \(nest)screen.on\(end) { stop radio.wifi }\n"
    let found = Checker.check([SourceText(file: "p", text: text)], vocabulary: TestVocabulary.vocabulary)
    #expect(found.diagnostics.first?.code == .tooDeep)
    #expect(found.diagnostics.count <= 2, "\(found.diagnostics.map(\.title))")
  }

  @Test("a file of 50 MB is truncated and gives one error")
  func large() {
    let source = SourceText(file: "p", bytes: [UInt8](repeating: 0x0A, count: 50_000_000))
    #expect(source.isCut && source.bytes.count == SourceText.maxBytes)
    let found = Checker.check([source], vocabulary: TestVocabulary.vocabulary)
    #expect(found.diagnostics.map(\.code) == [.tooLong])
    #expect(found.policies.count == 1)
    #expect(DiagnosticRenderer.text(found.diagnostics, sources: [source]).utf8.count < 1000)
  }
}
