import StintFormats

/// The error of a request that has no result.
struct ResponseError: Error, Hashable, Sendable {
  /// The error code of JSON-RPC or the Language Server Protocol.
  struct Code: Hashable, Sendable {
    let number: Int64

    static let parseError = Code(number: -32_700)
    static let invalidRequest = Code(number: -32_600)
    static let methodNotFound = Code(number: -32_601)
    static let invalidParameters = Code(number: -32_602)
    static let notInitialized = Code(number: -32_002)
    /// The request is valid but cannot be carried out.
    static let requestFailed = Code(number: -32_803)
  }

  var code: Code
  var message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The error in the format of the protocol.
  var json: JSONValue { ["code": JSONValue(code.number), "message": JSONValue(message)] }
}
