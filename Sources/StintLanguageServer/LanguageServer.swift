import StintFormats
public import StintLanguage
public import StintModel

/// What an editor asks of policies, after the Language Server Protocol: a function from messages to messages.
///
/// It keeps no time and starts no task; its creator reads files that are not open. Edits only mark documents;
/// what is wrong with them is worked out once when the caller says, with `transferDone()`, that no message waits.
public struct LanguageServer {
  /// Finds everything that is wrong with policies that are loaded together.
  public typealias Check = @Sendable ([SourceText], Vocabulary) -> [Diagnostic]

  /// The policies that stand beside a document, open or not, each under the address that editors use.
  public typealias Neighbours = @Sendable (_ address: String) -> [SourceText]

  /// How far the conversation has come.
  enum Phase: Hashable, Sendable {
    case beforeInitialize, running, shutDown, ended
  }

  let vocabulary: Vocabulary
  let check: Check
  let neighbours: Neighbours
  var phase = Phase.beforeInitialize
  var encoding = PositionEncoding.utf16
  /// What the editor can show.
  var abilities = ClientAbilities()
  /// By identifier.
  var documents: [String: Document] = [:]
  /// Documents whose diagnostics may have changed.
  var changed: Set<String> = []
  /// Documents for which there are diagnostics on the editor's screen.
  var published: Set<String> = []
  var replies: [JSONValue] = []
  /// True when the editor said `shutdown` before `exit`.
  private var wasShutDown = false

  /// Makes a server for policies that are checked against a vocabulary.
  public init(
    vocabulary: Vocabulary, check: @escaping Check = LanguageServer.standardCheck,
    neighbours: @escaping Neighbours = { _ in [] }
  ) {
    self.vocabulary = vocabulary
    self.neighbours = neighbours
    self.check = check
  }

  /// The checker and, once it finds no error, the analyses.
  public static func standardCheck(_ sources: [SourceText], _ vocabulary: Vocabulary) -> [Diagnostic] {
    let (policies, diagnostics) = Checker.check(sources, vocabulary: vocabulary)
    guard !diagnostics.contains(where: { $0.severity == .error }) else { return diagnostics }
    return diagnostics + Analysis.run(policies, vocabulary: vocabulary).map(\.diagnostic)
  }

  /// Whether the editor has said `exit`.
  public var hasEnded: Bool { phase == .ended }

  /// Whether the conversation ended as it should: `shutdown`, then `exit` or the end of the input.
  public var hasEndedWell: Bool { wasShutDown }

  /// Takes one message, without its header, and gives the answers, without theirs.
  public mutating func handle(_ message: [UInt8]) -> [[UInt8]] {
    receive(message)
    return drainReplies()
  }

  /// Publishes the diagnostics of everything that has changed.
  public mutating func settle() -> [[UInt8]] {
    publishDiagnostics()
    return drainReplies()
  }

  /// Takes one message; false when it is no JSON.
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

  /// Answers something that is no message.
  mutating func refuse(_ sentence: String) { reply(to: nil, ResponseError(.parseError, sentence)) }

  mutating func reply(to id: JSONValue, _ error: ResponseError) {
    replies.append(Message.response(to: id, error))
  }

  /// Tells the person in front of the editor, in its log.
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
        throw ResponseError(.notInitialized, "the first request is initialize, and this is \(message.method)")
      }
      let result = initialize(message.parameters)
      phase = .running
      return result
    case .running:
      if message.method == "initialize" {
        throw ResponseError(.invalidRequest, "initialize was sent already")
      }
      if message.method == "shutdown" {
        phase = .shutDown
        wasShutDown = true
        return nil
      }
      return try result(of: message.method, message.parameters)
    case .shutDown, .ended:
      throw ResponseError(.invalidRequest, "the server was shut down; only exit may follow")
    }
  }
}
