import StintFormats

extension JSONValue {
  /// Whether it is null; those that were read know their place, so they differ from each other.
  var isNull: Bool { content == .null }

  /// The value of a key that must be there.
  func part(_ name: String) throws(ResponseError) -> JSONValue {
    guard let part = self[name] else {
      throw ResponseError(.invalidParameters, "the parameters lack “\(name)”")
    }
    return part
  }

  /// The text of a key that must be there.
  func text(_ name: String) throws(ResponseError) -> String {
    guard let text = try part(name).string else {
      throw ResponseError(.invalidParameters, "“\(name)” is a text")
    }
    return text
  }

  /// The list of a key that must be there.
  func list(_ name: String) throws(ResponseError) -> [JSONValue] {
    guard let items = try part(name).items else {
      throw ResponseError(.invalidParameters, "“\(name)” is a list")
    }
    return items
  }

  /// The identifier of the document that a request is about.
  func documentIdentifier() throws(ResponseError) -> String {
    try part("textDocument").text("uri")
  }

  /// A place, `{"line": 3, "character": 14}`.
  func position() throws(ResponseError) -> TextPosition {
    guard let line = self["line"]?.integer, let character = self["character"]?.integer else {
      throw ResponseError(.invalidParameters, "a position has a line and a character, both whole numbers")
    }
    return TextPosition(line: Int(clamping: line), character: Int(clamping: character))
  }

  /// A stretch, `{"start": …, "end": …}`.
  func range() throws(ResponseError) -> Range<TextPosition> {
    let start = try part("start").position()
    let end = try part("end").position()
    return min(start, end)..<max(start, end)
  }
}
