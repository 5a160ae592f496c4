public import StintUnits

/// Reads JSON as RFC 8259 writes it, strictly: no comments, no trailing commas, no repeated keys, no lone
/// surrogates, no ill-formed UTF-8, at most 128 levels.
///
/// A byte order mark in front is skipped. Stops at the first error: after it, nothing is certain.
public struct JSONReader {
  /// How deep lists and objects may nest.
  public static let depthLimit = 128

  let bytes: [UInt8]
  let source: String
  var index = 0
  var line = 1
  /// Where the current line starts.
  var lineStart = 0
  /// Bytes of the current line that continue a scalar; columns do not count them.
  var continuations = 0
  var depth = 0
  /// Whether a key may stand twice in an object; the first counts.
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

  /// Reads the one value that a text holds; `source` names the file in errors.
  ///
  /// - Parameter allowsRepeats: for what programs write that repeat a key; the first of them counts.
  public static func value(
    of bytes: [UInt8], source: String, allowsRepeats: Bool = false
  ) throws(Problem) -> JSONValue {
    var reader = JSONReader(bytes, source: source, allowsRepeats: allowsRepeats)
    reader.skipSpace()
    guard reader.index < bytes.count else {
      throw reader.error(
        .empty, "there is nothing in it", step: "a JSON file holds one value; write {} for an empty one")
    }
    let value = try reader.readValue()
    reader.skipSpace()
    guard reader.index == bytes.count else {
      throw reader.error(.syntax, "\(reader.found) follows the end of the value", step: "remove it")
    }
    return value
  }

  /// Reads the one value that a text holds.
  public static func value(of text: String, source: String) throws(Problem) -> JSONValue {
    try value(of: Array(text.utf8), source: source)
  }
}

extension JSONReader {
  /// The place of the next byte.
  var place: TextLocation {
    TextLocation(line: line, column: index - lineStart - continuations + 1)
  }

  /// The next byte, as people call it.
  var found: String {
    guard index < bytes.count else { return "the end of the file" }
    let byte = bytes[index]
    if byte > 0x20 && byte < 0x7F { return "“\(Character(Unicode.Scalar(byte)))”" }
    if byte >= 0x80 { return "a character that does not belong here" }
    return byte == 0x20 ? "a space" : byte == 0x0A ? "the end of the line" : "a control character (\(byte))"
  }

  func error(_ code: Problem.Code, _ cause: String, step: String = "") -> Problem {
    Problem(code, place: Problem.Place(source, at: place), cause: cause, remedy: step)
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

  /// Takes the byte if it comes next.
  mutating func consume(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }
}
