import StintFormats
import Testing

@testable import StintLanguageServer

@Suite("Language server: definition and references")
struct NavigationTests {
  private static let policy = """
    policy "test"
    use location.gnss as gps
    use motion.accelerometer as accel
    let poor = not known(gps.accuracy) or gps.accuracy > 50 m
    param hold = 500 m in 100 m .. 2 km
    schedule night = 22:00..06:00
    zone home = circle 48.1 11.5 radius 150 m
    machine trip starts parked {
      state parked { goto riding when gps.speed > 2 m/s }
      state riding { goto parked when motion.activity is still }
    }
    budget trail = 1500 J per day on gps { at 80 % { downgrade gps to 50 m } }
    rule pack while time in night { batch gps until hold or 5 min }
    rule busy over pack while poor and inside(home) and trip is riding { batch gps until 1 min }
    rule late while trail >= 80 % { pause accel }

    """

  /// Returns the policy with a cursor after the first letter of occurrence `number` of a text. The first
  /// occurrence is number 0.
  private func cursor(_ text: String, _ number: Int) -> CursorSource {
    var parts = Self.policy.split(separator: text, omittingEmptySubsequences: false).map(String.init)
    let rest = parts[(number + 1)...].joined(separator: text)
    parts = Array(parts[...number])
    let marked = String(text.prefix(1)) + "‸" + text.dropFirst()
    return CursorSource(parts.joined(separator: text) + marked + rest)
  }

  @Test(
    "“go to definition” finds the declaration of a name",
    arguments: [
      // The name, the index of its occurrence, and the position of its declaration.
      ("gps", 2, "1:21"), ("gps", 0, "1:21"), ("accuracy", 0, "1:21"), ("poor", 1, "3:4"), ("hold", 1, "4:6"),
      ("night", 1, "5:9"), ("home", 1, "6:5"), ("trip", 1, "7:8"), ("parked", 0, "8:8"), ("riding", 0, "9:8"),
      ("riding", 2, "9:8"), ("trail", 1, "11:7"), ("pack", 1, "12:5"), ("location.gnss", 0, "1:21"),
    ])
  func definition(_ name: String, _ number: Int, _ place: String) throws {
    let source = cursor(name, number)
    var editor = try EditorDouble(source.text)
    let found = try editor.request("textDocument/definition", source.parameters())
    #expect(found["uri"]?.string == EditorDouble.uri)
    #expect(found["range"]?.start == place)
  }

  @Test(
    "a keyword, a number, a function and a value of a fact have no definition",
    arguments: ["while", "1500", "still", "known"])
  func nowhere(_ word: String) throws {
    let source = cursor(word, 0)
    var editor = try EditorDouble(source.text)
    #expect(try editor.request("textDocument/definition", source.parameters()).isNull)
  }

  @Test("“find references” returns all mentions of an entity, with or without its declaration")
  func references() throws {
    let source = cursor("pack", 0)
    var editor = try EditorDouble(source.text)
    func places(_ more: [JSONMember]) throws -> [String] {
      try editor.request("textDocument/references", source.parameters(0, more)).items?
        .compactMap { $0["range"]?.start } ?? []
    }
    #expect(try places([]) == ["12:5", "13:15"])
    #expect(try places([JSONMember("context", ["includeDeclaration": false])]) == ["13:15"])
    let highlights = try editor.request("textDocument/documentHighlight", source.parameters())
    #expect(highlights.items?.compactMap { $0["kind"]?.integer } == [3, 2])
  }

  @Test("states of the same name in two machines are distinct")
  func states() throws {
    let source = CursorSource(
      """
      policy "test"
      machine one starts ‸calm { state calm { } }
      machine two starts calm { state calm { } }
      """)
    var editor = try EditorDouble(source.text)
    let found = try editor.request("textDocument/references", source.parameters())
    #expect(found.items?.compactMap { $0["range"]?.start } == ["1:19", "1:32"])
  }

  @Test("the definition and the uses of a rule are found across open policies")
  func otherPolicy() throws {
    let other = "file:///policies/other.stint"
    let source = CursorSource("policy \"test\"\nrule busy over other/p‸ack always { }\n")
    var editor = try EditorDouble(source.text)
    editor.open("policy \"other\"\nrule pack always { }\n", as: other)
    let found = try editor.request("textDocument/definition", source.parameters())
    #expect(found["uri"]?.string == other)
    #expect(found["range"]?.start == "1:5")
    let uses = try editor.request(
      "textDocument/references",
      ["textDocument": ["uri": JSONValue(other)], "position": ["line": 1, "character": 6]])
    #expect(uses.items?.compactMap { $0["uri"]?.string } == [other, EditorDouble.uri])
  }

  @Test("a request for a document that is not open is an error")
  func notOpen() throws {
    var editor = try EditorDouble()
    let source = CursorSource("‸")
    let reply = try editor.reply(to: "textDocument/definition", source.parameters())
    #expect(reply["error"]?["code"]?.integer == -32_602)
  }
}
