import StintLanguage
import StintModel
import StintRuntime
import StintUnits
import Testing

@Suite struct PolicyLineTests {
  @Test("every one of the 119 behaviours has a line that policies can write")
  func all() {
    let chapters: [(letter: Character, count: Int)] = [
      ("G", 6), ("L", 36), ("R", 23), ("M", 18), ("N", 24), ("X", 12),
    ]
    let expected = chapters.flatMap { chapter in
      (1...chapter.count).map { "\(chapter.letter)\($0 < 10 ? "0" : "")\($0)" }
    }
    #expect(PolicyLines.all.map(\.id).sorted() == expected.sorted())
  }

  @Test("every policy line of the behaviours is spelled, and no rule of it is idle")
  func spelled() throws {
    let vocabulary = try PolicyLines.vocabulary()
    for (id, text) in PolicyLines.all {
      let source = SourceText(file: "\(id).stint", bytes: Array("policy \"line\" version 1\n\(text)\n".utf8))
      let loaded = PolicyLoader(vocabulary: vocabulary).load([source])
      let report = DiagnosticRenderer.text(loaded.diagnostics, sources: loaded.sources)
      #expect(loaded.program != nil, "\(id): \(report)")
      let missing = loaded.diagnostics.filter { $0.code == .missingOptionalDevice }
      #expect(missing.isEmpty, "\(id): \(report)")
    }
  }
}
