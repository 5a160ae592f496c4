import StintAuthoring
import StintLanguage
import StintTestSupport
import StintUnits
import Testing

@Suite("Diagnostics")
struct DiagnosticTests {
  @Test("each mistake is reported with its code, position and proposal", arguments: DiagnosticCase.all)
  func mistake(_ example: DiagnosticCase) throws {
    let found = example.diagnostics()
    let messages = found.map { "\($0.code) \($0.labels.first?.span as Any) \($0.title) / \($0.hint ?? "-")" }
    let matching = try #require(found.first { $0.code == example.code }, "\(messages)")
    if let place = MarkedSource(example.marked).spans.first {
      #expect(found.contains { $0.code == example.code && $0.labels.first?.span == place }, "\(messages)")
    }
    if let proposal = example.proposal {
      let isProposed = found.contains {
        $0.code == example.code && ($0.fix?.replacement == proposal || ($0.hint ?? "").contains(proposal))
      }
      #expect(isProposed, "\(messages)")
    }
    #expect(!matching.title.hasSuffix("."))
  }

  @Test("each diagnostic code is declared once and has a test case")
  func catalogue() {
    let names = DiagnosticCode.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(DiagnosticCode.all.allSatisfy { !$0.meaning.isEmpty })
    // Other tests cover invalid encodings, costs that only the compiler computes, and ladders.
    let shown = Set(DiagnosticCase.all.map(\.code)).union([.invalidEncoding, .tooCostly, .selfBlinding])
    #expect(DiagnosticCode.all.filter { !shown.contains($0) }.map(\.name) == [])
  }

  @Test(
    "after the fix of a unit is applied, no diagnostic about units remains",
    arguments: DiagnosticCase.all)
  func fixes(_ example: DiagnosticCase) throws {
    let units: Set<DiagnosticCode> = [.unknownUnit, .wrongUnit, .missingUnit, .mixedUnits]
    let found = example.diagnostics()
    guard units.contains(example.code), let fix = found.first(where: { $0.code == example.code })?.fix else {
      return
    }
    var bytes = MarkedSource(example.marked).source().bytes
    bytes.replaceSubrange(fix.span.start..<fix.span.end, with: Array(fix.replacement.utf8))
    let again = Checker.check(
      [SourceText(file: "fixed", bytes: bytes)], vocabulary: TestVocabulary.vocabulary
    ).diagnostics
    #expect(again.filter { units.contains($0.code) }.isEmpty)
  }
}
