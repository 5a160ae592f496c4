import StintLanguage
import StintModel
import StintSimulation
import StintUnits
import Testing

@testable import StintTools

@Suite("Documents")
struct DocumentTests {
  @Test(
    "each policy in a document loads, and each fragment can be parsed",
    arguments: try DocumentExample.all.get())
  func examples(_ example: DocumentExample) throws {
    switch try #require(example.extent, "\(example) is marked as neither a policy nor a fragment") {
    case .whole:
      let source = SourceText(file: example.file, text: example.text)
      let check = PolicyCheck([source], vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()))
      #expect(check.diagnostics.filter { $0.severity == .error } == [], "\(example.text)")
    case .fragment:
      let text = "policy \"fragment\"\n" + example.text
      let problems = Parser.parse(SourceText(file: example.file, text: text), units: .standard).diagnostics
      #expect(problems == [], "\(example.text)")
    }
  }

  @Test("the README contains a policy")
  func readme() throws {
    let examples = try DocumentExample.all.get()
    #expect(examples.contains { $0.file == "README.md" && $0.extent == .whole })
  }

  @Test("each block that looks like a policy is an example or a case of the corpus")
  func marked() throws {
    let corpus = "grammar/README.md"
    for (name, text) in try DocumentExample.documents() {
      let blocks = DocumentExample.blocks(in: text)
      #expect(blocks.allSatisfy { !$0.word.isEmpty }, "\(name) has a fence without a language")
      for block in blocks where !block.word.hasPrefix("stint") {
        // The tests of the corpus use the cases in the corpus document.
        let isCase = name == corpus && block.lines.contains { $0.hasPrefix("--- ") }
        let looksLikePolicy = block.lines.contains { $0.hasPrefix("policy \"") || $0.hasPrefix("rule ") }
        #expect(isCase || !looksLikePolicy, "\(name):\(block.line)")
      }
    }
  }

  @Test("inline code is an example when the code is a complete item")
  func inline() {
    let document = "The word `let`, or `let a = b` and `zone z = …`.\n`rule r always { }` `stint check`\n"
    let found = DocumentExample.inline(in: document, of: "d.md")
    #expect(found.map(\.text) == ["let a = b\n", "rule r always { }\n"])
    #expect(found.map(\.line) == [1, 2])
  }

  @Test("the operators' guide and the types of the syntax tree contain inline items")
  func inlineExamples() throws {
    let examples = try DocumentExample.all.get()
    #expect(examples.contains { $0.file.hasSuffix("Operators.md") && $0.text.hasPrefix("budget trail = ") })
    #expect(examples.contains { $0.file.hasSuffix("Syntax/RequireItem.swift") })
  }

  @Test("fenced examples are found, each with its line, text and extent; an unknown extent is nil")
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
