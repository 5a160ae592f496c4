import StintFormats
import StintLanguage
import Synchronization
import Testing

@testable import StintLanguageServer

@Suite("Language server: load and invalid input")
struct LoadTests {
  /// Counts the checks and records their texts.
  private final class CheckCount: Sendable {
    private let texts = Mutex<[String]>([])

    /// The text of the first policy of each check, in order.
    var all: [String] { texts.withLock { $0 } }

    func add(_ sources: [SourceText]) { texts.withLock { $0.append(sources.first?.text ?? "") } }
  }

  /// Returns an initialized session that counts its checks.
  private func session(_ count: CheckCount) throws -> LanguageServerSession {
    let server = LanguageServer(vocabulary: try EditorDouble.vocabulary.get()) { sources, vocabulary in
      count.add(sources)
      return LanguageServer.standardCheck(sources, vocabulary)
    }
    var session = LanguageServerSession(server)
    _ = session.receive(
      Self.framed(["jsonrpc": "2.0", "id": 0, "method": "initialize", "params": [:]]), isDrained: true)
    return session
  }

  private static func framed(_ message: JSONValue) -> [UInt8] { framed(JSONWriter.text(of: message)) }

  private static func framed(_ text: String) -> [UInt8] {
    Array("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8)
  }

  private static func opening(_ uri: String, _ text: String) -> [UInt8] {
    let document: JSONValue = ["uri": JSONValue(uri), "version": 1, "text": JSONValue(text)]
    return framed([
      "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": ["textDocument": document],
    ])
  }

  /// Returns the message of an edit that inserts a text at the beginning of a line.
  private static func typing(_ text: String, _ uri: String, line: Int, version: Int) -> [UInt8] {
    let place: JSONValue = ["line": JSONValue(line), "character": 0]
    return framed([
      "jsonrpc": "2.0", "method": "textDocument/didChange",
      "params": [
        "textDocument": ["uri": JSONValue(uri), "version": JSONValue(version)],
        "contentChanges": [["range": ["start": place, "end": place], "text": JSONValue(text)]],
      ],
    ])
  }

  /// Returns the messages in a stream that a session sent.
  private static func messages(_ stream: [UInt8]) throws -> [JSONValue] {
    var framing = MessageFraming()
    framing.append(stream)
    var messages: [JSONValue] = []
    while let frame = framing.next() {
      guard case .message(let bytes) = frame else {
        Issue.record("the server sent an invalid frame: \(frame)")
        continue
      }
      messages.append(try JSONReader.value(of: bytes, source: "reply"))
    }
    return messages
  }

  @Test("a thousand edits in one burst lead to one check, of the last text", arguments: [1 << 16, 1000, 37])
  func oneBurst(piece: Int) throws {
    let count = CheckCount()
    var session = try session(count)
    _ = session.receive(Self.opening("file:///a", "policy \"test\"\n"), isDrained: true)
    #expect(count.all.count == 1)
    var rest = (0..<1000).flatMap { Self.typing("x", "file:///a", line: 1, version: $0 + 2) }[...]
    var answer: [UInt8] = []
    while !rest.isEmpty {
      let more = rest.prefix(piece)
      rest = rest.dropFirst(piece)
      answer += session.receive(more, isDrained: rest.isEmpty)
    }
    #expect(count.all.count == 2)
    #expect(count.all.last == "policy \"test\"\n" + String(repeating: "x", count: 1000))
    let published = try Self.messages(answer)
    #expect(published.count == 1)
    #expect(published.first?["params"]?["version"]?.integer == 1001)
    #expect(published.first?["params"]?["diagnostics"]?.items?.count == 1)
  }

  @Test("a burst of edits leads to one check for each changed document and no check for unchanged documents")
  func manyDocuments() throws {
    let count = CheckCount()
    var session = try session(count)
    for number in 0..<10 {
      _ = session.receive(Self.opening("file:///\(number)", "policy \"p\(number)\"\n"), isDrained: true)
    }
    #expect(count.all.count == 10)
    let edits = (0..<1000).flatMap {
      Self.typing("x", "file:///\($0 % 2 * 7)", line: 1, version: $0 + 2)
    }
    _ = session.receive(edits, isDrained: true)
    #expect(count.all.count == 12)
    _ = session.receive([], isDrained: true)
    #expect(count.all.count == 12, "no document has changed since the last check")
  }

  @Test("a thousand requests that need no diagnostics lead to no check, and are answered in order")
  func requests() throws {
    let count = CheckCount()
    var session = try session(count)
    _ = session.receive(
      Self.opening("file:///a", "policy \"test\"\nuse location.gnss as gps\n"), isDrained: true)
    let asked = (0..<1000).flatMap { number in
      Self.framed([
        "jsonrpc": "2.0", "id": JSONValue(number), "method": "textDocument/hover",
        "params": [
          "textDocument": ["uri": "file:///a"], "position": ["line": 1, "character": JSONValue(number % 30)],
        ],
      ])
    }
    let answers = try Self.messages(session.receive(asked, isDrained: true))
    #expect(answers.map { $0["id"]?.integer ?? -1 } == (0..<1000).map { Int64($0) })
    #expect(count.all.count == 1)
  }

  @Test("a message has no effect before its last byte arrives")
  func halfMessage() throws {
    let count = CheckCount()
    var session = try session(count)
    let opening = Self.opening("file:///a", "polizy\n")
    for end in [1, 10, 20, opening.count / 2, opening.count - 1] {
      var session = try self.session(count)
      #expect(session.receive(opening[..<end], isDrained: true).isEmpty)
      #expect(count.all.isEmpty)
    }
    #expect(session.receive(opening.dropLast(), isDrained: true).isEmpty)
    let answers = try Self.messages(session.receive(opening.suffix(1), isDrained: true))
    #expect(answers.map { $0["method"]?.string } == ["textDocument/publishDiagnostics"])
    #expect(count.all == ["polizy\n"])
  }

  @Test(
    "headers whose lengths include all later headers cause few error replies, and the server recovers"
  )
  func nestedHeaders() throws {
    // The length in each header covers all following bytes, so each message contains all later headers.
    let depth = 4000
    let stream =
      (0..<depth).flatMap { number -> [UInt8] in
        let rest = (depth - number - 1) * 26
        return Array("Content-Length: \(100_000 + rest)\r\n\r\n".utf8)
      } + Array(repeating: 0x20, count: 100_000)
    var session = try session(CheckCount())
    let answers = try Self.messages(session.receive(stream, isDrained: true))
    #expect(answers.count <= 40)
    #expect(answers.allSatisfy { $0["error"]?["code"]?.integer == -32_700 })
    let last = try Self.messages(
      session.receive(Self.framed(#"{"jsonrpc":"2.0","id":9,"method":"shutdown"}"#), isDrained: true))
    #expect(last.last?["id"]?.integer == 9)
  }
}
