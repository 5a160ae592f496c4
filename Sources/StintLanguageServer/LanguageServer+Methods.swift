import StintFormats

extension LanguageServer {
  /// Handles `initialize`: stores the capabilities of the editor and returns those of the server.
  mutating func initialize(_ parameters: JSONValue) -> JSONValue {
    let capabilities = parameters["capabilities"] ?? [:]
    let offered = capabilities["general"]?["positionEncodings"]?.items ?? []
    encoding = offered.contains { $0.string == PositionEncoding.utf8.rawValue } ? .utf8 : .utf16
    abilities = EditorCapabilities(capabilities)
    return [
      "capabilities": [
        "positionEncoding": JSONValue(encoding.rawValue),
        "textDocumentSync": ["openClose": true, "change": 2],
        "completionProvider": ["triggerCharacters": [".", "/"]],
        "definitionProvider": true, "referencesProvider": true, "documentHighlightProvider": true,
        "renameProvider": ["prepareProvider": true], "hoverProvider": true, "documentSymbolProvider": true,
        "codeActionProvider": ["codeActionKinds": ["quickfix"]], "documentFormattingProvider": true,
        "semanticTokensProvider": ["legend": SemanticTokens.legend, "full": true],
      ],
      "serverInfo": ["name": "stint"],
    ]
  }

  /// Handles a notification. Unknown notifications are ignored, as the protocol requires.
  mutating func take(_ method: String, _ parameters: JSONValue) throws(ResponseError) {
    switch method {
    case "textDocument/didOpen": try open(parameters)
    case "textDocument/didChange": try change(parameters)
    case "textDocument/didClose": try close(parameters)
    default: return
    }
  }

  /// Returns the result of a request.
  ///
  /// - Throws: `ResponseError` when the method is unknown or the request fails.
  mutating func result(of method: String, _ parameters: JSONValue) throws(ResponseError) -> JSONValue {
    switch method {
    case "textDocument/completion": return try completion(parameters)
    case "textDocument/definition": return try definition(parameters)
    case "textDocument/references": return try references(parameters)
    case "textDocument/documentHighlight": return try highlights(parameters)
    case "textDocument/prepareRename": return try prepareRename(parameters)
    case "textDocument/rename": return try rename(parameters)
    case "textDocument/hover": return try hover(parameters)
    case "textDocument/documentSymbol": return try symbols(parameters)
    case "textDocument/codeAction": return try codeActions(parameters)
    case "textDocument/formatting": return try formatting(parameters)
    case "textDocument/semanticTokens/full":
      let document = try document(parameters.documentIdentifier())
      return SemanticTokens(ParsedDocument(document, vocabulary: vocabulary)).data(encoding)
    default: throw ResponseError(.methodNotFound, "unknown method “\(method)”")
    }
  }
}
