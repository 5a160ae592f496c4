import StintAuthoring
import StintLanguage
import StintModel
import StintRuntime
import StintSimulation
import StintUnits
import Testing

@testable import StintTools

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Fixing policies: automatic corrections")
struct PolicyFixingTests {
  private func fixing(_ text: String) throws -> PolicyFixing { try fixing(Array(text.utf8)) }

  private func fixing(_ bytes: [UInt8], file: String = "a.stint") throws -> PolicyFixing {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let source = SourceText(file: file, bytes: bytes)
    return PolicyFixing(PolicyCheck([source], vocabulary: vocabulary), vocabulary: vocabulary)
  }

  @Test("one round fixes several mistakes, and the next round fixes mistakes that become visible")
  func several() throws {
    let fixing = try fixing(
      """
      policy "a" version 1

      use location.gnss as gps
      let unneeded = screen.on  # for later
      let stale = unneeded

      rulle still while motion.activity is stil for 5 m {
        paus gsp
      }

      rule low while batery.level below 15 release 20 % && not screen.on {
        downgrade gps 100 metres;
      }

      """)
    #expect(
      fixing.after.sources[0].text == """
        policy "a" version 1

        use location.gnss as gps
        # for later

        rule still while motion.activity is still for 5 min {
          pause gps
        }

        rule low while battery.level below 15 % release 20 % and not screen.on {
          downgrade gps to 100 m
        }

        """, "\(fixing.text())")
    #expect(!fixing.after.hasErrors && fixing.after.count(.warning) == 0)
    #expect(fixing.text().hasPrefix("a.stint:7:1: fixed[P0102]: replace “rulle” by “rule”\n"))
  }

  @Test("a misspelt keyword is fixed although the fix reveals hidden errors")
  func hidden() throws {
    let fixing = try fixing(
      "policy \"a\"\nrulle r while zzz and yyy { pause qqq }\nrule s when screen.on { stop location.gnss }\n")
    #expect(fixing.changes.map(\.title) == ["replace “rulle” by “rule”"])
    #expect(fixing.after.count(.error) > fixing.before.count(.error))
  }

  @Test("a missing word is not inserted when the line would then have more errors")
  func insertions() throws {
    let text = "policy \"a\"\nuse location.gnss as gps\nbudget b = 5 per h of starts(gps) {\n}\n"
    let fixing = try fixing(text)
    #expect(fixing.changes.isEmpty && fixing.after.sources[0].text == text, "\(fixing.text())")
    let missing = try self.fixing("policy \"a\"\nuse location.gnss gps\nrule r { stop gps }\n")
    #expect(missing.changes.map(\.title) == ["insert “as”"], "\(missing.text())")
  }

  @Test("a misspelt name is fixed, and its declaration is not removed as unused")
  func misspelt() throws {
    let fixing = try fixing(
      "policy \"a\"\nuse location.gnss as gps\nrule r while screen.on { downgrade gsp to 100 m }\n")
    #expect(
      fixing.after.sources[0].text.contains(
        "use location.gnss as gps\nrule r while screen.on { downgrade gps "))
    #expect(fixing.changes.map(\.title) == ["replace “gsp” by “gps”"])
  }

  @Test("an unused declaration is not removed while an error remains")
  func errorLeft() throws {
    let text = "policy \"a\"\nlet dark = not screen.on\nrule r when zzz { pause location.gnss for 5 min }\n"
    let fixing = try fixing(text)
    #expect(fixing.after.sources[0].text == text)
    #expect(fixing.changes.isEmpty && fixing.after.hasErrors)
  }

  @Test(
    "a fix that could change the meaning is not applied automatically",
    arguments: [
      "rule r when screen.on { pause location.gnss }",
      "rule r always { defer radio.cellular until screen.on }",
      "rule r while battery.level < 0.2 { pause location.gnss }",
      "rule r while screen.on for 5 { pause location.gnss }",
      "rule r while location.gnss.accuracy > 50 s { pause location.gnss }",
      "default location.gnss { accuracy 1 m }",
      "use motion.acelerometer as accel\nrule r while screen.on { batch accel until 5 s }",
    ])
  func unsafe(_ line: String) throws {
    let fixing = try fixing("policy \"a\"\n\(line)\n")
    #expect(fixing.after.sources[0].text.contains(line), "\(fixing.text())")
  }

  @Test("look-alike letters, curly quotes, dashes and invisible characters are replaced or removed")
  func lookAlikes() throws {
    let fixing = try fixing(
      "policy “a” version\u{A0}1\n# \u{202E}comment\nrule r whіlе bаttery.level \u{2212} 5 % <\u{200B} 20 % { pause location.gnss }\n"
    )
    #expect(
      fixing.after.sources[0].text
        == "policy \"a\" version 1\n# comment\nrule r while battery.level - 5 % < 20 % { pause location.gnss }\n"
    )
    #expect(!fixing.after.hasErrors)
  }

  @Test("UTF-16 becomes UTF-8, and a file with invalid bytes is not changed")
  func encodings() throws {
    let text = "policy \"a\" version 1\n"
    let wide = try fixing([0xFF, 0xFE] + text.utf8.flatMap { [$0, 0] })
    #expect(wide.after.sources[0].text == text && !wide.after.hasErrors)
    let broken = try fixing(Array("polcy \"a\"\n# ".utf8) + [0xFF])
    #expect(broken.changes.isEmpty)
  }

  @Test("comments inside or after removed code are kept")
  func comments() throws {
    let text = """
      # of the file
      policy "a" version 1
      # before
      let one = screen.on  # behind
      schedule two = 07:00..08:00,  # within
        09:00..10:00
      let three = screen.on
      # last

      """
    let after = try fixing(text).after.sources[0].text
    #expect(after.split(separator: "#").count == text.split(separator: "#").count, "\(after)")
    #expect(!after.contains("one") && after.contains("two") && !after.contains("three"))
  }

  @Test("of overlapping fixes, one round applies only the first")
  func overlaps() {
    let fixes = [(4, 6, "a"), (5, 7, "b"), (6, 6, "c"), (6, 6, "d"), (0, 2, ""), (2, 4, "e"), (3, 3, "f")]
    var set = FixSet()
    let taken = fixes.map { start, end, text in
      set.insert(Diagnostic.Fix(span: SourceSpan(start: start, end: end), replacement: text))
    }
    #expect(taken == [true, false, true, false, true, true, false])
    #expect(set.applied(to: Array("01234567".utf8)) == Array("eac67".utf8))
    for (before, after) in zip(set.fixes, set.fixes.dropFirst()) {
      #expect(before.span.end <= after.span.start)
    }
  }

  @Test("no file is written when one of the files is not writable")
  func notWritable() throws {
    let paths = (0..<2).map { "/tmp/stint-fix-test-\(UInt64.random(in: 0...UInt64.max))-\($0).stint" }
    defer { for path in paths { remove(path) } }
    let texts = ["a", "b"].map { "policy \"\($0)\"\nrule r while screen.onn { pause location.gnss }\n" }
    for (path, text) in zip(paths, texts) { try FileText.write(Array(text.utf8), to: path) }
    chmod(paths[1], 0o444)
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let check = PolicyCheck(try PolicyFiles.read(paths), vocabulary: vocabulary)
    let fixing = PolicyFixing(check, vocabulary: vocabulary)
    #expect(fixing.changes.count == 2 && !fixing.after.hasErrors)
    #expect(throws: Problem.self) { try fixing.write() }
    for (path, text) in zip(paths, texts) { #expect(try FileText.read(path) == Array(text.utf8)) }
  }

  @Test("a fixed file keeps its byte-order mark, its line ends and its other bytes")
  func writing() throws {
    let path = "/tmp/stint-fix-test-\(UInt64.random(in: 0...UInt64.max)).stint"
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    try FileText.write(
      mark + Array("policy \"a\"\r\nrule r while screen.on for 5 m { pause location.gnss }\r\n".utf8),
      to: path)
    defer { remove(path) }
    let fixing = try fixing(FileText.read(path), file: path)
    try fixing.write()
    #expect(
      try FileText.read(path)
        == mark + Array("policy \"a\"\r\nrule r while screen.on for 5 min { pause location.gnss }\r\n".utf8))
  }

  @Test("the fixes of a wrong example do not increase the number of errors", arguments: DiagnosticPage.all)
  func neverWorse(_ page: DiagnosticPage) throws {
    let fixing = try fixing(page.wrongBytes)
    #expect(fixing.after.count(.error) <= fixing.before.count(.error))
    #expect(try self.fixing(fixing.after.sources[0].bytes).changes.isEmpty, "a second round changed the text")
  }
}
