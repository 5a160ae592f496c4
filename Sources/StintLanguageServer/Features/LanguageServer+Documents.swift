import StintFormats

extension LanguageServer {
  mutating func open(_ parameters: JSONValue) throws(ResponseError) {
    let item = try parameters.part("textDocument")
    let identifier = try item.text("uri")
    documents[identifier] = Document(
      identifier: identifier, version: item["version"] ?? .null, text: try item.text("text"))
    changed.insert(identifier)
  }

  mutating func change(_ parameters: JSONValue) throws(ResponseError) {
    let identifier = try parameters.documentIdentifier()
    var document = try document(identifier)
    // Removing the document first keeps its text uniquely referenced; otherwise every change would copy the
    // text.
    documents[identifier] = nil
    defer {
      documents[identifier] = document
      changed.insert(identifier)
    }
    for change in try parameters.list("contentChanges") { try document.apply(change, encoding) }
    document.version = parameters["textDocument"]?["version"] ?? .null
  }

  mutating func close(_ parameters: JSONValue) throws(ResponseError) {
    let identifier = try parameters.documentIdentifier()
    _ = try document(identifier)
    documents[identifier] = nil
    changed.insert(identifier)
  }

  /// Returns an open document.
  ///
  /// - Throws: `ResponseError` when no document with this identifier is open.
  func document(_ identifier: String) throws(ResponseError) -> Document {
    guard let document = documents[identifier] else {
      throw ResponseError(.invalidParameters, "no document “\(identifier)” is open")
    }
    return document
  }
}
