import StintLanguage
import StintModel
import Testing

@testable import StintTools

@Suite("Documents")
struct DocumentTests {
  @Test(
    "each policy that a document shows can be loaded, each fragment read",
    arguments: try DocumentExample.all.get())
  func examples(_ example: DocumentExample) throws {
    switch try #require(example.extent, "\(example) is marked as neither a policy nor a fragment") {
    case .whole:
      let source = SourceText(file: example.file, text: example.text)
      let check = PolicyCheck([source], vocabulary: Vocabulary(manifests: try Manifests.read(nil)))
      #expect(check.diagnostics.filter { $0.severity == .error } == [], "\(example.text)")
    case .fragment:
      let text = "policy \"fragment\"\n" + example.text
      let problems = Parser.parse(SourceText(file: example.file, text: text)).diagnostics
      #expect(problems == [], "\(example.text)")
    }
  }

  @Test("the README shows a policy")
  func readme() throws {
    let examples = try DocumentExample.all.get()
    #expect(examples.contains { $0.file == "README.md" && $0.extent == .whole })
  }

  @Test("examples are found between fences, with the line and the mark of each")
  func fences() {
    let document = """
      # Title
      ```text
      ```stint
      ```
      ```stint fragment
      let a = b

      let c = d
      ```
      ```stint
      policy "p"
      ```
      ```stint maybe
      ```
      """
    let found = DocumentExample.examples(in: document, of: "d.md")
    #expect(found.map(\.line) == [5, 10, 13])
    #expect(found.map(\.extent) == [.fragment, .whole, nil])
    #expect(found.map(\.text) == ["let a = b\n\nlet c = d\n", "policy \"p\"\n", ""])
  }
}
