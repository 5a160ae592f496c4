import StintFormats
import Testing

@testable import StintLanguageServer

@Suite("Language server: renaming")
struct RenamingTests {
  private func renamed(_ marked: String, to name: String) throws -> String {
    let source = CursorSource(marked)
    var editor = try EditorDouble(source.text)
    let result = try editor.request(
      "textDocument/rename", source.parameters(0, [JSONMember("newName", JSONValue(name))]))
    let edits = result["changes"]?[EditorDouble.uri]?.items ?? []
    return applied(edits, to: source.text)
  }

  private func refusal(_ marked: String, to name: String) throws -> String? {
    let source = CursorSource(marked)
    var editor = try EditorDouble(source.text)
    return try editor.reply(
      to: "textDocument/rename", source.parameters(0, [JSONMember("newName", JSONValue(name))]))["error"]?[
        "message"]?.string
  }

  @Test(
    "renaming changes every use of a name and its declaration, and no other text",
    arguments: [
      (
        "use location.gnss as g‸ps\nlet poor = gps.accuracy > 5 m # gps\nrule gps while poor { stop gps except \"gps\" }",
        "use location.gnss as sky\nlet poor = sky.accuracy > 5 m # gps\nrule gps while poor { stop sky except \"gps\" }"
      ),
      (
        "let poor = gps.on\nrule poor while not p‸oor { }\nrule b over poor while poor for 2 s { }",
        "let sky = gps.on\nrule poor while not sky { }\nrule b over poor while sky for 2 s { }"
      ),
      (
        "rule poor always { }\nrule b over a, po‸or, test/poor, other/poor always { }",
        "rule sky always { }\nrule b over a, sky, test/sky, other/poor always { }"
      ),
      (
        "param far‸ = 5 km in 1 km .. 9 km\nrule a always { batch gps until far or 5 min  downgrade gps to far }",
        "param sky = 5 km in 1 km .. 9 km\nrule a always { batch gps until sky or 5 min  downgrade gps to sky }"
      ),
      (
        "param hold‸ = 5 s in 1 s .. 9 s\nrule a when x for hold in last hold { pause gps for hold }\nrule b every hold flex hold { fix gps to 5 m timeout hold }",
        "param sky = 5 s in 1 s .. 9 s\nrule a when x for sky in last sky { pause gps for sky }\nrule b every sky flex sky { fix gps to 5 m timeout sky }"
      ),
      (
        "param wait‸ = 5 s in 1 s .. 9 s\nrule r when x { stop gps for wait at most wait times }\ntest \"t\" { at wait set battery.level = wait  at wait reload  expect r by wait  expect r at wait }",
        "param sky = 5 s in 1 s .. 9 s\nrule r when x { stop gps for sky at most sky times }\ntest \"t\" { at sky set battery.level = sky  at sky reload  expect r by sky  expect r at sky }"
      ),
      (
        "zone home = circle 48 11 radius 5 m\nlet a = inside(‸home) or exit(home)",
        "zone sky = circle 48 11 radius 5 m\nlet a = inside(sky) or exit(sky)"
      ),
      (
        "machine m starts a‸ { state a { goto b when x } state b { goto a when y } }\nlet x = m is a or m in [a, b]",
        "machine m starts sky { state sky { goto b when x } state b { goto sky when y } }\nlet x = m is sky or m in [sky, b]"
      ),
      (
        "budget all_day = 5 J per day on gps { at 80 % { } }\nlet x = all_‸day > 5 %\ntest \"t\" { expect x because all_day-80  expect x because all_day }",
        "budget sky = 5 J per day on gps { at 80 % { } }\nlet x = sky > 5 %\ntest \"t\" { expect x because sky-80  expect x because sky }"
      ),
      (
        "zone ho‸me = circle 48 11 radius 5 m\nrule a always { watch home on gps }",
        "zone sky = circle 48 11 radius 5 m\nrule a always { watch sky on gps }"
      ),
      (
        "rule r‸ always { }\ntest \"r\" { expect r and not r by 5 min because r }",
        "rule sky always { }\ntest \"r\" { expect sky and not sky by 5 min because sky }"
      ),
      (
        "machine m starts a { state a‸ { } state b { } }\ntest \"t\" { expect m is a because m-a  expect m is a because m-b-a }",
        "machine m starts sky { state sky { } state b { } }\ntest \"t\" { expect m is sky because m-sky  expect m is sky because m-b-sky }"
      ),
      (
        "schedule night = 22:00..06:00\nlet x = not (time in ‸night)",
        "schedule sky = 22:00..06:00\nlet x = not (time in sky)"
      ),
    ])
  func everyUse(_ marked: String, _ expected: String) throws {
    let head = "policy \"test\"\n"
    #expect(try renamed(head + marked, to: "sky") == head + expected)
  }

  @Test("a rule is renamed in the other open policies too")
  func acrossPolicies() throws {
    let other = "file:///policies/other.stint"
    let source = CursorSource("policy \"test\"\nrule p‸ack always { }\n")
    var editor = try EditorDouble(source.text)
    editor.open("policy \"other\"\nrule pack over test/pack always { }\n", as: other)
    let result = try editor.request(
      "textDocument/rename", source.parameters(0, [JSONMember("newName", "hold")]))
    #expect(
      applied(
        result["changes"]?[other]?.items ?? [], to: "policy \"other\"\nrule pack over test/pack always { }\n")
        == "policy \"other\"\nrule pack over test/hold always { }\n")
  }

  @Test(
    "an invalid new name is rejected with the reason",
    arguments: [
      ("9lives", "not a name"), ("", "not a name"), ("a b", "not a name"), ("naïve", "not a name"),
      ("far", "line 3"),
      ("and", "word of the language"), ("rule", "word of the language"), ("true", "word of the language"),
    ])
  func refused(_ name: String, _ reason: String) throws {
    let message = try refusal(
      "policy \"test\"\nlet ne‸ar = battery.level > 5 %\nlet far = not near\n", to: name)
    #expect(message?.contains(reason) == true)
  }

  @Test("only names that a policy declares can be renamed")
  func notDeclared() throws {
    let marked = "policy \"test\"\nuse location.gnss as gps\nrule a while gps.acc‸uracy > 5 m { stop gps }\n"
    #expect(try refusal(marked, to: "sky")?.contains("declares") == true)
    let source = CursorSource(marked)
    var editor = try EditorDouble(source.text)
    #expect(try editor.request("textDocument/prepareRename", source.parameters()).isNull)
  }

  @Test("prepareRename returns the range and the current name")
  func prepare() throws {
    let source = CursorSource("policy \"test\"\nrule a over other/pa‸ck always { }\n")
    var editor = try EditorDouble(source.text)
    let result = try editor.request("textDocument/prepareRename", source.parameters())
    #expect(result["placeholder"]?.string == "pack")
    #expect(result["range"]?.enclosed(in: source.text) == "pack")
  }
}
