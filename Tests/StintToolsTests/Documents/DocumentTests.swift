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

  @Test("what looks like a policy stands nowhere but where a test reads it")
  func marked() throws {
    let corpus = "grammar/README.md"
    for (name, text) in try DocumentExample.documents() {
      let blocks = DocumentExample.blocks(in: text)
      #expect(blocks.allSatisfy { !$0.word.isEmpty }, "\(name) has a fence that does not say what it holds")
      for block in blocks where !block.word.hasPrefix("stint") {
        // The cases of the corpus that its document shows are read by the tests of the corpus.
        let isCase = name == corpus && block.lines.contains { $0.hasPrefix("--- ") }
        let looksLikeOne = block.lines.contains { $0.hasPrefix("policy \"") || $0.hasPrefix("rule ") }
        #expect(isCase || !looksLikeOne, "\(name):\(block.line)")
      }
    }
  }

  @Test("code within sentences is found where it is a whole item")
  func inline() {
    let document = "The word `let`, or `let a = b` and `zone z = …`.\n`rule r always { }` `stint check`\n"
    let found = DocumentExample.inline(in: document, of: "d.md")
    #expect(found.map(\.text) == ["let a = b\n", "rule r always { }\n"])
    #expect(found.map(\.line) == [1, 2])
  }

  @Test("the README and the types of the tree show items within sentences")
  func inlineExamples() throws {
    let examples = try DocumentExample.all.get()
    #expect(examples.contains { $0.file.hasSuffix("Operators.md") && $0.text.hasPrefix("budget trail = ") })
    #expect(examples.contains { $0.file.hasSuffix("Syntax/RequireItem.swift") })
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
