import StintFormats
import StintTestSupport
import Testing

@testable import StintLanguageServer

@Suite("Language server: editing")
struct EditingTests {
  private static let policy = """
    # Größe 😀
    policy "test"
    use location.gnss as gps
    let poor = not known(gps.accuracy) or gps.accuracy > 50 m
    param hold = 500 m in 100 m .. 2 km
    machine trip starts parked {
      state parked { goto riding when gps.speed > 2 m/s }
      state riding { goto parked when motion.activity is still for 5 min }
    }
    rule pack "Ä😀" while poor { batch gps until hold or 5 min }
    rule busy over pack, other/b-c when poor for 2 min at most 1 per 5 min { stop gps for 5 min }
    test "works" { given battery.level = 80 % at 5 min set gps.accuracy = 5 m expect poor because pack }

    """
  private static let pieces = [
    "", "}", "{", "\"", "\n", "\r\n", "#", "😀", "ä", "gps", ".", " ", "5 m", "while ", "rule x always { }\n",
    "(",
    "over a/b-", "/", "machine m starts a { state a { goto ", "[", "\u{FEFF}", "is ",
  ]

  @Test(
    "after random edits, the server answers as for a new document with the final text",
    arguments: Trials(120, fewest: 4).rounds)
  func incremental(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let utf8: JSONValue = ["general": ["positionEncodings": ["utf-8"]]]
    let capabilities = seed % 2 == 0 ? utf8 : EditorDouble.everything
    var editor = try EditorDouble(Self.policy, capabilities)
    for _ in 0..<6 {
      for _ in 0..<4 { editor.change([Self.edit(&random)]) }
      let text = try #require(editor.server.documents[EditorDouble.uri]?.text.text)
      var fresh = try EditorDouble(text, capabilities)
      #expect(editor.codes() == fresh.codes())
      #expect(
        editor.server.documents[EditorDouble.uri]?.text == fresh.server.documents[EditorDouble.uri]?.text)
      for method in ["textDocument/semanticTokens/full", "textDocument/documentSymbol"] {
        let parameters: JSONValue = ["textDocument": ["uri": JSONValue(EditorDouble.uri)]]
        let known = try editor.request(method, parameters)
        #expect(try JSONWriter.text(of: known) == JSONWriter.text(of: fresh.request(method, parameters)))
      }
    }
  }

  @Test(
    "requests of each kind at random positions of a damaged policy have a response",
    arguments: Trials(80, fewest: 2).rounds
  )
  func everyRequest(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var editor = try EditorDouble(Self.policy)
    for _ in 0..<60 {
      editor.change([Self.edit(&random)])
      let place: JSONValue = [
        "line": JSONValue(Int.random(in: 0..<16, using: &random)),
        "character": JSONValue(Int.random(in: 0..<70, using: &random)),
      ]
      let method = random.pick([
        "completion", "hover", "definition", "references", "documentHighlight", "prepareRename", "rename",
        "codeAction", "formatting", "semanticTokens/full", "documentSymbol",
      ])
      let reply = try editor.reply(
        to: "textDocument/" + method,
        [
          "textDocument": ["uri": JSONValue(EditorDouble.uri)], "position": place,
          "range": ["start": place, "end": place], "newName": "sky",
        ])
      // The only accepted error is a refusal of the request.
      #expect(reply["result"] != nil || reply["error"]?["code"]?.integer == -32_803)
    }
  }

  @Test(
    "a request with invalid parameters is rejected",
    arguments: [
      "completion", "hover", "definition", "references", "rename", "codeAction", "formatting",
      "documentSymbol",
    ])
  func wrongParameters(_ method: String) throws {
    var editor = try EditorDouble(Self.policy)
    let all: [JSONValue] = [
      [:], [], .null, 7, ["textDocument": "x"], ["textDocument": ["uri": 3]],
      ["textDocument": ["uri": "file:///none"]],
    ]
    for parameters in all {
      let reply = try editor.reply(to: "textDocument/" + method, parameters)
      #expect(reply["error"]?["code"]?.integer == -32_602)
    }
  }

  /// Returns a random edit: an insertion, a replacement within a line, or a replacement of any range.
  private static func edit(_ random: inout SeededGenerator) -> JSONValue {
    func place(_ random: inout SeededGenerator) -> JSONValue {
      [
        "line": JSONValue(Int.random(in: 0..<16, using: &random)),
        "character": JSONValue(Int.random(in: 0..<70, using: &random)),
      ]
    }
    let start = place(&random)
    var end = start
    if random.once(in: 3), let line = start["line"]?.integer, let character = start["character"]?.integer {
      end = [
        "line": JSONValue(line), "character": JSONValue(character + Int64.random(in: 0..<20, using: &random)),
      ]
    } else if random.once(in: 20) {
      end = place(&random)
    }
    return ["range": ["start": start, "end": end], "text": JSONValue(random.pick(pieces))]
  }
}
