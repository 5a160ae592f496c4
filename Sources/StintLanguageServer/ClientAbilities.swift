import StintFormats

/// What the editor can show, as it said itself.
struct ClientAbilities: Hashable, Sendable {
  /// Symbols within symbols.
  var nestsSymbols = false
  /// Descriptions in Markdown; plain text otherwise.
  var showsMarkdown = false
  /// Which other places a diagnostic has to do with.
  var relatesPlaces = false

  init() {}

  /// Reads the `capabilities` of an `initialize`.
  init(_ capabilities: JSONValue) {
    let document = capabilities["textDocument"]
    nestsSymbols = document?["documentSymbol"]?["hierarchicalDocumentSymbolSupport"]?.boolean ?? false
    let formats = document?["hover"]?["contentFormat"]?.items ?? []
    showsMarkdown = formats.contains { $0.string == "markdown" }
    relatesPlaces = document?["publishDiagnostics"]?["relatedInformation"]?.boolean ?? false
  }
}
