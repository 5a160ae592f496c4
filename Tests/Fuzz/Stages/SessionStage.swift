import StintFormats
import StintLanguageServer

/// Uses arbitrary bytes as a policy in an editor and as actions on this policy. The actions are opening,
/// edits, requests and invalid messages. Every request must be answered, and after all edits the server must
/// have the text that the editor shows.
///
/// The bytes after the last zero byte select the actions. If there is no zero byte, the last 24 bytes of the
/// policy select them.
enum SessionStage {
  static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
    let end = bytes.lastIndex(of: 0)
    let text = String(decoding: bytes[..<(end ?? bytes.count)], as: UTF8.self)
    var script = Script(end.map { bytes[($0 + 1)...].prefix(64) } ?? bytes.suffix(24))
    var editor = FuzzEditor()
    try editor.open(text)
    while !script.isOver { try act(&editor, &script) }
    try editor.requireSameAsOpenedAnew()
    let last = try editor.request("shutdown", .null)
    try FuzzFinding.unless(last["error"] == nil, "the server does not end: \(JSONWriter.text(of: last))")
  }

  private static func act(_ editor: inout FuzzEditor, _ script: inout Script) throws(FuzzFinding) {
    switch script.number(below: 10) {
    case 0, 1, 2: try editor.edit(&script)
    case 3, 4: try editor.ask(script.pick(methods), &script)
    case 5: try editor.sendNonsense(&script)
    case 6: try editor.misplaceEdit(&script)
    case 7: try editor.toggleNeighbour()
    case 8: try editor.closeAndOpen()
    default: try editor.settle()
    }
  }

  private static let methods = [
    "completion", "hover", "definition", "references", "documentHighlight", "prepareRename", "rename",
    "codeAction", "formatting", "semanticTokens/full", "documentSymbol",
  ]
}
