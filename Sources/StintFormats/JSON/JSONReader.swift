public import StintUnits

/// Reads JSON strictly by RFC 8259.
///
/// Comments, trailing commas, duplicate keys, lone surrogates, invalid UTF-8 and more than 128 levels are
/// errors; `allowsRepeats` permits duplicate keys. A byte order mark at the start is skipped. The reader
/// stops at the first error, because later text cannot be interpreted reliably.
public struct JSONReader {
  /// The maximum nesting depth of arrays and objects.
  public static let depthLimit = 128

  let bytes: [UInt8]
  let source: String
  var index = 0
  var line = 1
  /// The byte offset at which the current line starts.
  var lineStart = 0
  /// The number of UTF-8 continuation bytes in the current line. They are subtracted from columns, which
  /// count characters.
  var continuations = 0
  var depth = 0
  /// Whether an object may contain duplicate keys; the first value counts.
  let allowsRepeats: Bool

  private init(_ bytes: [UInt8], source: String, allowsRepeats: Bool = false) {
    self.bytes = bytes
    self.source = source
    self.allowsRepeats = allowsRepeats
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      index = 3
      lineStart = 3
    }
  }

  /// Returns the single value in `bytes`.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - source: the name of the file in errors.
  ///   - allowsRepeats: accepts duplicate keys, which some programs write; the first value counts.
  /// - Throws: `Problem` with the location of the first syntax error.
  public static func value(
    of bytes: [UInt8], source: String, allowsRepeats: Bool = false
  ) throws(Problem) -> JSONValue {
    do throws(Problem) {
      return try content(of: bytes, source: source, allowsRepeats: allowsRepeats)
    } catch {
      // The cause of an error in a program or an archive is of no use.
      guard let offset = PlainText.controlCharacter(in: bytes) else { throw error }
      throw Problem(
        .syntax, place: error.place, cause: PlainText.cause(control: bytes[offset]),
        remedy: "name a JSON file in UTF-8")
    }
  }

  private static func content(
    of bytes: [UInt8], source: String, allowsRepeats: Bool
  ) throws(Problem) -> JSONValue {
    var reader = JSONReader(bytes, source: source, allowsRepeats: allowsRepeats)
    reader.skipSpace()
    guard reader.index < bytes.count else {
      throw reader.error(
        .empty, "the file has no content", remedy: "write one JSON value, such as {}")
    }
    let value = try reader.readValue()
    reader.skipSpace()
    guard reader.index == bytes.count else {
      throw reader.error(.syntax, "expected the end of the file, found \(reader.found)", remedy: "remove it")
    }
    return value
  }

  /// Returns the single value in `text`; `source` is the name of the file in errors.
  ///
  /// - Throws: `Problem` with the location of the first syntax error.
  public static func value(of text: String, source: String) throws(Problem) -> JSONValue {
    try content(of: Array(text.utf8), source: source, allowsRepeats: false)
  }
}

extension JSONReader {
  /// The line and column of the next byte.
  var place: TextLocation {
    TextLocation(line: line, column: index - lineStart - continuations + 1)
  }

  /// The next byte as messages describe it.
  var found: String {
    guard index < bytes.count else { return "the end of the file" }
    let byte = bytes[index]
    if byte > 0x20 && byte < 0x7F { return "“\(Character(Unicode.Scalar(byte)))”" }
    if byte >= 0x80 { return "a character outside ASCII" }
    return byte == 0x20 ? "a space" : byte == 0x0A ? "the end of the line" : "a control character (\(byte))"
  }

  func error(_ code: Problem.Code, _ cause: String, remedy: String = "") -> Problem {
    Problem(code, place: Problem.Place(source, at: place), cause: cause, remedy: remedy)
  }

  mutating func skipSpace() {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x09, 0x0D: index += 1
      case 0x0A:
        index += 1
        line += 1
        lineStart = index
        continuations = 0
      default: return
      }
    }
  }

  /// Consumes the next byte if it equals `byte`. Returns whether the byte was consumed.
  mutating func consume(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }
}
