import StintFormats
import StintLanguageServer

/// A language client with one open policy. It checks the answers of a `LanguageServer`.
struct FuzzEditor {
  private static let document = "file:///policies/fuzz.stint"
  private static let neighbour = "file:///policies/neighbour.stint"
  private static let pieces = [
    "", " ", "\n", "\r\n", "\r", "{", "}", "(", "\"", "#", ".", "/", "x", "é", "😀", "\u{FEFF}", "rule r ",
    "over other/pack ", "gps.", " and ", "5 m", "policy \"other\"\n", "\u{0}", "let a = a\n", "in last ",
  ]

  private var server = LanguageServer(vocabulary: Phone.vocabulary)
  private var shown = EditorText("")
  private var version = 0
  private var identifier = 0
  private var showsNeighbour = false

  /// Sends `initialize`.
  init() {
    _ = server.handle(
      Array(#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}}"#.utf8))
  }

  // MARK: Documents

  mutating func open(_ text: String) throws(FuzzFinding) {
    shown = EditorText(text)
    try open(text, as: Self.document)
  }

  mutating func closeAndOpen() throws(FuzzFinding) {
    try notify("textDocument/didClose", ["textDocument": ["uri": JSONValue(Self.document)]])
    try settle()
    try open(shown.text, as: Self.document)
  }

  /// Opens or closes a second policy; the two policies refer to each other's rules.
  mutating func toggleNeighbour() throws(FuzzFinding) {
    let uri = JSONValue(Self.neighbour)
    showsNeighbour.toggle()
    guard showsNeighbour else {
      return try notify("textDocument/didClose", ["textDocument": ["uri": uri]])
    }
    try open(
      """
      policy "other"
      use location.gnss as gps
      rule pack over fuzz/pack while gps.on { batch gps until 1 min }
      """, as: Self.neighbour)
  }

  private mutating func open(_ text: String, as uri: String) throws(FuzzFinding) {
    version += 1
    try notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": JSONValue(uri), "languageId": "stint", "version": JSONValue(version),
          "text": JSONValue(text),
        ]
      ])
  }

  private mutating func change(_ changes: [JSONValue]) throws(FuzzFinding) {
    version += 1
    let document: JSONValue = ["uri": JSONValue(Self.document), "version": JSONValue(version)]
    try notify(
      "textDocument/didChange", ["textDocument": document, "contentChanges": JSONValue(changes)])
  }

  // MARK: Acts

  /// Changes one to three ranges in one message.
  mutating func edit(_ script: inout Script) throws(FuzzFinding) {
    var changes: [JSONValue] = []
    for _ in 0...script.number(below: 3) {
      let start = shown.boundary(at: script.number(below: shown.units.count + 1))
      let end = shown.boundary(at: start + script.number(below: 8))
      changes.append(shown.replace(start..<max(start, end), with: script.pick(Self.pieces)))
    }
    try change(changes)
  }

  /// Sends a change whose range may lie outside the text. Then replaces the whole text, so that server and
  /// editor agree again.
  mutating func misplaceEdit(_ script: inout Script) throws(FuzzFinding) {
    let numbers: [Int64] = [0, 1, 3, 70, 70_000, -1, .max, .min]
    func place(_ script: inout Script) -> JSONValue {
      ["line": JSONValue(script.pick(numbers)), "character": JSONValue(script.pick(numbers))]
    }
    let range: JSONValue = ["start": place(&script), "end": place(&script)]
    try change([["range": range, "text": JSONValue(script.pick(Self.pieces))]])
    try change([["text": JSONValue(shown.text)]])
  }

  /// Sends the request `textDocument/method` for a random position and range.
  mutating func ask(_ method: String, _ script: inout Script) throws(FuzzFinding) {
    let start = shown.boundary(at: script.number(below: shown.units.count + 1))
    let end = shown.boundary(at: start + script.number(below: 20))
    let position = shown.position(of: start)
    let answer = try request(
      "textDocument/\(method)",
      [
        "textDocument": ["uri": JSONValue(Self.document)], "position": position,
        "range": ["start": position, "end": shown.position(of: max(start, end))],
        "newName": JSONValue(script.pick(["sky", "gps", "rule", "a b", "é", ""])),
        "context": ["includeDeclaration": JSONValue(start % 2 == 0), "diagnostics": []],
      ])
    guard method == "formatting", let edits = answer["result"]?.items else { return }
    try FuzzFinding.unless(edits.count <= 1, "formatting returns \(edits.count) edits")
  }

  /// Sends one message that is usually invalid: truncated, with wrong parameters, or with an unknown method.
  mutating func sendNonsense(_ script: inout Script) throws(FuzzFinding) {
    let uri = #""textDocument":{"uri":"\#(Self.document)"}"#
    let parameters = [
      "[]", "null", "7", "{}", "{\(uri)}", #"{"textDocument":7}"#, #"{\#(uri),"position":{"line":1.5}}"#,
      #"{\#(uri),"position":{"line":-3,"character":99999999999},"range":{"start":{},"end":7}}"#,
      #"{\#(uri),"contentChanges":7}"#, #"{\#(uri),"contentChanges":[{"range":{"start":{}},"text":""}]}"#,
    ]
    let methods = [
      "textDocument/hover", "textDocument/rename", "textDocument/codeAction", "textDocument/didChange",
      "textDocument/didOpen", "textDocument/completion", "initialize", "$/cancelRequest", "stint/brew", "",
    ]
    let id = script.pick([#""id":1,"#, "", #""id":null,"#, #""id":{},"#])
    let message =
      #"{"jsonrpc":"2.0",\#(id)"method":"\#(script.pick(methods))","params":\#(script.pick(parameters))}"#
    let bytes = Array(message.utf8)
    let cut = script.number(below: 3) == 0 ? bytes.prefix(script.number(below: bytes.count)) : bytes[...]
    for answer in server.handle(Array(cut)) { _ = try Answers.read(message: answer) }
  }

  mutating func settle() throws(FuzzFinding) {
    for answer in server.settle() { _ = try Answers.read(message: answer) }
  }

  // MARK: Invariants

  /// Opens the shown text under another name and checks that the answers for both documents are equal.
  mutating func requireSameAsOpenedAnew() throws(FuzzFinding) {
    let other = "file:///policies/anew.stint"
    try open(shown.text, as: other)
    for method in ["semanticTokens/full", "documentSymbol", "formatting"] {
      var answers: [String] = []
      for uri in [Self.document, other] {
        let answer = try request("textDocument/\(method)", ["textDocument": ["uri": JSONValue(uri)]])
        let text = JSONWriter.text(of: answer["result"] ?? answer["error"]?["code"] ?? .null)
        answers.append(text.replacing(uri, with: Self.document))
      }
      try FuzzFinding.unless(
        answers[0] == answers[1], "after the edits, \(method) is \(answers[0]), not \(answers[1])")
    }
    try notify("textDocument/didClose", ["textDocument": ["uri": JSONValue(other)]])
    try settle()
  }

  // MARK: Messages

  private mutating func notify(_ method: String, _ parameters: JSONValue) throws(FuzzFinding) {
    let answers = server.handle(
      Array(
        JSONWriter.text(of: ["jsonrpc": "2.0", "method": JSONValue(method), "params": parameters]).utf8))
    for answer in answers { _ = try Answers.read(message: answer) }
  }

  /// Sends a request and returns its single answer.
  mutating func request(_ method: String, _ parameters: JSONValue) throws(FuzzFinding) -> JSONValue {
    identifier += 1
    let message: JSONValue = [
      "jsonrpc": "2.0", "id": JSONValue("r\(identifier)"), "method": JSONValue(method), "params": parameters,
    ]
    let answers = server.handle(Array(JSONWriter.text(of: message).utf8))
    guard answers.count == 1, let answer = answers.first else {
      throw FuzzFinding("\(method) has \(answers.count) answers")
    }
    let json = try Answers.read(message: answer)
    try FuzzFinding.unless(
      json["id"]?.string == "r\(identifier)" && (json["result"] == nil) != (json["error"] == nil),
      "\(method) is answered with \(JSONWriter.text(of: json))")
    return json
  }
}
