import StintLanguageServer

/// Uses arbitrary bytes as the output of an editor. The answers must be complete messages, and must not
/// depend on how the bytes are split.
enum FramingStage {
  static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
    let size = Int(bytes.first ?? 0) % 61 + 1
    var whole = session()
    let answer = whole.receive(bytes, isDrained: false)
    _ = try Answers.read(answer)

    var torn = session()
    var answers: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      answers += torn.receive(rest.prefix(size), isDrained: false)
      rest = rest.dropFirst(size)
    }
    try FuzzFinding.unless(answers == answer, "the answers differ when the bytes arrive \(size) at a time")
    _ = try Answers.read(whole.receive([], isDrained: true))
  }

  /// Returns a session after its initialization.
  private static func session() -> LanguageServerSession {
    var session = LanguageServerSession(LanguageServer(vocabulary: Phone.vocabulary))
    let begin = #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}}"#
    _ = session.receive(
      Array("Content-Length: \(begin.utf8.count)\r\n\r\n\(begin)".utf8), isDrained: false)
    return session
  }
}
