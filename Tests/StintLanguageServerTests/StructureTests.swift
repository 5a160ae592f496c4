import StintFormats
import Testing

@testable import StintLanguageServer

@Suite("Language server: outline, fixes, formatting, colours")
struct StructureTests {
  private static let policy = """
    policy "test"
    use location.gnss as gps
    let poor = gps.accuracy > 50 m
    machine trip starts parked {
      state parked { }
    }
    rule pack "one burst" while poor { batch gps until 5 min }
    test "works" { expect poor }

    """
  private static let document: JSONValue = ["textDocument": ["uri": JSONValue(EditorDouble.uri)]]

  @Test("the outline lists all declarations, with states within their machines")
  func outline() throws {
    var editor = try EditorDouble(Self.policy)
    let symbols = try #require(try editor.request("textDocument/documentSymbol", Self.document).items)
    #expect(symbols.compactMap { $0["name"]?.string } == ["gps", "poor", "trip", "pack", "works"])
    #expect(symbols.compactMap { $0["kind"]?.integer } == [2, 13, 5, 12, 6])
    #expect(symbols[2]["children"]?.items?.compactMap { $0["name"]?.string } == ["parked"])
    #expect(symbols[3]["detail"]?.string == "one burst")
    #expect(symbols[3]["selectionRange"]?.enclosed(in: Self.policy) == "pack")
    #expect(symbols[3]["range"]?.start == "6:0")
  }

  @Test("an editor without nested symbols receives a flat outline")
  func flatOutline() throws {
    var editor = try EditorDouble(Self.policy, [:])
    let symbols = try #require(try editor.request("textDocument/documentSymbol", Self.document).items)
    #expect(symbols.compactMap { $0["name"]?.string } == ["gps", "poor", "trip", "parked", "pack", "works"])
    #expect(symbols[3]["containerName"]?.string == "trip")
    #expect(symbols.allSatisfy { $0["location"]?["uri"]?.string == EditorDouble.uri })
  }

  @Test("a fix is offered at the position of a diagnostic and corrects the mistake")
  func fix() throws {
    let text = "policy \"test\"\nuse location.gnss as gps\nrule a while gps.acuracy > 5 m { stop gps }\n"
    var editor = try EditorDouble(text)
    func actions(_ line: Int, _ only: [JSONMember] = []) throws -> [JSONValue] {
      let place: JSONValue = ["line": JSONValue(line), "character": 15]
      return try editor.request(
        "textDocument/codeAction",
        [
          "textDocument": ["uri": JSONValue(EditorDouble.uri)], "range": ["start": place, "end": place],
          "context": JSONValue([JSONMember("diagnostics", [])] + only),
        ]
      ).items ?? []
    }
    let offered = try actions(2)
    #expect(offered.compactMap { $0["title"]?.string } == ["replace “gps.acuracy” by “gps.accuracy”"])
    #expect(offered.first?["kind"]?.string == "quickfix")
    #expect(offered.first?["diagnostics"]?.items?.first?["code"]?.string == "P0201")
    let edits = offered.first?["edit"]?["changes"]?[EditorDouble.uri]?.items ?? []
    #expect(applied(edits, to: text) == text.replacing("acuracy", with: "accuracy"))
    #expect(try actions(0).isEmpty)
    #expect(try actions(2, [JSONMember("only", ["refactor"])]).isEmpty)
  }

  @Test("formatting returns one edit of whole lines that produces the canonical text")
  func layout() throws {
    let text = "policy \"test\"\nuse   location.gnss  as gps\nrule a always {stop gps}\n# €\n"
    var editor = try EditorDouble(text)
    let edits = try #require(try editor.request("textDocument/formatting", Self.document).items)
    #expect(edits.count == 1)
    let tidy = applied(edits, to: text)
    #expect(tidy.contains("use location.gnss as gps\n"))
    editor.change([["text": JSONValue(tidy)]])
    #expect(try editor.request("textDocument/formatting", Self.document).items?.isEmpty == true)
  }

  @Test("formatting a policy with syntax errors fails with the reason")
  func noLayout() throws {
    var editor = try EditorDouble("policy \"test\"\nrule {\n")
    let error = try editor.reply(to: "textDocument/formatting", Self.document)["error"]
    #expect(error?["code"]?.integer == -32_803)
    #expect(error?["message"]?.string?.contains("line 2") == true)
  }

  @Test("words, operators, literals and comments have semantic tokens of their kinds")
  func colours() throws {
    let text = """
      # note
      policy "ä😀" use location.gnss as gps
      rule r while gps.on and trend(gps.accuracy, 90 s) > 1 km { stop gps }
      """
    var editor = try EditorDouble(text)
    let numbers =
      try editor.request("textDocument/semanticTokens/full", Self.document)["data"]?.items?
      .compactMap(\.integer) ?? []
    let kinds = SemanticTokens.Kind.allCases.map(\.rawValue)
    let lines = text.split(separator: "\n").map { Array($0.utf16) }
    var line = 0
    var character = 0
    var found: [String] = []
    for index in stride(from: 0, to: numbers.count, by: 5) {
      line += Int(numbers[index])
      character = Int(numbers[index + 1]) + (numbers[index] == 0 ? character : 0)
      let piece = lines[line][character..<character + Int(numbers[index + 2])]
      let mark = numbers[index + 4] == 1 ? "!" : ""
      found.append("\(String(decoding: piece, as: UTF16.self)):\(kinds[Int(numbers[index + 3])])\(mark)")
    }
    #expect(
      found == [
        "# note:comment", "policy:keyword", "\"ä😀\":string", "use:keyword", "location.gnss:namespace",
        "as:keyword", "gps:namespace!", "rule:keyword", "r:event!", "while:keyword", "gps:namespace",
        "on:property", "and:keyword", "trend:function", "gps:namespace", "accuracy:property", "90:number",
        "s:type", ">:operator", "1:number", "km:type", "stop:keyword", "gps:namespace",
      ])
  }
}
