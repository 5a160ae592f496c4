/// A language server with its stream: it takes received bytes and returns the bytes to send.
public struct LanguageServerSession {
  private var server: LanguageServer
  private var framing = MessageFraming()

  /// Makes a session for a server.
  public init(_ server: LanguageServer) { self.server = server }

  /// True when the editor has sent `exit`.
  public var hasEnded: Bool { server.hasEnded }

  /// True when the editor has sent `shutdown`.
  public var hasEndedWell: Bool { server.hasEndedWell }

  /// Handles received bytes, including incomplete messages, and returns the bytes to send.
  ///
  /// Pass true for `isDrained` when all received input has been passed. The server then computes the
  /// diagnostics, once for all edits since the previous computation.
  public mutating func receive(_ bytes: some Sequence<UInt8>, isDrained: Bool) -> [UInt8] {
    framing.append(bytes)
    while let frame = framing.next() {
      switch frame {
      case .message(let message):
        if !server.receive(message) { framing.resynchronize() }
      case .malformed(let sentence):
        server.refuse(sentence)
      }
    }
    let replies = server.drainReplies() + (isDrained ? server.settle() : [])
    return replies.flatMap(MessageFraming.framed)
  }
}
