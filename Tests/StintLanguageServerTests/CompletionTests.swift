import StintFormats
import Testing

@testable import StintLanguageServer

@Suite("Language server: completion")
struct CompletionTests {
  private static let head = """
    policy "test"
    use location.gnss as gps
    use radio.cellular as cell
    let near = gps.accuracy < 20 m
    param far = 5 km in 1 km .. 9 km
    param soon = 5 min in 1 min .. 9 min
    schedule night = 22:00..06:00
    zone home = circle 48.1 11.5 radius 150 m
    machine trip starts parked { state parked { } state riding { } }
    budget trail = 1500 J per day on gps { }
    rule pack always { }

    """

  private func candidates(_ marked: String, head: String = head) throws -> [JSONValue] {
    let source = CursorSource(head + marked)
    var editor = try EditorDouble(source.text)
    return try editor.request("textDocument/completion", source.parameters()).items ?? []
  }

  private func labels(_ marked: String, head: String = head) throws -> [String] {
    try candidates(marked, head: head).compactMap { $0["label"]?.string }
  }

  @Test(
    "completions that are valid at the cursor are offered, and invalid completions are not",
    arguments: [
      // The line, expected completions, and unexpected completions.
      ("‸", ["rule", "let", "machine"], ["stop", "and", "gps"]),
      ("ru‸", ["rule"], ["stop"]),
      ("use ‸", ["location.gnss", "radio.wifi"], ["gps", "near"]),
      ("use location.‸", ["location.gnss"], ["near"]),
      ("use radio.wifi ‸", ["as", "where"], ["rule"]),
      ("use radio.wifi as wifi ‸", ["required"], ["as"]),
      (
        "let a = ‸", ["gps.accuracy", "near", "battery.level", "known", "not", "far", "trail", "trip"],
        ["pack", "stop", "location.gnss.accuracy"]
      ),
      ("let a = gps.‸", ["gps.accuracy"], ["stop"]),
      ("let a = ‸", ["client.accuracy", "client.name", "client.background"], ["client.on", "grant"]),
      ("rule r while ‸", ["client.accuracy"], ["grant"]),
      ("test \"t\" { expect ‸", ["grant", "gps.on"], ["client.accuracy"]),
      ("require ‸", ["gps.on"], ["client.accuracy", "grant"]),
      ("machine m starts a { state a { goto b when ‸", ["gps.on"], ["client.accuracy"]),
      ("machine m starts a { state a { rule r while ‸", ["client.accuracy"], ["grant"]),
      ("let a = client.‸", ["client.accuracy", "client.may_background"], ["stop"]),
      ("let a = client.accuracy > 5 ‸", ["m", "km"], ["s", "%"]),
      ("let a = client.activity is ‸", ["fitness"], ["near"]),
      ("let a = near and ‸", ["gps.accuracy", "near"], ["and"]),
      ("let a = near ‸", ["and", "or", "for"], ["near"]),
      ("let a = gps.accuracy > 5 ‸", ["m", "km"], ["s", "%"]),
      ("let a = gps.accuracy > 5‸", ["m", "km"], ["s"]),
      ("let a = gps.accuracy > 5 k‸", ["km"], ["s"]),
      ("let a = gps.accuracy > ‸", ["far", "gps.accuracy"], ["soon", "not"]),
      ("let a = battery.level below 20 ‸", ["%"], ["m"]),
      ("let a = battery.level below 20 % release 25 ‸", ["%"], ["m"]),
      ("let a = battery.level between 20 % and 25 ‸", ["%"], ["m"]),
      ("let a = clamp(gps.accuracy, 5 ‸", ["m"], ["s"]),
      ("let a = respite(gps, 50 ‸", ["m"], ["s"]),
      ("let a = trail >= 80 ‸", ["%"], ["m"]),
      ("let a = age(gps.accuracy) > 5 ‸", ["s", "min"], ["m"]),
      ("let a = near for 5 ‸", ["s", "min"], ["m"]),
      ("let a = near in ‸", ["last", "night"], ["near"]),
      ("let a = time in ‸", ["night"], []),
      ("let a = motion.activity is ‸", ["still", "walking", "not"], ["near"]),
      ("let a = motion.activity is not ‸", ["still", "walking"], ["near", "not"]),
      ("let a = motion.activity in [‸", ["still", "walking"], ["near"]),
      ("let a = motion.activity in [still, ‸", ["walking"], ["near"]),
      ("let a = trip is ‸", ["parked", "riding"], ["still"]),
      ("let a = app.state is back‸", ["background"], ["still"]),
      ("let a = known(‸", ["gps.accuracy"], ["near", "known"]),
      ("let a = trend(gps.accuracy, 90 ‸", ["s", "min"], ["m"]),
      ("let a = trend(gps.accuracy, 90 s) > 5 ‸", ["m"], ["s"]),
      ("let a = demanded(‸", ["gps", "location.wifi"], ["near", "gps.accuracy"]),
      ("let a = inside(‸", ["home"], ["near"]),
      ("param a = 5 ‸", ["m", "s", "%", "MB"], []),
      ("param a = 5 m ‸", ["in"], ["m"]),
      ("param a = 5 m in 2 ‸", ["m", "km"], ["s"]),
      ("schedule a = ‸", ["mon", "weekdays"], ["near"]),
      ("zone a = ‸", ["circle", "beacon"], ["near"]),
      ("zone a = circle 48 11 ‸", ["radius"], ["circle"]),
      ("zone a = circle 48 11 radius 5 ‸", ["m", "km"], ["s"]),
      ("zone a = circle 48 11 radius 5 m ‸", ["enter_after", "exit_after"], ["radius"]),
      ("default ‸", ["gps", "cell"], ["near"]),
      ("default gps { ‸", ["accuracy", "activity", "linger", "max_age", "background"], ["near", "stop"]),
      ("default gps { acc‸ }", ["accuracy"], ["stop"]),
      ("default gps { accuracy 10 ‸", ["m"], ["s"]),
      ("default gps { accuracy 10 m  ‸", ["activity"], ["m"]),
      ("default gps { activity ‸", ["fitness"], ["activity"]),
      ("default gps { linger 5 ‸", ["s"], ["m"]),
      ("rule a ‸", ["while", "when", "every", "always", "over"], ["stop"]),
      ("rule a \"why\" ‸", ["while", "over"], ["stop"]),
      ("rule a over ‸", ["pack", "trail"], ["gps"]),
      ("rule a over pack ‸", ["while"], ["over"]),
      ("rule a while ‸", ["near", "gps.accuracy"], ["stop"]),
      ("rule a when near ‸", ["at", "and"], ["near"]),
      ("rule a when near at ‸", ["most"], ["near"]),
      ("rule a every 5 ‸", ["s", "min"], ["m"]),
      ("rule a every 5 min ‸", ["flex", "if"], ["s"]),
      ("rule a every 5 min if ‸", ["near"], ["flex"]),
      ("rule a always { ‸", ["stop", "batch", "emit"], ["near", "rule"]),
      ("rule a always {\n  stop gps\n  ‸\n}", ["pause", "except"], ["near"]),
      ("rule a always { stop ‸", ["gps", "cell", "location.wifi"], ["near"]),
      ("rule a always { stop [gps, ‸", ["cell"], ["near"]),
      ("rule a always { downgrade gps ‸", ["to"], ["near"]),
      ("rule a always { downgrade gps to ‸", ["far"], ["soon", "near"]),
      ("rule a always { downgrade gps to 5 ‸", ["m", "Hz", "per"], ["s"]),
      ("rule a always { batch gps until ‸", ["far", "soon"], ["near"]),
      ("rule a always { batch gps until 5 ‸", ["m", "min", "items", "MB"], ["%"]),
      ("rule a always { batch gps until 5 min or ‸", ["far"], ["near"]),
      ("rule a always { defer cell until ‸", ["near"], ["stop"]),
      ("rule a always { defer cell until near ‸", ["deadline", "and"], ["near"]),
      ("rule a always { defer cell until near deadline 5 ‸", ["h"], ["m"]),
      ("rule a always { start gps with { ‸", ["accuracy"], ["linger", "stop"]),
      ("rule a always { start gps with { accuracy 5 m } ‸", ["stop"], ["accuracy"]),
      ("rule a when near { stop gps for 5 ‸", ["s", "min"], ["m"]),
      ("rule a when near { stop gps for 5 min ‸", ["doubling", "at"], ["m"]),
      ("rule a always { watch ‸", ["home"], ["near", "gps"]),
      ("rule a always { watch home ‸", ["on"], ["home"]),
      ("rule a always { watch home on ‸", ["gps"], ["home"]),
      ("machine a ‸", ["starts"], ["state"]),
      ("machine a starts ‸ { state one { } }", ["one"], ["near"]),
      ("machine a starts one { ‸", ["state"], ["stop"]),
      ("machine a starts one { state one { ‸", ["goto", "rule", "stop"], ["state"]),
      ("machine a starts one { state one { goto ‸ } state two { } }", ["one", "two"], ["parked"]),
      ("machine a starts one { state one { goto two when ‸", ["near"], ["two"]),
      ("machine a starts one { state one { rule r while ‸", ["near"], ["goto"]),
      ("machine a starts one { state one { rule r while near { ‸", ["stop"], ["goto"]),
      ("budget a = 5 ‸", ["J", "Wh"], ["m"]),
      ("budget a = 5 J per ‸", ["hour", "day", "week"], ["J"]),
      ("budget a = 5 J per day ‸", ["on", "from"], ["day"]),
      ("budget a = 5 J per day on ‸", ["gps"], ["near"]),
      ("budget a = 5 J per day on gps { ‸", ["at"], ["stop"]),
      ("budget a = 5 J per day on gps { at 80 ‸", ["%"], ["m"]),
      ("budget a = 5 J per day on gps { at 80 % { ‸", ["stop"], ["at"]),
      ("require ‸", ["near"], ["stop"]),
      ("test \"t\" { ‸", ["given", "at", "expect"], ["near"]),
      ("test \"t\" { given ‸", ["battery.level"], ["near"]),
      ("test \"t\" { given battery.level = 80 ‸", ["%"], ["m"]),
      ("test \"t\" { given motion.activity = ‸", ["still"], ["near"]),
      ("test \"t\" { at 5 ‸", ["min"], ["m"]),
      ("test \"t\" { at 5 min ‸", ["set", "attach", "detach", "reload"], ["given"]),
      ("test \"t\" { at 5 min set ‸", ["battery.level"], ["near"]),
      ("test \"t\" { at 5 min attach \"app\" on ‸", ["gps"], ["near"]),
      ("test \"t\" { at 5 min attach \"app\" with { ‸", [], ["stop"]),
      ("test \"t\" { expect ‸", ["near", "pack"], ["given"]),
      ("test \"t\" { expect gps is ‸", ["off"], ["near"]),
      ("test \"t\" { expect near ‸", ["at", "by", "because"], ["near"]),
      ("test \"t\" { expect near by 5 ‸", ["min"], ["m"]),
      ("test \"t\" { expect near by 5 min because ‸", ["pack"], ["near"]),
    ])
  func offered(_ marked: String, _ wanted: [String], _ unwanted: [String]) throws {
    let labels = try labels(marked)
    for label in wanted { #expect(labels.contains(label), "\(labels)") }
    for label in unwanted { #expect(!labels.contains(label), "\(labels)") }
  }

  @Test("“policy” is offered in an empty file, and “version” after the name of the policy")
  func header() throws {
    #expect(try labels("‸", head: "") == ["policy"])
    #expect(try labels("pol‸", head: "") == ["policy"])
    #expect(try labels("policy \"a\" ‸", head: "").contains("version"))
  }

  @Test(
    "no completion is offered within strings and comments",
    arguments: ["# stop g‸ps", "rule a \"stop ‸", "rule a \"stop ‸\" always { }", "let a = near # ‸"])
  func silent(_ marked: String) throws {
    #expect(try labels(marked).isEmpty)
  }

  @Test("a completion replaces the typed text, including the whole path or the whole name of a rule")
  func replaced() throws {
    func replaced(_ marked: String, by label: String) throws -> String {
      let source = CursorSource(Self.head + marked)
      let found = try candidates(marked).first { $0["label"]?.string == label }
      let edit = try #require(found?["textEdit"])
      return String(applied([edit], to: source.text).dropFirst(Self.head.count))
    }
    #expect(try replaced("let a = gps.acc‸", by: "gps.accuracy") == "let a = gps.accuracy")
    #expect(try replaced("let a = gps.‸", by: "gps.speed") == "let a = gps.speed")
    #expect(try replaced("rule a over pa‸ck always { }", by: "pack") == "rule a over pack always { }")
    #expect(try replaced("let a = gps.accuracy > 5‸", by: "km") == "let a = gps.accuracy > 5 km")
  }

  @Test("rules of other open policies are offered after “over”")
  func foreignRules() throws {
    let source = CursorSource("policy \"test\"\nrule a over other-one/p‸ always { }\n")
    var editor = try EditorDouble(source.text)
    editor.open("policy \"other-one\"\nrule pack always { }\n", as: "file:///policies/other.stint")
    let items = try editor.request("textDocument/completion", source.parameters()).items ?? []
    let rule = try #require(items.first { $0["label"]?.string == "other-one/pack" })
    #expect(rule["textEdit"]?["range"]?.enclosed(in: source.text) == "other-one/p")
  }

  @Test("the best completions come first, and each completion is offered once")
  func order() throws {
    let candidates = try candidates("let a = gps.accuracy > ‸")
    let labels = candidates.compactMap { $0["label"]?.string }
    #expect(Set(labels).count == labels.count)
    let sorted = candidates.sorted { ($0["sortText"]?.string ?? "") < ($1["sortText"]?.string ?? "") }
    #expect(sorted.first?["label"]?.string == "far")
  }
}
