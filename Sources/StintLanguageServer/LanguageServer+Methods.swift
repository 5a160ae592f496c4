import StintFormats

extension LanguageServer {
  /// Answers `initialize`: what both sides can do.
  mutating func initialize(_ parameters: JSONValue) -> JSONValue {
    let capabilities = parameters["capabilities"] ?? [:]
    let offered = capabilities["general"]?["positionEncodings"]?.items ?? []
    encoding = offered.contains { $0.string == PositionEncoding.utf8.rawValue } ? .utf8 : .utf16
    abilities = ClientAbilities(capabilities)
    return [
      "capabilities": [
        "positionEncoding": JSONValue(encoding.rawValue),
        "textDocumentSync": ["openClose": true, "change": 2],
      ],
      "serverInfo": ["name": "stint"],
    ]
  }

  /// Takes a notification; unknown ones are passed over, as the protocol asks.
  mutating func take(_ method: String, _ parameters: JSONValue) throws(ResponseError) {
    switch method {
    case "textDocument/didOpen": try open(parameters)
    case "textDocument/didChange": try change(parameters)
    case "textDocument/didClose": try close(parameters)
    default: return
    }
  }

  /// Answers a request.
  mutating func result(of method: String, _ parameters: JSONValue) throws(ResponseError) -> JSONValue {
    switch method {
    default: throw ResponseError(.methodNotFound, "there is no method “\(method)” here")
    }
  }
}
