/// Cuts a text into tokens, one at a time; never fails, reports what it cannot use.
struct Lexer {
  private let bytes: [UInt8]
  private var place = 0
  private(set) var comments: [Comment] = []
  /// What was reported since the parser last asked.
  var problems: [(DiagnosticCode, String, SourceSpan)] = []
  private var isFirstOnLine = true

  init(_ source: SourceText) { bytes = source.bytes }

  /// The next token; `end` for ever once the text is over.
  mutating func next() -> Token {
    skipSpace()
    let first = isFirstOnLine
    isFirstOnLine = false
    let start = place
    guard place < bytes.count else { return token(.end, start, first) }
    let byte = bytes[place]
    if Self.isLetter(byte) {
      while place < bytes.count, Self.isWordByte(bytes[place]) { place += 1 }
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
    while place < bytes.count, bytes[place] != 0x0A { place += 1 }
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
      place += bytes[place] == 0x5C && place + 1 < bytes.count && bytes[place + 1] != 0x0A ? 2 : 1
    }
    if place < bytes.count, bytes[place] == 0x22 {
      place += 1
    } else {
      problems.append(
        (.unterminatedString, "this text has no closing quote", SourceSpan(start: start, end: place)))
    }
    return token(.string, start, first)
  }

  private mutating func strange(_ start: Int, _ first: Bool) -> Token {
    // Whatever it is, it is taken: a lone “_” or “.” begins something and is nothing.
    place += 1
    while place < bytes.count, isStrange(bytes[place]) { place += 1 }
    let span = SourceSpan(start: start, end: place)
    problems.append((.strangeCharacter, Self.describe(bytes[start..<place]), span))
    return token(.strange, start, first)
  }

  private func isStrange(_ byte: UInt8) -> Bool {
    if Self.isWordByte(byte) || [0x20, 0x09, 0x0D, 0x0A, 0x23, 0x22].contains(byte) { return false }
    return !Token.Symbol.allCases.contains { $0.rawValue.utf8.first == byte && $0 != .notEqual }
  }

  /// Names look-alikes and invisible characters as what they are.
  private static func describe(_ bytes: ArraySlice<UInt8>) -> String {
    guard let scalar = String(decoding: bytes.prefix(8), as: UTF8.self).unicodeScalars.first else {
      return "this is not text"
    }
    let number = "U+" + String(scalar.value, radix: 16, uppercase: true)
    switch scalar.value {
    case 0: return "a zero byte (U+0): this is not a text file"
    case 0x01..<0x20, 0x7F: return "the control character \(number)"
    case 0xA0, 0x2000...0x200B, 0x202F, 0x3000: return "the space \(number), which only looks like a space"
    case 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F: return "\(number) changes the direction of writing"
    case 0x2013, 0x2014, 0x2212: return "“\(scalar)” (\(number)) is a dash; policies use the hyphen -"
    case 0x201C...0x201E, 0x2018, 0x2019: return "“\(scalar)” (\(number)) is a curly quote; policies use \""
    case 0xFFFD: return "bytes that are not UTF-8"
    default: return "policies do not use “\(scalar)” (\(number)) outside texts and comments"
    }
  }

  private func matches(_ symbol: Token.Symbol) -> Bool {
    let wanted = symbol.rawValue.utf8
    guard place + wanted.count <= bytes.count else { return false }
    return zip(wanted, bytes[place...]).allSatisfy { $0 == $1 }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte >= 0x41 && byte <= 0x5A) || (byte >= 0x61 && byte <= 0x7A)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  static func isWordByte(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || byte == 0x5F }
}
