import StintAuthoring
import StintLanguage

/// Uses arbitrary bytes as a policy. The text must become consecutive tokens and comments, with only white
/// space between them.
enum LexerStage {
  static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
    let source = SourceText(file: "fuzz", bytes: bytes)
    try FuzzFinding.unless(
      String(validating: source.bytes, as: UTF8.self) != nil, "the text of a source is not valid UTF-8")
    try FuzzFinding.unless(
      SourceText(file: "fuzz", bytes: source.bytes).bytes == source.bytes || source.hadByteOrderMark,
      "a repaired text changes when it is repaired again")
    var end = 0
    for token in PolicyToken.all(of: source) {
      let span = token.span
      try FuzzFinding.unless(
        end <= span.start && span.start < span.end && span.end <= source.bytes.count,
        "\(token) overlaps the token that ends at \(end)")
      try requireSpace(source.bytes[end..<span.start], end)
      end = span.end
    }
    try requireSpace(source.bytes[end...], end)
  }

  private static func requireSpace(_ gap: ArraySlice<UInt8>, _ place: Int) throws(FuzzFinding) {
    try FuzzFinding.unless(
      gap.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }, "the text at \(place) belongs to no token")
  }
}
