import StintFormats
import StintTestSupport
import Testing

@testable import StintLanguageServer

@Suite("Language server: framing")
struct FramingTests {
  /// Returns all frames of a stream that arrives in pieces.
  private func frames(_ pieces: [String]) -> [MessageFraming.Frame] {
    var framing = MessageFraming()
    var frames: [MessageFraming.Frame] = []
    for piece in pieces {
      framing.append(Array(piece.utf8))
      while let frame = framing.next() { frames.append(frame) }
    }
    return frames
  }

  private func texts(_ frames: [MessageFraming.Frame]) -> [String] {
    frames.map {
      switch $0 {
      case .message(let bytes): String(decoding: bytes, as: UTF8.self)
      case .malformed(let sentence): "! \(sentence)"
      }
    }
  }

  @Test("the field Content-Length gives the length of a message, and other fields are ignored")
  func whole() {
    let stream =
      "Content-Length: 2\r\n\r\n{}content-length:3\r\nContent-Type: application/json\r\n\r\n[1]Content-Length: 0\r\n\r\n"
    #expect(texts(frames([stream])) == ["{}", "[1]", ""])
  }

  @Test("a message that arrives byte by byte is returned after its last byte")
  func byteByByte() {
    let stream = "Content-Length: 7\r\n\r\n{\"a\":1}Content-Length: 2\r\n\r\n{}"
    #expect(texts(frames(stream.map { String($0) })) == [#"{"a":1}"#, "{}"])
  }

  @Test("an incomplete message returns no frame")
  func half() {
    #expect(frames(["Content-Length: 20\r\n\r\n{\"a\":1}"]).isEmpty)
    #expect(frames(["Content-Le"]).isEmpty)
  }

  @Test(
    "an invalid header is reported once, and the next header is found",
    arguments: [
      ("garbage\r\n\r\n", "a header contains a line that is not a field"),
      ("garbage without end of line ", "a header contains a line that is not a field"),
      ("Content-Length: many\r\n\r\n", "a header has no valid length"),
      ("Content-Length: -5\r\n\r\n", "a header has no valid length"),
      ("Content-Length: 1\r\nContent-Length: 2\r\n\r\n", "a header has no valid length"),
      ("Content-Type: text\r\n\r\n", "a header has no Content-Length"),
      ("\r\n\r\n", "a header contains a line that is not a field"),
      (
        "Content-Length: 99999999999\r\n\r\n",
        "a message of 99999999999 bytes is too long; the limit is 67108864"
      ),
      ("Content-Length: 99999999999999999999\r\n\r\n", "a header has no valid length"),
      (String(repeating: "x", count: 5000), "a header has no end"),
    ])
  func malformed(_ garbage: String, _ sentence: String) {
    let found = texts(frames([garbage, "Content-Length: 2\r\n\r\n{}"]))
    #expect(found.first == "! \(sentence)")
    #expect(found.last == "{}")
    #expect(found.count == 2)
  }

  @Test("a message is found even when the header of the previous message contains too large a length")
  func tooLong() throws {
    let good = #"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"#
    let stream =
      "Content-Length: 60\r\n\r\n{}" + "Content-Length: \(good.utf8.count)\r\n\r\n\(good)"
    let replies = try Self.replies(to: [Array(stream.utf8)])
    #expect(replies.map { $0["error"]?["code"]?.integer } == [-32_700, -32_002])
  }

  @Test(
    "after random bytes, all responses are JSON and the server still answers", arguments: 0..<40)
  func seededNonsense(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let initialize = #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#
    var pieces: [[UInt8]] = []
    for _ in 0..<60 { pieces.append(Self.piece(initialize, &random)) }
    // Spaces complete any pending message, so the next header cannot be part of an earlier message.
    let last = #"{"jsonrpc":"2.0","id":"last","method":"initialize","params":{}}"#
    pieces.append(Array(String(repeating: " ", count: 70_000).utf8))
    pieces.append(Array("\r\n\r\nContent-Length: \(last.utf8.count)\r\n\r\n\(last)".utf8))
    let replies = try Self.replies(to: pieces)
    let answer = try #require(replies.last)
    #expect(answer["id"]?.string == "last")
    // The server was initialized earlier, or by this message.
    #expect(answer["result"] != nil || answer["error"]?["code"]?.integer == -32_600)
  }

  private static func piece(_ message: String, _ random: inout SeededGenerator) -> [UInt8] {
    let length = message.utf8.count
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      return (0..<Int.random(in: 1..<80, using: &random)).map { _ in .random(in: 0...255, using: &random) }
    case 1: return Array("Content-Length: \(Int.random(in: 0..<60_000, using: &random))\r\n\r\n".utf8)
    case 2:
      return Array(
        "Content-Length: \(length - Int.random(in: 1..<40, using: &random))\r\n\r\n\(message)".utf8)
    case 3:
      return Array(
        "Content-Length: \(length + Int.random(in: 1..<40, using: &random))\r\n\r\n\(message)".utf8)
    case 4: return Array(message.utf8.prefix(Int.random(in: 1..<length, using: &random)))
    case 5: return Array("content-length:\(length)\r\nX: y\r\n\r\n\(message)".utf8)
    case 6: return Array("\r\n".utf8)
    default:
      var bytes = Array("Content-Length: \(length)\r\n\r\n\(message)".utf8)
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      return bytes
    }
  }

  /// Returns the replies of a new server to a stream.
  private static func replies(to pieces: [[UInt8]]) throws -> [JSONValue] {
    var session = LanguageServerSession(LanguageServer(vocabulary: try EditorDouble.vocabulary.get()))
    var answers = MessageFraming()
    for piece in pieces { answers.append(session.receive(piece, isDrained: true)) }
    var replies: [JSONValue] = []
    while let frame = answers.next() {
      guard case .message(let bytes) = frame else {
        Issue.record("the server sent an invalid frame: \(frame)")
        continue
      }
      replies.append(try JSONReader.value(of: bytes, source: "reply"))
    }
    return replies
  }
}
