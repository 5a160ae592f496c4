import StintFormats
import StintLanguage
import StintLanguageServer
import Testing

@Suite("Language server: policies in the folder of the open policy")
struct NeighbourTests {
  private static let other = "file:///policies/the%20other.stint"

  /// Returns an editor with one open policy, and another policy in its folder.
  private func editor(_ text: String) throws -> EditorDouble {
    var editor = try EditorDouble()
    editor.server = LanguageServer(
      vocabulary: try EditorDouble.vocabulary.get(),
      neighbours: { _ in
        [
          SourceText(
            file: Self.other,
            text: """
              policy "other"
              use location.gnss as gps
              rule pack always { batch gps until 5 min }
              """),
          SourceText(file: EditorDouble.uri, text: "what was saved last"),
        ]
      })
    _ = try editor.request("initialize", ["capabilities": EditorDouble.everything])
    editor.open(text)
    return editor
  }

  private static let text = """
    policy "test"
    use location.gnss as gps
    rule busy over other/pack while gps.on { batch gps until 1 min }
    """

  @Test("the definition of a rule is found in the file of a policy that is not open")
  func found() throws {
    var editor = try editor(Self.text)
    #expect(!editor.codes().contains("P0207"))
    let place = try editor.request(
      "textDocument/definition",
      [
        "textDocument": ["uri": JSONValue(EditorDouble.uri)], "position": ["line": 2, "character": 23],
      ])
    #expect(place["uri"]?.string == Self.other)
    #expect(place["range"]?.start == "2:5")
  }

  @Test("a rule of a state may override a rule of a policy that is not open")
  func inState() throws {
    var editor = try editor(
      """
      policy "test"
      use location.gnss as gps
      machine trip starts moving {
        state moving {
          rule busy over other/pack while gps.on { batch gps until 1 min }
        }
      }
      """)
    #expect(!editor.codes().contains("P0207"))
  }

  @Test("completion offers the rules of a policy that is not open, and a rename also edits that policy")
  func completedAndRenamed() throws {
    var editor = try editor(Self.text)
    let here: JSONValue = [
      "textDocument": ["uri": JSONValue(EditorDouble.uri)], "position": ["line": 2, "character": 23],
      "newName": "heap",
    ]
    let offered = try editor.request("textDocument/completion", here)
    let items = offered["items"]?.items ?? offered.items ?? []
    #expect(items.contains { $0["label"]?.string == "other/pack" })
    let changes = try editor.request("textDocument/rename", here)["changes"]
    #expect(changes?.members?.map(\.name).sorted() == [EditorDouble.uri, Self.other].sorted())
  }

  @Test(
    "the editor's text of an open policy replaces its file, even when the two URIs are escaped differently"
  )
  func open() throws {
    var editor = try editor(Self.text)
    editor.open("policy \"other\"\n", as: "file:///policies/the%20%6Fther.stint")
    #expect(editor.codes().contains("P0207"))
  }
}
