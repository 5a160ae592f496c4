import StintFormats
import Testing

@testable import StintLanguageServer

@Suite("Language server: hover")
struct HoverTests {
  private func hover(_ marked: String, _ capabilities: JSONValue = EditorDouble.everything) throws
    -> JSONValue
  {
    let source = CursorSource("policy \"test\"\nuse location.gnss as gps\n" + marked)
    var editor = try EditorDouble(source.text, capabilities)
    return try editor.request("textDocument/hover", source.parameters())
  }

  @Test(
    "the hover of a name contains its description",
    arguments: [
      ("let a = gps.accu‸racy > 5 m", "95 % radius of the last fix"),
      ("let a = gps.accu‸racy > 5 m", "type: length (cm, m, km, ft, mi)"),
      ("let a = gps.accu‸racy > 5 m", "range: 0 m .. 10 km"),
      ("let a = gps.accu‸racy > 5 m", "max_age: 10 s"),
      ("let a = gps.accu‸racy > 5 m", "published by location.gnss"),
      ("let a = gps.accu‸racy > 5 m", "power: off 0 W, standby 66 uW, search 75 mW, track 60 mW"),
      ("let a = motion.activity‸ is still", "type: one of"),
      ("let a = motion.activity is sti‸ll", "a word of motion.activity"),
      ("rule a always { stop g‸ps }", "power: off 0 W, standby 66 uW, search 75 mW, track 60 mW"),
      ("rule a always { stop g‸ps }", "location.gnss: "),
      ("rule a always { st‸op gps }", "Turns the device off"),
      ("let a = kno‸wn(gps.accuracy)", "Whether the fact has a value"),
      ("let far = gps.accuracy > 5 m\nlet b = not fa‸r", "let far = gps.accuracy > 5 m"),
      ("let far = gps.accuracy > 5 m\nlet b = not fa‸r", "type: a condition"),
      ("let far = gps.accuracy * 2\nlet b = fa‸r > 5 m", "type: length"),
      (
        "param far = 5 km in 1 km .. 9 km\nrule a always { batch gps until fa‸r }",
        "param far = 5 km in 1 km .. 9 km"
      ),
      ("let a = client.accu‸racy > 5 m", "the accuracy that the client requests"),
      ("let a = client.accu‸racy > 5 m", "type: length (cm, m, km, ft, mi)"),
      ("let a = client.accu‸racy > 5 m", "evaluated once for each demand"),
      ("let a = client.na‸me == \"app\"", "the name of the client, a string"),
      ("let a = client.backgro‸und", "whether the app is in the background"),
      ("let a = client.activity is fit‸ness", "a word of client.activity"),
      (
        "test \"t\" { expect gra‸nt(\"a\", gps) is paused at 1 s }",
        "In a test, the grant of a client on a device"
      ),
      ("default gps { accu‸racy 10 m }", "The required accuracy of samples"),
      ("default gps { accu‸racy 10 m }", "accuracy 5 m .. 3 km"),
      ("rule a wh‸ile gps.on { }", "exactly while the condition is true"),
      ("machine m starts a { state a { } }\nlet x = m‸ is a", "states: a"),
      ("rule p \"why\" while gps.on { }\nrule a over p‸ always { }", "rule p \"why\" while gps.on"),
      ("rule a over other/p‸ always { }", "a rule of the policy “other”"),
    ])
  func described(_ marked: String, _ wanted: String) throws {
    let result = try hover(marked)
    let value = result["contents"]?["value"]?.string ?? "nothing"
    #expect(value.contains(wanted), "\(value)")
  }

  @Test("the range of a hover is the range of the name")
  func range() throws {
    let result = try hover("let a = gps.accu‸racy > 5 m")
    #expect(result["range"]?.enclosed(in: "policy\n\nlet a = gps.accuracy > 5 m") == "accuracy")
  }

  @Test("an editor without Markdown support receives plain text")
  func plain() throws {
    let able = try hover("let a = gps.accu‸racy > 5 m")
    let plain = try hover("let a = gps.accu‸racy > 5 m", [:])
    #expect(able["contents"]?["kind"]?.string == "markdown")
    #expect(able["contents"]?["value"]?.string?.hasPrefix("```stint\nlocation.gnss.accuracy\n```") == true)
    #expect(plain["contents"]?["kind"]?.string == "plaintext")
    #expect(plain["contents"]?["value"]?.string?.contains("```") == false)
  }

  @Test(
    "a number, a comment and an unknown name have no hover",
    arguments: ["let a = 1‸2 m", "# whi‸le", "let a = nobo‸dy.knows"])
  func silent(_ marked: String) throws {
    #expect(try hover(marked).isNull)
  }

  @Test("the hover of a requirement reports whether it is proved")
  func requirements() throws {
    let proved = try hover("requ‸ire gps.on implies demanded(gps)")
    #expect(
      proved["contents"]?["value"]?.string?.contains("proved: location.gnss is on only for a demand") == true)
    let watched = try hover("requ‸ire battery.level > 3 %")
    #expect(
      watched["contents"]?["value"]?.string?.contains("watched: it depends only on facts and clients") == true
    )
  }
}
