import StintAuthoring
import StintFormats
import StintLanguage
import StintModel
import StintRuntime
import StintSimulation
import Testing

@testable import StintTools

/// A new code needs a page in the Markdown files of `Diagnostics/Pages`. The snapshots of the page are
/// recorded with `STINT_RECORD=1 swift test --filter PageTests`.
@Suite("Pages of codes")
struct PageTests {
  @Test("each code has one page, and each page has a code")
  func oneEach() {
    let codes = DiagnosticCode.all.map(\.name)
    let pages = DiagnosticPage.all.map(\.code.name)
    let missing = codes.filter { !pages.contains($0) }
    #expect(missing.isEmpty, "write a page in Sources/StintAuthoring/Diagnostics/Pages for \(missing)")
    #expect(Set(pages).count == pages.count, "a code has two pages")
    #expect(pages == pages.sorted(), "the pages must be in the order of the codes")
  }

  @Test("the sources report each declared code")
  func reported() throws {
    let declared = try CodeCatalogue.declared()
    #expect(Set(declared.map(\.code)) == Set(DiagnosticCode.all.map(\.name)))
    let reported = try CodeCatalogue.reported()
    for entry in declared where !reported.contains(entry.identifier) {
      Issue.record("nothing in Sources reports \(entry.code), .\(entry.identifier)")
    }
  }

  @Test(
    "the wrong example of a page reports the code of the page and no other error",
    arguments: DiagnosticPage.all
  )
  func wrong(_ page: DiagnosticPage) throws {
    let check = try check(page, page.wrongBytes)
    let codes = check.diagnostics.map(\.code)
    #expect(codes.contains(page.code), "the example reports \(codes)\n\(check.text())")
    let others = check.diagnostics.filter { $0.severity == .error && $0.code != page.code }
    #expect(others.isEmpty, "the example also reports other errors\n\(check.text())")
  }

  @Test("the right example of a page has no diagnostics", arguments: DiagnosticPage.all)
  func right(_ page: DiagnosticPage) throws {
    let check = try check(page, Array(page.right.utf8))
    #expect(check.diagnostics.isEmpty, "\(check.text())")
  }

  @Test("the message of each wrong example is equal to its snapshot", arguments: DiagnosticPage.all)
  func snapshots(_ page: DiagnosticPage) throws {
    let check = try check(page, page.wrongBytes)
    let text = DiagnosticRenderer.text(check.diagnostics, sources: check.sources)
    try Snapshot.compare(text, with: "Diagnostics/\(page.code).txt")
    let diagnostics = check.json["diagnostics"] ?? .null
    try Snapshot.compare(
      JSONWriter.text(of: diagnostics, .pretty) + "\n", with: "Diagnostics/\(page.code).json")
  }

  @Test("each snapshot belongs to an existing code")
  func leftOver() throws {
    let names = try Snapshot.names(in: "Diagnostics", suffix: "")
    let expected = DiagnosticPage.all.flatMap { ["\($0.code).json", "\($0.code).txt"] }
    let strays = names.filter { !expected.contains($0) }
    #expect(strays.isEmpty, "remove \(strays) from Tests/Snapshots/Diagnostics")
  }

  @Test("the texts of pages are short sentences", arguments: DiagnosticPage.all)
  func prose(_ page: DiagnosticPage) {
    for text in [page.summary, page.why] {
      #expect(text.hasSuffix(".") || text.hasSuffix("?"), "\(text)")
      #expect(!text.contains("\n") && !text.contains("  "), "\(text)")
    }
    #expect(page.summary.count <= 160)
    #expect(page.why.count <= 500)
    #expect(page.wrong != page.right)
  }

  private func check(_ page: DiagnosticPage, _ bytes: [UInt8]) throws -> PolicyCheck {
    PolicyCheck(
      [SourceText(file: "example.stint", bytes: bytes)],
      vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()),
      limits: CostLimits(slots: page.maxSlots))
  }
}
