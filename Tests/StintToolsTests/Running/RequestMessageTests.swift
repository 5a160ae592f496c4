import Testing

@testable import StintTools

@Suite struct RequestMessageTests {
  @Test(
    "a problem of a request names the user's option or operand, not the position in the message",
    arguments: [
      ("message:1:48: request.rate: expected a rate", "--rate: expected a rate"),
      ("message:1:48: request.kind: unknown kind of request", "KIND: unknown kind of request"),
      ("message:1:48: request.regions: expected a list", "--with: regions: expected a list"),
      (
        "message:1:9: request.accuracy: a: b; message:1:20: request.x: unknown key",
        "--accuracy: a: b; --with: x: unknown key"
      ),
      ("the user refused permission", "the user refused permission"),
    ])
  func options(cause: String, expected: String) {
    #expect(ClientRequestStream.namingOptions(cause) == expected)
  }
}
