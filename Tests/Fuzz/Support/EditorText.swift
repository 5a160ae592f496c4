import StintFormats

/// A text as a language client stores it: an array of UTF-16 code units, with the simplest
/// possible implementation.
struct EditorText {
  private(set) var units: [UInt16]

  init(_ text: String) { units = Array(text.utf16) }

  var text: String { String(decoding: units, as: UTF16.self) }

  /// Returns the largest offset at or before `offset` that splits neither a surrogate pair nor CR LF. Clamps
  /// an offset outside the text.
  func boundary(at offset: Int) -> Int {
    guard offset > 0, offset < units.count else { return min(max(offset, 0), units.count) }
    let isCut = units[offset] & 0xFC00 == 0xDC00 || (units[offset] == 0x0A && units[offset - 1] == 0x0D)
    return isCut ? offset - 1 : offset
  }

  /// Returns the line and the character of a boundary, as a position of the Language Server Protocol.
  func position(of offset: Int) -> JSONValue {
    var line = 0
    var start = 0
    for (index, unit) in units[..<offset].enumerated() {
      let isEnd = unit == 0x0A || (unit == 0x0D && (index + 1 >= units.count || units[index + 1] != 0x0A))
      guard isEnd else { continue }
      line += 1
      start = index + 1
    }
    return ["line": JSONValue(line), "character": JSONValue(offset - start)]
  }

  /// Replaces the text between two boundaries. Returns the change in the format of `textDocument/didChange`.
  mutating func replace(_ range: Range<Int>, with text: String) -> JSONValue {
    let change: JSONValue = [
      "range": ["start": position(of: range.lowerBound), "end": position(of: range.upperBound)],
      "text": JSONValue(text),
    ]
    units.replaceSubrange(range, with: Array(text.utf16))
    return change
  }
}
