import StintUnits

/// Scans XML tag by tag with flat memory: as much of XML as recorded tracks need, and no more.
///
/// Comments, CDATA and processing instructions are passed over; the five named entities and character
/// references are resolved; names lose their prefix. Declarations of own entities are refused, so that a
/// small file cannot grow.
final class MarkupScanner {
  /// The longest tag or text: 64 KiB.
  static let lengthLimit = 64 << 10
  /// How deep elements may nest.
  static let depthLimit = 128

  let source: ByteSource
  private var buffer: [UInt8] = []
  private var index = 0
  private var line = 1
  private var column = 1
  /// The elements that are open, with the places of their tags.
  private(set) var open: [(name: String, place: TextLocation)] = []
  private var hasRoot = false
  /// What `<name/>` still owes.
  private var pending: String?
  /// The attributes of the tag opened last.
  var attributes: [(name: String, value: String)] = []
  /// The text since the last tag.
  var textBytes: [UInt8] = []
  /// Where the last tag stands.
  private(set) var place = TextLocation(line: 1, column: 1)

  init(_ source: ByteSource) { self.source = source }

  /// The text since the last tag, without the white space around it.
  var text: String {
    let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    let body = textBytes.drop { spaces.contains($0) }
    return String(
      decoding: body[..<((body.lastIndex { !spaces.contains($0) }).map { $0 + 1 } ?? body.startIndex)],
      as: UTF8.self)
  }

  /// The value of an attribute of the tag opened last.
  func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// The next tag; nil at the end of a well-formed text.
  func next() throws(Problem) -> MarkupEvent? {
    if let name = pending {
      pending = nil
      return .closed(name)
    }
    textBytes.removeAll(keepingCapacity: true)
    while let byte = try peek() {
      if byte != UInt8(ascii: "<") {
        try consumeText()
        continue
      }
      place = here
      skip()
      switch try peek() {
      case UInt8(ascii: "?"): try skip(past: "?>", what: "an instruction")
      case UInt8(ascii: "!"): try skipDeclaration()
      case UInt8(ascii: "/"): return try consumeClosingTag()
      default: return try consumeOpeningTag()
      }
    }
    if let last = open.last {
      throw error(
        .cut, "the file ends inside <\(last.name)>, which opens here", at: last.place,
        step: "get the whole file, or close what is open")
    }
    return nil
  }

  private func consumeText() throws(Problem) {
    let start = here
    guard let byte = try peek() else { return }
    if open.isEmpty && ![0x20, 0x09, 0x0A, 0x0D].contains(byte) {
      // A byte order mark may stand in front of everything.
      if !hasRoot, column <= 3, line == 1, [0xEF, 0xBB, 0xBF].contains(byte) { return skip() }
      throw error(
        .foreign, hasRoot ? "something follows the end of the outermost element" : "this is no XML",
        at: start,
        step: "check that this is the file you mean")
    }
    if byte == UInt8(ascii: "&") {
      textBytes += try consumeReference()
    } else {
      textBytes.append(byte)
      skip()
    }
    if textBytes.count > Self.lengthLimit { throw tooLong(start) }
  }

  private func consumeClosingTag() throws(Problem) -> MarkupEvent {
    skip()
    let name = try consumeName()
    try skipSpace()
    guard try peek() == UInt8(ascii: ">") else { throw unexpected("the end of </\(name)>") }
    skip()
    guard let last = open.popLast(), last.name == name else {
      throw error(
        .syntax, "</\(name)> closes nothing that is open here", at: place,
        step: open.isEmpty ? "remove it" : "close the elements in the order they were opened")
    }
    return .closed(name)
  }

  private func consumeOpeningTag() throws(Problem) -> MarkupEvent {
    if open.isEmpty && hasRoot {
      throw error(.syntax, "a second outermost element begins", at: place, step: "one file holds one")
    }
    let name = try consumeName()
    attributes.removeAll(keepingCapacity: true)
    while true {
      try skipSpace()
      switch try peek() {
      case UInt8(ascii: ">"):
        skip()
        hasRoot = true
        open.append((name, place))
        if open.count > Self.depthLimit {
          throw error(
            .depth, "nested more than \(Self.depthLimit) levels deep", at: place,
            step: "check for unclosed tags")
        }
        return .opened(name)
      case UInt8(ascii: "/"):
        skip()
        guard try peek() == UInt8(ascii: ">") else { throw unexpected("the end of <\(name)/>") }
        skip()
        hasRoot = true
        pending = name
        return .opened(name)
      default: try consumeAttribute()
      }
    }
  }
}

extension MarkupScanner {
  /// The place of the next byte.
  var here: TextLocation { TextLocation(line: line, column: column) }

  /// The next byte, or nil at the end.
  func peek() throws(Problem) -> UInt8? {
    if index == buffer.count {
      buffer.removeAll(keepingCapacity: true)
      index = 0
      guard try source.append(to: &buffer) else { return nil }
    }
    return buffer[index]
  }

  /// Steps over the byte that `peek` has shown.
  func skip() {
    let byte = buffer[index]
    index += 1
    if byte == 0x0A {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {
      column += 1
    }
  }

  func error(
    _ code: Problem.Code, _ cause: String, at place: TextLocation, path: String = "", step: String
  ) -> Problem {
    Problem(code, place: Problem.Place(source.name, at: place, part: path), cause: cause, remedy: step)
  }

  func tooLong(_ place: TextLocation) -> Problem {
    error(.size, "a tag or text is longer than 64 KiB", at: place, step: "check for unclosed quotes and tags")
  }
}

/// A tag that a scanner of markup has passed; prefixes of namespaces are left out of the name.
enum MarkupEvent: Equatable {
  /// `<name …>`; its attributes are at the scanner. `<name/>` is followed by its own `closed`.
  case opened(String)
  /// `</name>`; the text since the last tag is at the scanner.
  case closed(String)
}
