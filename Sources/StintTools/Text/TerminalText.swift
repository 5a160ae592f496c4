/// Makes text safe to display: escapes characters that control the terminal or reverse the order of letters.
///
/// Names, faults and versions come from plugins, files and clients, so they may contain such characters. The
/// only control sequences that stay unchanged are the colours of `Paint`: ESC [ digits m.
public enum TerminalText {
  /// Returns the text with each unsafe character replaced by its code, as in `\u{9B}`. Tabs, line feeds and
  /// the colours of `Paint` are safe. Text without unsafe characters is returned unchanged.
  public static func safe(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    var place = 0
    while place < scalars.count {
      if let end = endOfColour(scalars, from: place) {
        result.append(contentsOf: scalars[place..<end])
        place = end
        continue
      }
      let scalar = scalars[place]
      if isUnsafe(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result.append(contentsOf: "\\u{\(digits)}".unicodeScalars)
      } else {
        result.append(scalar)
      }
      place += 1
    }
    return String(result)
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    // C0 and C1 control characters, DEL, direction marks, embeddings and isolates, line and paragraph
    // separators, and the byte-order mark.
    case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  /// Returns the end of the colour sequence that begins at this index; nil when no sequence begins there.
  private static func endOfColour(_ scalars: [Unicode.Scalar], from place: Int) -> Int? {
    guard scalars[place] == "\u{1B}", place + 1 < scalars.count, scalars[place + 1] == "[" else { return nil }
    var end = place + 2
    while end < scalars.count, end < place + 8, ("0"..."9").contains(scalars[end]) { end += 1 }
    return end < scalars.count && scalars[end] == "m" ? end + 1 : nil
  }
}
