import StintFormats
import StintLanguage
import StintLanguageServer
import StintModel
import StintUnits

/// Any bytes as what an editor sends, as one message, and as the text of a policy with a cursor in it: the answers are
/// messages, and JSON, and the server still answers what follows.
@c(LLVMFuzzerTestOneInput)
public func fuzzLanguageServer(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let size = Int(bytes.first ?? 0) + 1
  var session = LanguageServerSession(LanguageServer(vocabulary: vocabulary))
  if size % 2 == 0 { check(session.receive(framed(initialize), isDrained: false)) }
  var rest = bytes[...]
  while !rest.isEmpty {
    check(session.receive(rest.prefix(size), isDrained: true))
    rest = rest.dropFirst(size)
  }

  session = LanguageServerSession(LanguageServer(vocabulary: vocabulary))
  check(session.receive(framed(initialize), isDrained: true))
  check(session.receive(header(bytes.count) + bytes, isDrained: true))
  let answer = ask(bytes, in: &session)
  guard answer.contains("\"id\":\"last\"") else { fatalError("the server has fallen silent: \(answer)") }
  return 0
}

/// Opens the bytes as a policy and asks everything about one place in it.
private func ask(_ bytes: [UInt8], in session: inout LanguageServerSession) -> String {
  let text = JSONWriter.text(of: JSONValue(String(decoding: bytes, as: UTF8.self)))
  let document = #""textDocument":{"uri":"fuzz","version":1,"text":\#(text)}"#
  _ = session.receive(notification("textDocument/didOpen", document), isDrained: false)
  let place = #"{"line":\#(bytes.count { $0 == 0x0A } / 2),"character":\#(bytes.count % 40)}"#
  let edit = #""contentChanges":[{"range":{"start":\#(place),"end":\#(place)},"text":" x"}]"#
  check(session.receive(notification("textDocument/didChange", "\(document),\(edit)"), isDrained: true))
  let parameters =
    document + #","position":\#(place),"newName":"sky","range":{"start":\#(place),"end":\#(place)}"#
  for method in methods {
    let message = #"{"jsonrpc":"2.0","id":1,"method":"textDocument/\#(method)","params":{\#(parameters)}}"#
    check(session.receive(framed(message), isDrained: true))
  }
  let last = session.receive(framed(#"{"jsonrpc":"2.0","id":"last","method":"shutdown"}"#), isDrained: true)
  check(last)
  return String(decoding: last, as: UTF8.self)
}

private let methods = [
  "completion", "hover", "definition", "references", "documentHighlight", "prepareRename", "rename",
  "codeAction",
  "formatting", "semanticTokens/full", "documentSymbol",
]
private let initialize = #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}}"#
private let vocabulary = Vocabulary(manifests: [
  Manifest(
    device: "location.gnss", kind: .sensor, title: "",
    states: [
      PowerState(name: "off", power: .zero, isOn: false),
      PowerState(name: "on", power: Power(nanowatts: 1), isOn: true),
    ], verbs: Verb.allCases,
    attributes: [AttributeSchema(name: "accuracy", type: .quantity(.length), range: 5...3000)],
    facts: [
      FactSchema(path: "location.gnss.accuracy", type: .quantity(.length), maxAge: .seconds(10)),
      FactSchema(path: "motion.activity", type: .symbol(["still", "walking"])),
    ])
])

private func header(_ length: Int) -> [UInt8] { Array("Content-Length: \(length)\r\n\r\n".utf8) }

private func framed(_ message: String) -> [UInt8] { header(message.utf8.count) + Array(message.utf8) }

private func notification(_ method: String, _ parameters: String) -> [UInt8] {
  framed(#"{"jsonrpc":"2.0","method":"\#(method)","params":{\#(parameters)}}"#)
}

/// Ends the run unless the bytes are whole messages, and JSON.
private func check(_ answer: [UInt8]) {
  var rest = answer[...]
  while !rest.isEmpty {
    let prefix = Array("Content-Length: ".utf8)
    guard rest.starts(with: prefix) else { fatalError("an answer has no header") }
    let digits = rest.dropFirst(prefix.count).prefix { (0x30...0x39).contains($0) }
    let body = rest.dropFirst(prefix.count + digits.count + 4)
    guard let length = Int(String(decoding: digits, as: UTF8.self)), body.count >= length else {
      fatalError("an answer is cut")
    }
    do {
      _ = try JSONReader.value(of: Array(body.prefix(length)), source: "answer")
    } catch {
      fatalError("an answer is no JSON: \(error)")
    }
    rest = body.dropFirst(length)
  }
}
