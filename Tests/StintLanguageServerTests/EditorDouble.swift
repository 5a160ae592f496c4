import StintFormats
import StintLanguage
import StintLanguageServer
import StintModel
import StintSimulation
import Testing

/// A test double of an editor with one open policy, connected to a server without a stream.
struct EditorDouble {
  static let uri = "file:///policies/test.stint"

  var server: LanguageServer
  private var identifier: Int64 = 0
  private(set) var version: Int64 = 1
  /// The diagnostics that were published last, by document.
  private(set) var diagnostics: [String: [JSONValue]] = [:]
  private(set) var logged: [String] = []

  /// Sends `initialize`.
  init(_ capabilities: JSONValue = EditorDouble.everything, vocabulary: Vocabulary? = nil) throws {
    server = LanguageServer(vocabulary: try vocabulary ?? Self.vocabulary.get())
    _ = try request("initialize", ["processId": .null, "capabilities": capabilities])
    notify("initialized", [:])
  }

  /// Sends `initialize` and opens a policy.
  init(
    _ text: String, _ capabilities: JSONValue = EditorDouble.everything, vocabulary: Vocabulary? = nil
  ) throws {
    try self.init(capabilities, vocabulary: vocabulary)
    open(text)
  }

  /// The capabilities of an editor that supports everything; positions are in UTF-16 units.
  static let everything: JSONValue = [
    "textDocument": [
      "documentSymbol": ["hierarchicalDocumentSymbolSupport": true],
      "hover": ["contentFormat": ["markdown", "plaintext"]],
      "publishDiagnostics": ["relatedInformation": true],
    ]
  ]

  static let vocabulary = Result { Vocabulary(manifests: try ReferencePhone.manifests()) }

  // MARK: Conversation

  /// Returns the result of a request; an error fails the test.
  mutating func request(_ method: String, _ parameters: JSONValue) throws -> JSONValue {
    let reply = try reply(to: method, parameters)
    return try #require(reply["result"], "\(JSONWriter.text(of: reply))")
  }

  /// Returns the complete response to a request.
  mutating func reply(to method: String, _ parameters: JSONValue) throws -> JSONValue {
    identifier += 1
    let replies = exchange([
      "jsonrpc": "2.0", "id": JSONValue(identifier), "method": JSONValue(method), "params": parameters,
    ])
    return try #require(replies.last { $0["id"]?.integer == identifier })
  }

  mutating func notify(_ method: String, _ parameters: JSONValue) {
    _ = exchange(["jsonrpc": "2.0", "method": JSONValue(method), "params": parameters])
  }

  mutating func open(_ text: String, as uri: String = EditorDouble.uri) {
    notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": JSONValue(uri), "languageId": "stint", "version": JSONValue(version),
          "text": JSONValue(text),
        ]
      ])
  }

  mutating func change(_ changes: [JSONValue], of uri: String = EditorDouble.uri) {
    version += 1
    notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": JSONValue(uri), "version": JSONValue(version)],
        "contentChanges": JSONValue(changes),
      ])
  }

  /// Makes the server compute and publish diagnostics.
  mutating func settle() { take(server.settle()) }

  /// Returns the codes of the published diagnostics of a document, in order.
  mutating func codes(of uri: String = EditorDouble.uri) -> [String] {
    settle()
    return diagnostics[uri, default: []].compactMap { $0["code"]?.string }
  }

  private mutating func exchange(_ message: JSONValue) -> [JSONValue] {
    take(server.handle(Array(JSONWriter.text(of: message).utf8)))
  }

  @discardableResult
  private mutating func take(_ replies: [[UInt8]]) -> [JSONValue] {
    let messages = replies.compactMap { bytes in
      Result { try JSONReader.value(of: bytes, source: "reply") }.success
    }
    #expect(messages.count == replies.count, "every reply is JSON")
    for message in messages {
      switch message["method"]?.string {
      case "textDocument/publishDiagnostics":
        let uri = message["params"]?["uri"]?.string ?? ""
        diagnostics[uri] = message["params"]?["diagnostics"]?.items ?? []
      case "window/logMessage": logged.append(message["params"]?["message"]?.string ?? "")
      default: continue
      }
    }
    return messages
  }
}

extension Result {
  fileprivate var success: Success? {
    guard case .success(let value) = self else { return nil }
    return value
  }
}
