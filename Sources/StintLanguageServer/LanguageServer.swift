import StintFormats
public import StintLanguage
public import StintModel

/// A language server for policies that implements the Language Server Protocol as a function from messages to
/// messages.
///
/// The server reads no clock and starts no task. Its creator provides the files that are not open in the
/// editor. An edit only marks its document as changed. The caller requests the diagnostics with `settle()`
/// when no message waits, so the diagnostics are computed once for a burst of edits.
public struct LanguageServer {
  /// A function that returns all diagnostics of policies that are loaded together.
  public typealias Check = @Sendable ([SourceText], Vocabulary) -> [Diagnostic]

  /// A function that returns the policies in the folder of a document, open or not. The file name of each
  /// source text is its URI.
  public typealias Neighbours = @Sendable (_ address: String) -> [SourceText]

  /// The state of the protocol.
  enum Phase: Hashable, Sendable {
    case beforeInitialize, running, shutDown, ended
  }

  let vocabulary: Vocabulary
  let check: Check
  let neighbours: Neighbours
  var phase = Phase.beforeInitialize
  var encoding = PositionEncoding.utf16
  /// The capabilities of the editor.
  var abilities = EditorCapabilities()
  /// The open documents, by identifier (URI).
  var documents: [String: Document] = [:]
  /// The identifiers of documents whose diagnostics may have changed.
  var changed: Set<String> = []
  /// The identifiers of documents with published diagnostics.
  var published: Set<String> = []
  var replies: [JSONValue] = []
  /// True when the editor sent `shutdown` before `exit`.
  private var wasShutDown = false

  /// Makes a server that checks policies against a vocabulary.
  public init(
    vocabulary: Vocabulary, check: @escaping Check = LanguageServer.standardCheck,
    neighbours: @escaping Neighbours = { _ in [] }
  ) {
    self.vocabulary = vocabulary
    self.neighbours = neighbours
    self.check = check
  }

  /// Runs the checker and, when it finds no error, the analyses.
  public static func standardCheck(_ sources: [SourceText], _ vocabulary: Vocabulary) -> [Diagnostic] {
    let (policies, diagnostics) = Checker.check(sources, vocabulary: vocabulary)
    guard !diagnostics.contains(where: { $0.severity == .error }) else { return diagnostics }
    return diagnostics + Analysis.run(policies, vocabulary: vocabulary).map(\.diagnostic)
  }

  /// True when the editor has sent `exit`.
  public var hasEnded: Bool { phase == .ended }

  /// True when the editor has sent `shutdown`, so that `exit` or the end of the input is a regular end.
  public var hasEndedWell: Bool { wasShutDown }

  /// Handles one message without its header, and returns the replies without headers.
  public mutating func handle(_ message: [UInt8]) -> [[UInt8]] {
    receive(message)
    return drainReplies()
  }

  /// Returns messages that publish the diagnostics of the changed documents and of documents that name rules
  /// of other policies.
  public mutating func settle() -> [[UInt8]] {
    publishDiagnostics()
    return drainReplies()
  }

  /// Handles one message. Returns false when the bytes are not JSON.
  @discardableResult
  mutating func receive(_ message: [UInt8]) -> Bool {
    guard phase != .ended else { return true }
    let json: JSONValue
    do {
      json = try JSONReader.value(of: message, source: "message")
    } catch {
      refuse("\(error)")
      return false
    }
    do {
      try dispatch(Message(json))
    } catch {
      reply(to: Message.identifier(of: json), error)
    }
    return true
  }

  /// Replies with a parse error to bytes that are not a message.
  mutating func refuse(_ sentence: String) { reply(to: .null, ResponseError(.parseError, sentence)) }

  mutating func reply(to id: JSONValue, _ error: ResponseError) {
    replies.append(Message.response(to: id, error))
  }

  /// Sends an error message to the editor's log.
  mutating func log(_ sentence: String) {
    replies.append(Message.notification("window/logMessage", ["type": 1, "message": JSONValue(sentence)]))
  }

  mutating func drainReplies() -> [[UInt8]] {
    defer { replies.removeAll() }
    return replies.map { Array(JSONWriter.text(of: $0).utf8) }
  }

  // MARK: Phases

  private mutating func dispatch(_ message: Message) throws(ResponseError) {
    switch message.kind {
    case .response: return
    case .notification:
      if message.method == "exit" {
        phase = .ended
      } else if phase == .running {
        do {
          try take(message.method, message.parameters)
        } catch {
          log("\(message.method): \(error.message)")
        }
      }
    case .request(let id):
      let result = try answer(message)
      replies.append(Message.response(to: id, result))
    }
  }

  private mutating func answer(_ message: Message) throws(ResponseError) -> JSONValue {
    switch phase {
    case .beforeInitialize:
      guard message.method == "initialize" else {
        throw ResponseError(.notInitialized, "expected initialize as first request, found \(message.method)")
      }
      let result = initialize(message.parameters)
      phase = .running
      return result
    case .running:
      if message.method == "initialize" {
        throw ResponseError(.invalidRequest, "initialize was already sent")
      }
      if message.method == "shutdown" {
        phase = .shutDown
        wasShutDown = true
        return .null
      }
      return try result(of: message.method, message.parameters)
    case .shutDown, .ended:
      throw ResponseError(.invalidRequest, "the server is shut down; only exit is accepted")
    }
  }
}
