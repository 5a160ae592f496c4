import StintFormats

/// The capabilities of the editor, from its `initialize` request.
struct EditorCapabilities: Hashable, Sendable {
  /// True when the editor accepts an outline with nested symbols.
  var nestsSymbols = false
  /// True when the editor shows Markdown in hovers; false means plain text.
  var showsMarkdown = false
  /// True when the editor shows the related positions of a diagnostic.
  var supportsRelatedInformation = false

  init() {}

  /// Reads the `capabilities` of an `initialize` request.
  init(_ capabilities: JSONValue) {
    let document = capabilities["textDocument"]
    nestsSymbols = document?["documentSymbol"]?["hierarchicalDocumentSymbolSupport"]?.boolean ?? false
    let formats = document?["hover"]?["contentFormat"]?.items ?? []
    showsMarkdown = formats.contains { $0.string == "markdown" }
    supportsRelatedInformation = document?["publishDiagnostics"]?["relatedInformation"]?.boolean ?? false
  }
}
