import StintFormats
import StintModel
import StintUnits
import Testing

@testable import StintServices

@Suite struct TransferClientCommandTests {
  private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws(Problem) -> Value {
    try JSONValueDecoder(file: "message").decode(
      type, from: try JSONReader.value(of: text, source: "message"))
  }

  @Test("each command is read with its settings")
  func commands() throws {
    #expect(
      try decode(
        TransferClientCommand.self,
        #"{"task":"a","download":"https://maps.example/a","bytes_down":9000,"window":"2 h","urgent":true}"#)
        == .task(
          "a",
          TransferRequest(
            .download(from: "https://maps.example/a"), bytesDown: 9000, window: .hours(2), isUrgent: true)))
    #expect(
      try decode(TransferClientCommand.self, #"{"task":"b","upload":"/b","to":"https://maps.example/b"}"#)
        == .task("b", TransferRequest(.upload(file: "/b", to: "https://maps.example/b"))))
    #expect(try decode(TransferClientCommand.self, #"{"cancel":"a"}"#) == .cancel("a"))
    #expect(try decode(TransferClientCommand.self, #"{"promote":"a"}"#) == .promote("a"))
    #expect(try decode(TransferClientCommand.self, #"{"credentials":"a"}"#) == .credentials("a"))
    #expect(try decode(TransferClientCommand.self, #"{"received":"a"}"#) == .received("a"))
  }

  @Test(
    "an invalid command gives an error with the reason",
    arguments: [
      ("{}", "a command has exactly one of task, cancel, promote, credentials, received"),
      (#"{"cancel":"a","promote":"a"}"#, "exactly one of"),
      (#"{"task":"a"}"#, "the key “download” is missing"),
      (#"{"task":"a","upload":"/a"}"#, "the key “to” is missing"),
      (#"{"task":"a","download":7}"#, "expected a string"),
      (#"{"task":"a","download":"x","bytes_down":"9 kB"}"#, "expected an integer"),
      (#"{"task":"a","download":"x","window":"2 m"}"#, "window"),
      (#"{"cancel":"a","urgnt":true}"#, "urgnt"),
    ])
  func invalid(_ text: String, _ reason: String) {
    let error = #expect(throws: Problem.self) { try decode(TransferClientCommand.self, text) }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test("missing settings of a session have their defaults, and unknown settings are an error")
  func configuration() throws {
    #expect(try decode(TransferConfiguration.self, "{}") == TransferConfiguration())
    let session = try decode(TransferConfiguration.self, #"{"discretionary":true,"window":"2 h"}"#)
    var expected = TransferConfiguration.discretionary
    expected.window = .hours(2)
    #expect(session == expected)
    #expect(throws: Problem.self) { try decode(TransferConfiguration.self, #"{"discretionry":true}"#) }
  }
}
