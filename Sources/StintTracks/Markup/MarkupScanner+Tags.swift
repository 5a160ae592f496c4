import StintFormats
import StintUnits

extension MarkupScanner {
  private static let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

  func skipSpace() throws(Problem) {
    while let byte = try peek(), Self.spaces.contains(byte) { skip() }
  }

  /// Returns the error for an unexpected character or for the end of the file; `wanted` describes the
  /// expected characters.
  func unexpected(_ wanted: String) -> Problem {
    let next: UInt8?
    do { next = try peek() } catch { return error }
    guard next != nil else {
      return error(
        .truncated, "the file ends inside a tag", at: place,
        remedy: "get the complete file, or close the open tags")
    }
    return error(
      .syntax, "expected \(wanted)", at: here, remedy: "check the tag")
  }

  /// Consumes a name and returns it without its namespace prefix.
  func consumeName() throws(Problem) -> String {
    var bytes: [UInt8] = []
    while let byte = try peek(), Self.isName(byte) {
      bytes.append(byte)
      skip()
      if bytes.count > Self.lengthLimit { throw tooLong(place) }
    }
    guard let first = bytes.first, !(0x30...0x39).contains(first), first != UInt8(ascii: "-") else {
      throw unexpected("a name")
    }
    let local = bytes.lastIndex(of: UInt8(ascii: ":")).map { bytes[($0 + 1)...] } ?? bytes[...]
    return String(decoding: local, as: UTF8.self)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    JSONReader.isWord(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".")
  }

  func consumeAttribute() throws(Problem) {
    let start = here
    let name = try consumeName()
    try skipSpace()
    guard try peek() == UInt8(ascii: "=") else { throw unexpected("= after “\(name)”") }
    skip()
    try skipSpace()
    guard let quote = try peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw unexpected("a quote")
    }
    skip()
    var value: [UInt8] = []
    while true {
      guard let byte = try peek(), byte != UInt8(ascii: "<") else { throw unexpected("the closing quote") }
      if byte == quote { break }
      if byte == UInt8(ascii: "&") {
        value += try consumeReference()
      } else {
        value.append(byte)
        skip()
      }
      if value.count > Self.lengthLimit { throw tooLong(start) }
    }
    skip()
    // When two attributes of different namespaces have the same local name, the first attribute is kept.
    if attributes.contains(where: { $0.name == name }) { return }
    attributes.append((name, String(decoding: value, as: UTF8.self)))
  }

  /// Consumes a reference such as `&amp;` or `&#8364;` and returns the bytes of its character.
  func consumeReference() throws(Problem) -> [UInt8] {
    let start = here
    skip()
    var bytes: [UInt8] = []
    while let byte = try peek(), byte != UInt8(ascii: ";"), bytes.count <= 10 {
      bytes.append(byte)
      skip()
    }
    guard try peek() == UInt8(ascii: ";") else {
      throw error(
        .syntax, "“&” does not begin a character reference", at: start, remedy: "write &amp; for the sign")
    }
    skip()
    let name = String(decoding: bytes, as: UTF8.self)
    switch name {
    case "lt": return [UInt8(ascii: "<")]
    case "gt": return [UInt8(ascii: ">")]
    case "amp": return [UInt8(ascii: "&")]
    case "quot": return [UInt8(ascii: "\"")]
    case "apos": return [UInt8(ascii: "'")]
    default: break
    }
    let isHexadecimal = name.hasPrefix("#x")
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    if name.hasPrefix("#"), let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), number > 0,
      let scalar = Unicode.Scalar(number)
    {
      return Array(String(scalar).utf8)
    }
    throw error(
      .unknownName, "unknown character reference “&\(Excerpt.text(name));”", at: start,
      remedy: "write the character itself")
  }

  /// Skips all bytes up to and including a marker such as `-->`. `what` names the skipped part in errors.
  func skip(past mark: String, what: String) throws(Problem) {
    let wanted = Array(mark.utf8)
    var matched = 0
    while let byte = try peek() {
      skip()
      // The markers are `-->`, `]]>` and similar: only their first byte can be repeated. So another `-` after
      // `--`, or another `]` after `]]`, keeps the match.
      if byte == wanted[matched] {
        matched += 1
        if matched == wanted.count { return }
      } else if matched == wanted.count - 1, byte == wanted[0], wanted[0] == wanted[matched - 1] {
        continue
      } else {
        matched = byte == wanted[0] ? 1 : 0
      }
    }
    throw error(
      .truncated, "the file ends inside \(what)", at: place,
      remedy: "get the complete file, or add the missing \(mark)")
  }

  /// Skips a comment, a CDATA section or a document type without declarations.
  func skipDeclaration() throws(Problem) {
    skip()
    switch try peek() {
    case UInt8(ascii: "-"):
      skip()
      guard try peek() == UInt8(ascii: "-") else { throw unexpected("<!--") }
      skip()
      try skip(past: "-->", what: "a comment")
    case UInt8(ascii: "["): try skip(past: "]]>", what: "a CDATA section")
    default:
      while let byte = try peek(), byte != UInt8(ascii: ">") {
        if byte == UInt8(ascii: "[") {
          throw error(
            .unexpectedContent, "the document type contains declarations", at: place,
            remedy: "remove the declarations between [ and ]")
        }
        skip()
      }
      guard try peek() != nil else { throw unexpected(">") }
      skip()
    }
  }
}
