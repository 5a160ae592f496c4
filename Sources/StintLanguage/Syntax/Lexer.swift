/// Splits a source into tokens, one at a time. The lexer never fails; it records unusable characters as
/// problems.
package struct Lexer {
  private let bytes: [UInt8]
  private var place = 0
  package private(set) var comments: [Comment] = []
  /// The problems found since the parser last collected them.
  var problems: [LexicalProblem] = []
  private var isFirstOnLine = true

  package init(_ source: SourceText) { bytes = source.bytes }

  /// Returns the next token; always `end` after the last token.
  package mutating func next() -> Token {
    skipSpace()
    let first = isFirstOnLine
    isFirstOnLine = false
    let start = place
    guard place < bytes.count else { return token(.end, start, first) }
    let byte = bytes[place]
    if Self.isLetter(byte) || isKey(at: place) || (byte >= 0x80 && foreignLetter() != nil) {
      word()
      return token(.word, start, first)
    }
    if Self.isDigit(byte) { return number(start, first) }
    if byte == 0x22 { return string(start, first) }
    for symbol in Token.Symbol.allCases where matches(symbol) {
      place += symbol.rawValue.utf8.count
      return token(.symbol(symbol), start, first)
    }
    return strange(start, first)
  }

  private func token(_ kind: Token.Kind, _ start: Int, _ isFirstOnLine: Bool) -> Token {
    Token(kind: kind, span: SourceSpan(start: start, end: place), isFirstOnLine: isFirstOnLine)
  }

  /// Returns whether the key of a fact begins here, which may begin with a digit: `4711` in `tag.4711`.
  private func isKey(at place: Int) -> Bool {
    place >= 2 && bytes[place - 1] == 0x2E && Self.isWordByte(bytes[place - 2])
      && Self.isWordByte(bytes[place])
  }

  /// Reads a whole name. Letters that are not ASCII are reported and still belong to the name.
  private mutating func word() {
    while place < bytes.count {
      if Self.isWordByte(bytes[place]) {
        place += 1
        continue
      }
      let start = place
      while let length = foreignLetter() { place += length }
      guard place > start else { return }
      guard problems.count < 1000 else { continue }
      problems.append(StrangeCharacters.letterProblem(bytes[start..<place]))
    }
  }

  /// Returns the number of bytes of a non-ASCII letter at the current position; nil when there is no such
  /// letter.
  private func foreignLetter() -> Int? {
    guard place < bytes.count, bytes[place] >= 0xC2 else { return nil }
    // The bytes are valid UTF-8, because invalid sequences have been replaced.
    let lead = UInt32(bytes[place])
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard place + length <= bytes.count else { return nil }
    let start = lead & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
    let value = bytes[(place + 1)..<(place + length)].reduce(start) { $0 << 6 | UInt32($1 & 0x3F) }
    guard let scalar = Unicode.Scalar(value), StrangeCharacters.isForeignLetter(scalar) else { return nil }
    return length
  }

  private mutating func skipSpace() {
    while place < bytes.count {
      switch bytes[place] {
      case 0x0A:
        isFirstOnLine = true
        place += 1
      case 0x20, 0x09, 0x0D: place += 1
      case 0x23: comment()
      default: return
      }
    }
  }

  private mutating func comment() {
    let start = place
    while place < bytes.count, bytes[place] != 0x0A {
      if bytes[place] == 0xE2 { reportDirection("comment") }
      if bytes[place] == 0x0D, place + 1 < bytes.count, bytes[place + 1] != 0x0A { reportLoneReturn() }
      place += 1
    }
    let end = place > start && bytes[place - 1] == 0x0D ? place - 1 : place
    comments.append(Comment(span: SourceSpan(start: start, end: end), isOwnLine: isFirstOnLine))
  }

  private mutating func number(_ start: Int, _ first: Bool) -> Token {
    skipDigits()
    if place + 1 < bytes.count, bytes[place] == 0x3A, Self.isDigit(bytes[place + 1]) {
      place += 1
      skipDigits()
      return token(.clock, start, first)
    }
    if place + 1 < bytes.count, bytes[place] == 0x2E, Self.isDigit(bytes[place + 1]) {
      place += 1
      skipDigits()
    }
    return token(.number, start, first)
  }

  private mutating func skipDigits() {
    while place < bytes.count, Self.isDigit(bytes[place]) { place += 1 }
  }

  private mutating func string(_ start: Int, _ first: Bool) -> Token {
    place += 1
    while place < bytes.count, bytes[place] != 0x22, bytes[place] != 0x0A {
      if bytes[place] == 0xE2 { reportDirection("string") }
      place += bytes[place] == 0x5C && place + 1 < bytes.count && bytes[place + 1] != 0x0A ? 2 : 1
    }
    if place < bytes.count, bytes[place] == 0x22 {
      place += 1
    } else {
      problems.append(
        LexicalProblem(
          code: .unterminatedString, title: "this string has no closing quote",
          span: SourceSpan(start: start, end: place), hint: "close it with \" on the same line"))
    }
    return token(.string, start, first)
  }

  private mutating func strange(_ start: Int, _ first: Bool) -> Token {
    // Always consume one byte. Otherwise the lexer would not advance at “_”: no token begins with “_”, and
    // `isStrange` is false for “_”.
    place += 1
    while place < bytes.count, isStrange(bytes[place]) { place += 1 }
    problems.append(StrangeCharacters.problem(bytes[start..<place]))
    return token(.strange, start, first)
  }

  private func isStrange(_ byte: UInt8) -> Bool {
    if byte >= 0xC2, foreignLetter() != nil { return false }
    if Self.isWordByte(byte) || [0x20, 0x09, 0x0D, 0x0A, 0x23, 0x22].contains(byte) { return false }
    return !Token.Symbol.allCases.contains { $0.rawValue.utf8.first == byte && $0 != .notEqual }
  }

  private mutating func reportDirection(_ what: String) {
    let mark = bytes[place..<min(place + 3, bytes.count)]
    guard problems.count < 1000, StrangeCharacters.isDirectionMark(mark) else { return }
    problems.append(StrangeCharacters.directionProblem(mark, in: what))
  }

  /// Reports a carriage return without a line feed. Some editors show a line break there, although the text
  /// after it still belongs to the comment.
  private mutating func reportLoneReturn() {
    guard problems.count < 1000 else { return }
    problems.append(
      LexicalProblem(
        code: .strangeCharacter, title: "a carriage return alone (U+D) does not end this comment",
        span: SourceSpan(start: place, end: place + 1), hint: "end lines with LF or CR LF", replacement: "\n")
    )
  }

  private func matches(_ symbol: Token.Symbol) -> Bool {
    let wanted = symbol.rawValue.utf8
    guard place + wanted.count <= bytes.count else { return false }
    var place = place
    for byte in wanted {
      if bytes[place] != byte { return false }
      place += 1
    }
    return true
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte >= 0x41 && byte <= 0x5A) || (byte >= 0x61 && byte <= 0x7A)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  package static func isWordByte(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || byte == 0x5F }
}
