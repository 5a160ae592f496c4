import StintFormats
import StintUnits

/// Scans XML tag by tag in constant memory. It supports only the part of XML that recorded tracks need.
///
/// The scanner skips comments, CDATA and processing instructions. It resolves the five named entities and
/// character references, and removes namespace prefixes. Entity declarations are errors, because they let a
/// small file expand to a huge text.
final class MarkupScanner {
  /// The maximum length of a name, of an attribute value and of a text: 64 KiB.
  static let lengthLimit = 64 << 10
  /// The maximum nesting depth of elements.
  static let depthLimit = 128

  let source: ByteSource
  private var buffer: [UInt8] = []
  private var index = 0
  private var line = 1
  private var column = 1
  /// The open elements, with the locations of their tags.
  private(set) var open: [(name: String, place: TextLocation)] = []
  private var hasRoot = false
  /// The name of an empty element `<name/>` whose `closed` event is pending.
  private var pending: String?
  /// The attributes of the last opening tag.
  var attributes: [(name: String, value: String)] = []
  /// The text between the last two tags. An empty element `<name/>` has no text.
  var textBytes: [UInt8] = []
  /// The location of the last tag.
  private(set) var place = TextLocation(line: 1, column: 1)

  init(_ source: ByteSource) { self.source = source }

  /// `textBytes` as a string, without leading and trailing white space.
  var text: String {
    let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    let body = textBytes.drop { spaces.contains($0) }
    return String(
      decoding: body[..<((body.lastIndex { !spaces.contains($0) }).map { $0 + 1 } ?? body.startIndex)],
      as: UTF8.self)
  }

  /// Returns the value of an attribute of the last opening tag.
  func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// Returns the next tag; nil at the end of a well-formed file.
  func next() throws(Problem) -> MarkupEvent? {
    textBytes.removeAll(keepingCapacity: true)
    if let name = pending {
      pending = nil
      return .closed(name)
    }
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
        .truncated, "the file ends inside <\(last.name)>, which begins here", at: last.place,
        remedy: "get the complete file, or close the open tags")
    }
    return nil
  }

  private func consumeText() throws(Problem) {
    let start = here
    guard let byte = try peek() else { return }
    if open.isEmpty && ![0x20, 0x09, 0x0A, 0x0D].contains(byte) {
      // A byte order mark may precede the first tag.
      if !hasRoot, column <= 3, line == 1, [0xEF, 0xBB, 0xBF].contains(byte) { return skip() }
      throw error(
        .unexpectedContent, hasRoot ? "text follows the end of the root element" : "this is not XML",
        at: start,
        remedy: "check that this is the file you mean")
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
    guard let last = open.popLast() else {
      throw error(.syntax, "</\(name)> has no opening tag", at: place, remedy: "remove it")
    }
    guard last.name == name else {
      throw error(
        .syntax, "</\(name)> does not match the innermost open tag", at: place,
        remedy: "close the elements in the reverse order of their opening")
    }
    return .closed(name)
  }

  private func consumeOpeningTag() throws(Problem) -> MarkupEvent {
    if open.isEmpty && hasRoot {
      throw error(.syntax, "a second root element", at: place, remedy: "keep one root element")
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
            remedy: "check for unclosed tags")
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
  /// The location of the next byte.
  var here: TextLocation { TextLocation(line: line, column: column) }

  /// Returns the next byte without consuming it; nil at the end.
  func peek() throws(Problem) -> UInt8? {
    if index == buffer.count {
      buffer.removeAll(keepingCapacity: true)
      index = 0
      guard try source.append(to: &buffer) else { return nil }
    }
    return buffer[index]
  }

  /// Consumes the byte that `peek` returned.
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
    _ code: Problem.Code, _ cause: String, at place: TextLocation, path: String = "", remedy: String
  ) -> Problem {
    Problem(code, place: Problem.Place(source.name, at: place, part: path), cause: cause, remedy: remedy)
  }

  func tooLong(_ place: TextLocation) -> Problem {
    error(
      .size, "a name, value or text is longer than 64 KiB", at: place,
      remedy: "check for unclosed quotes and tags")
  }
}

/// A tag that the scanner has read; its name has no namespace prefix.
enum MarkupEvent: Equatable {
  /// An opening tag `<name …>`; the scanner has its attributes. After `<name/>` a `closed` event follows.
  case opened(String)
  /// A closing tag `</name>`; the scanner has the text before it. After `<name/>`, this text is empty.
  case closed(String)
}
