import StintUnits

extension JSONReader {
  mutating func readString() throws(Problem) -> String {
    let opening = place
    index += 1
    var text: [UInt8] = []
    var start = index
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""):
        text += bytes[start..<index]
        index += 1
        guard let string = String(validating: text, as: UTF8.self) else { throw illFormed(opening) }
        return string
      case UInt8(ascii: "\\"):
        text += bytes[start..<index]
        text += String(try readEscape()).utf8
        start = index
      case 0..<0x20:
        throw error(
          .syntax,
          byte == 0x0A ? "the string does not end on its line" : "a control character in a string",
          remedy: byte == 0x0A
            ? "close it with \", or write \\n for a new line" : "write it as \\u and four digits")
      default:
        if byte & 0xC0 == 0x80 { continuations += 1 }
        index += 1
      }
    }
    throw Problem(
      .truncated, place: Problem.Place(source, at: opening),
      cause: "the file ends inside the string that starts here", remedy: "close it with \"")
  }

  private func illFormed(_ place: TextLocation) -> Problem {
    Problem(
      .syntax, place: Problem.Place(source, at: place), cause: "the string is not valid UTF-8",
      remedy: "save the file as UTF-8")
  }

  private mutating func readEscape() throws(Problem) -> Unicode.Scalar {
    let start = place
    index += 1
    guard index < bytes.count else { throw error(.truncated, "the file ends inside an escape sequence") }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try readUnicode(from: start)
    default:
      throw Problem(
        .syntax, place: Problem.Place(source, at: start), cause: "unknown escape sequence",
        remedy: "write one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t, or \\u with four digits")
    }
  }

  private mutating func readUnicode(from start: TextLocation) throws(Problem) -> Unicode.Scalar {
    let first = try readFourDigits(from: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    if first < 0xDC00, consume(UInt8(ascii: "\\")), consume(UInt8(ascii: "u")) {
      let second = try readFourDigits(from: start)
      if (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
      {
        return scalar
      }
    }
    throw Problem(
      .syntax, place: Problem.Place(source, at: start), cause: "half of a surrogate pair is missing",
      remedy: "write both halves, or the character itself")
  }

  private mutating func readFourDigits(from start: TextLocation) throws(Problem) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard index < bytes.count, let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue else {
        throw Problem(
          .syntax, place: Problem.Place(source, at: start), cause: "\\u needs four hexadecimal digits",
          remedy: "as in \\u00e9")
      }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }

  mutating func readNumber() throws(Problem) -> JSONValue.Content {
    let start = index
    let opening = place
    var isWhole = true
    _ = consume(UInt8(ascii: "-"))
    let firstDigit = index
    try consumeDigits()
    if bytes[firstDigit] == UInt8(ascii: "0") && index > firstDigit + 1 {
      throw Problem(
        .syntax, place: Problem.Place(source, at: opening), cause: "the number has a leading 0",
        remedy: "remove it")
    }
    if consume(UInt8(ascii: ".")) {
      isWhole = false
      try consumeDigits()
    }
    if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
      isWhole = false
      if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
      try consumeDigits()
    }
    if index < bytes.count, Self.isWord(bytes[index]) {
      throw error(.syntax, "found \(found) after a number", remedy: "put quantities between \"quotes\"")
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isWhole, text != "-0", let whole = Int128(text) { return JSONValue(whole).content }
    guard let number = Double(text), number.isFinite else {
      throw Problem(
        .value, place: Problem.Place(source, at: opening), cause: "the number is too large",
        remedy: "the largest number is 1.7e308")
    }
    return .number(number)
  }

  private mutating func consumeDigits() throws(Problem) {
    let start = index
    while index < bytes.count, bytes[index] >= 0x30, bytes[index] <= 0x39 { index += 1 }
    if index == start {
      throw error(index == bytes.count ? .truncated : .syntax, "expected a digit, found \(found)")
    }
  }
}
