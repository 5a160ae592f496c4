import StintFormats
import Testing

@Suite("Language server: diagnostics")
struct DiagnosticsTests {
  @Test("an error is published with its code, range, hint and document version")
  func oneMistake() throws {
    var editor = try EditorDouble(
      """
      policy "test"
      use location.gnss as gps
      rule r while batery.level < 20 % { stop gps }
      """)
    editor.settle()
    let all = try #require(editor.diagnostics[EditorDouble.uri])
    #expect(all.count == 1)
    let first = try #require(all.first)
    #expect(first["code"]?.string == "P0201")
    #expect(first["severity"]?.integer == 1)
    #expect(first["source"]?.string == "stint")
    #expect(first["message"]?.string?.contains("did you mean “battery.level”?") == true)
    #expect(
      first["range"].map { JSONWriter.text(of: $0) }
        == #"{"start":{"line":2,"character":13},"end":{"line":2,"character":25}}"#)
    #expect(first["data"]?["meaning"]?.string == "an unknown fact")
  }

  @Test("several diagnostics are published in one message, in order of position")
  func severalMistakes() throws {
    var editor = try EditorDouble(
      """
      policy "test"
      let near = gps.accuracy < 20 s
      rule a while nothing { stop gpz }
      """)
    #expect(editor.codes() == ["W0202", "P0201", "P0201", "P0202"])
  }

  @Test("the labels of a diagnostic are published as related information when the editor supports it")
  func relatedPlaces() throws {
    let text = """
      policy "test"
      let near = battery.level < 20 %
      let near = battery.level < 30 %
      """
    var able = try EditorDouble(text)
    able.settle()
    let twice = able.diagnostics[EditorDouble.uri]?.first { $0["code"]?.string == "P0204" }
    let related = try #require(twice?["relatedInformation"]?.items)
    #expect(related.compactMap { $0["message"]?.string } == ["again here", "first here"])
    #expect(related.compactMap { $0["location"]?["range"]?["start"]?["line"]?.integer } == [2, 1])

    var plain = try EditorDouble(text, [:])
    plain.settle()
    #expect(plain.diagnostics[EditorDouble.uri]?.allSatisfy { $0["relatedInformation"] == nil } == true)
  }

  @Test("an unused name is tagged as unnecessary")
  func unusedIsGrey() throws {
    var editor = try EditorDouble("policy \"test\"\nlet near = battery.level < 20 %\n")
    editor.settle()
    let unused = try #require(editor.diagnostics[EditorDouble.uri]?.first)
    #expect(unused["code"]?.string == "W0202")
    #expect(unused["tags"]?.items?.compactMap(\.integer) == [1])
  }

  @Test("edits change the published diagnostics, and a corrected document has no syntax errors")
  func mending() throws {
    var editor = try EditorDouble("policy \"test\"\nuse location.gnss as gps\nrule r always { stopp gps }\n")
    #expect(!editor.codes().isEmpty)
    editor.change([
      [
        "range": ["start": ["line": 2, "character": 16], "end": ["line": 2, "character": 21]],
        "text": "pause",
      ]
    ])
    #expect(editor.codes().filter { $0.hasPrefix("P01") }.isEmpty)
  }

  @Test("no diagnostics are published during a thousand edits; the diagnostics of the last text follow")
  func burst() throws {
    var editor = try EditorDouble("policy \"test\"\n")
    for _ in 0..<1000 {
      editor.change([
        ["range": ["start": ["line": 1, "character": 0], "end": ["line": 1, "character": 0]], "text": "x"]
      ])
    }
    #expect(editor.diagnostics.isEmpty)
    #expect(editor.codes() == ["P0102"])
  }

  @Test("the diagnostics of a closed document are withdrawn")
  func closing() throws {
    var editor = try EditorDouble("polizy\n")
    #expect(!editor.codes().isEmpty)
    editor.notify("textDocument/didClose", ["textDocument": ["uri": JSONValue(EditorDouble.uri)]])
    #expect(editor.codes().isEmpty)
  }

  @Test("a policy is checked together with an open policy to whose rules it refers")
  func twoPolicies() throws {
    let other = "file:///policies/other.stint"
    var editor = try EditorDouble(
      """
      policy "test"
      use location.gnss as gps
      rule busy over other/pack while gps.on { batch gps until 1 min }
      """)
    #expect(editor.codes().contains("P0207"))
    editor.open(
      "policy \"other\"\nuse location.gnss as gps\nrule pack always { batch gps until 5 min }\n", as: other)
    #expect(!editor.codes().contains("P0207"))
    editor.notify("textDocument/didClose", ["textDocument": ["uri": JSONValue(other)]])
    #expect(editor.codes().contains("P0207"))
  }

  @Test("a change of a document that is not open is reported in the log")
  func notOpen() throws {
    var editor = try EditorDouble()
    editor.change([["text": "x"]], of: "file:///nowhere.stint")
    #expect(editor.logged.count == 1)
    #expect(editor.logged.first?.contains("nowhere.stint") == true)
  }
}
