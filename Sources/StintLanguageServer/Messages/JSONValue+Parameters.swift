import StintFormats

extension JSONValue {
  /// True for null. A comparison with `==` is not reliable: parsed values contain their position, so two
  /// nulls can be unequal.
  var isNull: Bool { content == .null }

  /// Returns the value of a required key.
  func part(_ name: String) throws(ResponseError) -> JSONValue {
    guard let part = self[name] else {
      throw ResponseError(.invalidParameters, "the parameters lack “\(name)”")
    }
    return part
  }

  /// Returns the string of a required key.
  func text(_ name: String) throws(ResponseError) -> String {
    guard let text = try part(name).string else {
      throw ResponseError(.invalidParameters, "“\(name)” must be a string")
    }
    return text
  }

  /// Returns the array of a required key.
  func list(_ name: String) throws(ResponseError) -> [JSONValue] {
    guard let items = try part(name).items else {
      throw ResponseError(.invalidParameters, "“\(name)” must be an array")
    }
    return items
  }

  /// Returns the identifier of the document of a request.
  func documentIdentifier() throws(ResponseError) -> String {
    try part("textDocument").text("uri")
  }

  /// Returns a position, `{"line": 3, "character": 14}`.
  func position() throws(ResponseError) -> TextPosition {
    guard let line = self["line"]?.integer, let character = self["character"]?.integer else {
      throw ResponseError(.invalidParameters, "a position needs the integers line and character")
    }
    return TextPosition(line: Int(clamping: line), character: Int(clamping: character))
  }

  /// Returns a range, `{"start": …, "end": …}`.
  func range() throws(ResponseError) -> Range<TextPosition> {
    let start = try part("start").position()
    let end = try part("end").position()
    return min(start, end)..<max(start, end)
  }
}
