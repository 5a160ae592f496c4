import StintUnits

extension JSONReader {
  mutating func readValue() throws(Problem) -> JSONValue {
    let start = place
    guard index < bytes.count else {
      throw error(
        .truncated, "expected a value, found the end of the file", remedy: "the file may be incomplete")
    }
    switch bytes[index] {
    case UInt8(ascii: "{"): return JSONValue(.object(try readObject()), at: start)
    case UInt8(ascii: "["): return JSONValue(.array(try readArray()), at: start)
    case UInt8(ascii: "\""): return JSONValue(.string(try readString()), at: start)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return JSONValue(try readNumber(), at: start)
    case UInt8(ascii: "t"): return try readWord("true", .boolean(true))
    case UInt8(ascii: "f"): return try readWord("false", .boolean(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    case UInt8(ascii: "'"):
      throw error(.syntax, "strings need double quotes", remedy: "write \" instead of '")
    default:
      throw error(
        .syntax, "expected a value, found \(found)", remedy: "put strings between \"quotes\"")
    }
  }

  private mutating func readWord(_ word: String, _ content: JSONValue.Content) throws(Problem)
    -> JSONValue
  {
    let start = place
    let letters = Array(word.utf8)
    let end = index + letters.count
    let fits = end <= bytes.count && bytes[index..<end].elementsEqual(letters)
    guard fits, end == bytes.count || !Self.isWord(bytes[end]) else {
      throw error(.syntax, "expected a value, found a word", remedy: "put strings between \"quotes\"")
    }
    index = end
    return JSONValue(content, at: start)
  }

  package static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private mutating func enter() throws(Problem) {
    depth += 1
    if depth > Self.depthLimit {
      throw error(
        .depth, "nested more than \(Self.depthLimit) levels deep", remedy: "check for stray brackets")
    }
    index += 1
    skipSpace()
  }

  private mutating func readArray() throws(Problem) -> [JSONValue] {
    try enter()
    defer { depth -= 1 }
    var items: [JSONValue] = []
    if consume(UInt8(ascii: "]")) { return items }
    while true {
      items.append(try readValue())
      skipSpace()
      if consume(UInt8(ascii: "]")) { return items }
      try consumeComma(before: "]", in: "array")
    }
  }

  private mutating func readObject() throws(Problem) -> [JSONMember] {
    try enter()
    defer { depth -= 1 }
    var members: [JSONMember] = []
    var names: Set<String> = []
    if consume(UInt8(ascii: "}")) { return members }
    while true {
      let start = place
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
        throw error(.syntax, "expected a key, found \(found)", remedy: "put keys between \"quotes\"")
      }
      let name = try readString()
      guard names.insert(name).inserted || allowsRepeats else {
        throw Problem(
          .duplicate, place: Problem.Place(source, at: start, part: name),
          cause: "the key “\(Excerpt.text(name))” appears twice", remedy: "keep one of the two")
      }
      skipSpace()
      guard consume(UInt8(ascii: ":")) else {
        throw error(.syntax, "expected a colon, found \(found)", remedy: "write \"key\": value")
      }
      skipSpace()
      members.append(JSONMember(name, try readValue(), at: start))
      skipSpace()
      if consume(UInt8(ascii: "}")) { return members }
      try consumeComma(before: "}", in: "object")
    }
  }

  private mutating func consumeComma(before end: String, in container: String) throws(Problem) {
    if index == bytes.count {
      throw error(
        .truncated, "the \(container) does not end", remedy: "close it with \(end)"
      )
    }
    let comma = place
    guard consume(UInt8(ascii: ",")) else {
      throw error(
        .syntax, "expected a comma or \(end), found \(found)",
        remedy: "check for a missing comma, quote or bracket")
    }
    skipSpace()
    if index < bytes.count, bytes[index] == end.utf8.first {
      throw Problem(
        .syntax, place: Problem.Place(source, at: comma),
        cause: "a comma before the end of the \(container)", remedy: "remove it")
    }
  }
}
