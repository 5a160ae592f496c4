import StintLanguage
import StintModel
import StintRuntime
import StintUnits
import Testing

@Suite struct PolicyLineTests {
  @Test("each of the 119 behaviours has a policy line")
  func all() {
    let chapters: [(letter: Character, count: Int)] = [
      ("G", 6), ("L", 36), ("R", 23), ("M", 18), ("N", 24), ("X", 12),
    ]
    let expected = chapters.flatMap { chapter in
      (1...chapter.count).map { "\(chapter.letter)\($0 < 10 ? "0" : "")\($0)" }
    }
    #expect(PolicyLines.all.map(\.id).sorted() == expected.sorted())
  }

  @Test("every policy line of the behaviours loads without errors, and each of its rules can have an effect")
  func spelled() throws {
    let vocabulary = try PolicyLines.vocabulary()
    for (id, text) in PolicyLines.all {
      let source = SourceText(file: "\(id).stint", bytes: Array("policy \"line\" version 1\n\(text)\n".utf8))
      let loaded = PolicyLoader(vocabulary: vocabulary).load([source])
      let report = DiagnosticRenderer.text(loaded.diagnostics, sources: loaded.sources)
      #expect(loaded.program != nil, "\(id): \(report)")
      let idle = loaded.diagnostics.filter {
        [.missingOptionalDevice, .unreachable, .shadowed].contains($0.code)
      }
      #expect(idle.isEmpty, "\(id): \(report)")
    }
  }

  @Test(
    "R13: `accuracy` and `filter` of a default cause a warning if rules use its device only for visits or moves",
    arguments: [
      ("watch moves on coarse", "accuracy 100 m  filter 5 m", ["accuracy and filter"]),
      ("watch visits on coarse", "filter 5 m", ["filter"]), ("watch moves on coarse", "heartbeat 1 h", []),
      ("start coarse", "accuracy 100 m", []),
      (
        "watch moves on coarse } rule s when screen.on { fix coarse to 1 km timeout 30 s", "accuracy 100 m",
        []
      ),
    ] as [(String, String, [String])])
  func watchedOnly(verb: String, settings: String, words: [String]) throws {
    let text = """
      policy "line" version 1
      use location.wifi as coarse
      default coarse { \(settings) }
      rule r while screen.on { \(verb) }
      """
    let source = SourceText(file: "line.stint", bytes: Array(text.utf8))
    let loaded = PolicyLoader(vocabulary: try PolicyLines.vocabulary()).load([source])
    let warnings = loaded.diagnostics.filter { $0.code == .noEffect }
    #expect(loaded.program != nil)
    #expect(
      warnings.count == words.count && zip(warnings, words).allSatisfy { $0.title.hasPrefix($1 + " of") })
  }

  @Test(
    "a default for a session causes a warning if it cannot change any request",
    arguments: [
      ("session \"sync\"", "the block has no setting for the session"),
      ("session \"sync\"  discretionary off", "a default cannot turn “discretionary” off"),
      ("cellular on", "a default cannot turn “cellular” on"),
      ("out_of_process on", "a default cannot turn “out_of_process” on"),
      ("session \"sync\"  discretionary on  cellular off  out_of_process off", nil),
    ] as [(String, String?)])
  func sessions(settings: String, warning: String?) throws {
    let text = "policy \"line\" version 1\nuse radio.cellular as net\ndefault net { \(settings) }\n"
    let source = SourceText(file: "line.stint", bytes: Array(text.utf8))
    let loaded = PolicyLoader(vocabulary: try PolicyLines.vocabulary()).load([source])
    #expect(loaded.program != nil)
    let warnings = loaded.diagnostics.filter { $0.code == .noEffect }.map(\.title)
    #expect(warnings == (warning.map { [$0] } ?? []))
  }
}
