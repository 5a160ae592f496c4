import StintFormats

/// A text as an editor holds it: in UTF-16, changed and counted in the plainest way.
struct EditorText {
  private(set) var units: [UInt16]

  init(_ text: String) { units = Array(text.utf16) }

  var text: String { String(decoding: units, as: UTF16.self) }

  /// The nearest offset, at or before this one, that cuts neither a character nor a line's end.
  func boundary(at offset: Int) -> Int {
    guard offset > 0, offset < units.count else { return min(max(offset, 0), units.count) }
    let isCut = units[offset] & 0xFC00 == 0xDC00 || (units[offset] == 0x0A && units[offset - 1] == 0x0D)
    return isCut ? offset - 1 : offset
  }

  /// The place of a boundary, as editors write it.
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

  /// Puts a text in the place of a stretch between boundaries, and gives the change as editors send it.
  mutating func replace(_ range: Range<Int>, with text: String) -> JSONValue {
    let change: JSONValue = [
      "range": ["start": position(of: range.lowerBound), "end": position(of: range.upperBound)],
      "text": JSONValue(text),
    ]
    units.replaceSubrange(range, with: Array(text.utf16))
    return change
  }
}
