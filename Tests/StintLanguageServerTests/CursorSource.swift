import StintFormats

/// A policy with marked cursors: `stop ‸gps` becomes the text `stop gps` and the position of the mark.
struct CursorSource {
  let text: String
  /// The positions of the cursors, in UTF-16 units as in the protocol.
  let positions: [JSONValue]

  init(_ marked: String) {
    var text = ""
    var positions: [JSONValue] = []
    var line = 0
    var character = 0
    for scalar in marked.unicodeScalars {
      if scalar == "‸" {
        positions.append(["line": JSONValue(line), "character": JSONValue(character)])
        continue
      }
      text.unicodeScalars.append(scalar)
      character += scalar.value > 0xFFFF ? 2 : 1
      if scalar == "\n" {
        line += 1
        character = 0
      }
    }
    self.text = text
    self.positions = positions
  }

  func parameters(_ cursor: Int = 0, _ more: [JSONMember] = []) -> JSONValue {
    JSONValue(
      [
        JSONMember("textDocument", ["uri": JSONValue(EditorDouble.uri)]),
        JSONMember("position", positions[cursor]),
      ] + more)
  }
}

extension JSONValue {
  /// Returns the part of a text that this range covers. Returns `…` when the range ends on another line, and
  /// an empty string when the range is invalid.
  func enclosed(in text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0.utf16) }
    guard let start = self["start"], let end = self["end"], let line = start["line"]?.integer,
      let from = start["character"]?.integer, let to = end["character"]?.integer,
      lines.indices.contains(Int(line))
    else { return "" }
    guard end["line"]?.integer == line else { return "…" }
    return String(decoding: lines[Int(line)][Int(from)..<Int(to)], as: UTF16.self)
  }

  /// The start of a range as `line:character`.
  var start: String {
    "\(self["start"]?["line"]?.integer ?? -1):\(self["start"]?["character"]?.integer ?? -1)"
  }
}

/// Returns a text with edits applied from last to first, as an editor applies them.
func applied(_ edits: [JSONValue], to text: String) -> String {
  var units = Array(text.utf16)
  func offset(_ position: JSONValue?) -> Int {
    var offset = 0
    for _ in 0..<(position?["line"]?.integer ?? 0) {
      while offset < units.count, units[offset] != 0x0A { offset += 1 }
      offset = min(offset + 1, units.count)
    }
    return min(offset + Int(position?["character"]?.integer ?? 0), units.count)
  }
  let ranges = edits.map { edit in
    (offset(edit["range"]?["start"])..<offset(edit["range"]?["end"]), edit["newText"]?.string ?? "")
  }
  for (range, new) in ranges.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
    units.replaceSubrange(range, with: Array(new.utf16))
  }
  return String(decoding: units, as: UTF16.self)
}
