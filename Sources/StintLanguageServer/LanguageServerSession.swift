/// A server with the stream that it speaks through: bytes in, bytes out.
public struct LanguageServerSession {
  private var server: LanguageServer
  private var framing = MessageFraming()

  /// Makes a session.
  public init(_ server: LanguageServer) { self.server = server }

  /// Whether the editor has said `exit`.
  public var hasEnded: Bool { server.hasEnded }

  /// Whether the conversation ended as it should.
  public var hasEndedWell: Bool { server.hasEndedWell }

  /// Takes what has arrived, half messages too, and gives what is to be sent.
  ///
  /// Pass true for `isDrained` when no more input waits; it then computes diagnostics, once for all edits
  /// since the last time.
  public mutating func receive(_ bytes: some Sequence<UInt8>, isDrained: Bool) -> [UInt8] {
    framing.append(bytes)
    while let frame = framing.next() {
      switch frame {
      case .message(let message):
        if !server.receive(message) { framing.resynchronize() }
      case .nonsense(let sentence):
        server.refuse(sentence)
      }
    }
    let replies = server.drainReplies() + (isDrained ? server.settle() : [])
    return replies.flatMap(MessageFraming.framed)
  }
}
