import StintFormats
import Testing

@testable import StintLanguageServer

@Suite("Language server: protocol")
struct ProtocolTests {
  private func replies(to messages: [String]) throws -> [JSONValue] {
    var server = LanguageServer(vocabulary: try EditorDouble.vocabulary.get())
    return try messages.flatMap { server.handle(Array($0.utf8)) }.map {
      try JSONReader.value(of: $0, source: "reply")
    }
  }

  private static let initialize = #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#

  @Test(
    "the reply to an invalid message contains the JSON-RPC error code of the mistake",
    arguments: [
      ("{", -32_700, "null"), ("", -32_700, "null"), ("{} x", -32_700, "null"),
      ("[]", -32_600, "null"), ("7", -32_600, "null"), ("{}", -32_600, "null"),
      (#"{"jsonrpc":"1.0","id":3,"method":"shutdown"}"#, -32_600, "3"),
      (#"{"jsonrpc":"2.0","id":3,"method":4}"#, -32_600, "3"),
      (#"{"jsonrpc":"2.0","id":{},"method":"shutdown"}"#, -32_600, "null"),
      (#"{"jsonrpc":"2.0","id":1.5,"method":"shutdown"}"#, -32_600, "null"),
      (#"{"jsonrpc":"2.0","id":"a","method":"stint/brew"}"#, -32_601, "\"a\""),
      (#"{"jsonrpc":"2.0","id":5,"method":"initialize"}"#, -32_600, "5"),
    ])
  func errors(_ message: String, _ code: Int64, _ identifier: String) throws {
    let all = try replies(to: [Self.initialize, message])
    #expect(all.count == 2)
    let last = try #require(all.last)
    #expect(last["error"]?["code"]?.integer == code)
    #expect(last["error"]?["message"]?.string?.isEmpty == false)
    #expect(last["id"].map { JSONWriter.text(of: $0) } == identifier)
  }

  @Test("before initialize, requests are rejected and notifications are ignored")
  func beforeInitialize() throws {
    let open =
      #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"a","text":""}}}"#
    let all = try replies(to: [
      #"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}}"#, open, Self.initialize,
      #"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#,
    ])
    #expect(all.map { $0["error"]?["code"]?.integer } == [-32_002, nil, nil])
  }

  @Test("responses and unknown notifications are ignored")
  func passedOver() throws {
    let all = try replies(to: [
      Self.initialize, #"{"jsonrpc":"2.0","id":9,"result":null}"#,
      #"{"jsonrpc":"2.0","method":"$/setTrace"}"#,
      #"{"jsonrpc":"2.0","method":"no/such"}"#,
    ])
    #expect(all.count == 1)
  }

  @Test("after shutdown, a request is rejected, and exit ends the session normally")
  func shutdown() throws {
    var server = LanguageServer(vocabulary: try EditorDouble.vocabulary.get())
    let script = [
      Self.initialize, #"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"textDocument/hover"}"#,
    ]
    let replies = try script.flatMap { server.handle(Array($0.utf8)) }.map {
      try JSONReader.value(of: $0, source: "reply")
    }
    #expect(replies.map { $0["error"]?["code"]?.integer } == [nil, nil, -32_600])
    #expect(!server.hasEnded)
    _ = server.handle(Array(#"{"jsonrpc":"2.0","method":"exit"}"#.utf8))
    #expect(server.hasEnded && server.hasEndedWell)
  }

  @Test("exit without shutdown ends the session abnormally, and later requests get no reply")
  func badEnd() throws {
    var server = LanguageServer(vocabulary: try EditorDouble.vocabulary.get())
    _ = server.handle(Array(#"{"jsonrpc":"2.0","method":"exit"}"#.utf8))
    #expect(server.hasEnded && !server.hasEndedWell)
    #expect(server.handle(Array(Self.initialize.utf8)).isEmpty)
  }

  @Test("the server chooses UTF-8 positions if the editor supports them, otherwise UTF-16 positions")
  func encodings() throws {
    func chosen(_ capabilities: String) throws -> String? {
      try replies(to: [
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":\#(capabilities)}}"#
      ]).first?["result"]?["capabilities"]?["positionEncoding"]?.string
    }
    #expect(try chosen("{}") == "utf-16")
    #expect(try chosen(#"{"general":{"positionEncodings":["utf-16","utf-32"]}}"#) == "utf-16")
    #expect(try chosen(#"{"general":{"positionEncodings":["utf-16","utf-8"]}}"#) == "utf-8")
  }
}
