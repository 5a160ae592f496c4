/// The decoded text of a policy file, with conversions between offsets, lines and columns.
public struct SourceText: Hashable, Sendable {
  /// The name of the file, for messages.
  public let file: String
  /// The text as UTF-8. Invalid sequences have been replaced.
  public let bytes: [UInt8]
  /// The offsets in `bytes` of the first 100 replaced sequences; empty for UTF-16.
  public let invalidOffsets: [Int]
  /// True when the file was UTF-16 and has been converted.
  public let wasWide: Bool
  /// True when the file has more than `maxBytes` and has been cut to that size.
  public let isCut: Bool
  /// True when the file began with a byte-order mark, which `bytes` omits.
  public let hadByteOrderMark: Bool
  private let lineStarts: [Int]

  /// Decodes the bytes of a file. Invalid bytes are replaced, never rejected (see `invalidOffsets`).
  public init(file: String, bytes raw: [UInt8]) {
    self.file = file
    isCut = raw.count > Self.maxBytes
    var input = raw.prefix(Self.maxBytes)
    wasWide = raw.starts(with: [0xFF, 0xFE]) || raw.starts(with: [0xFE, 0xFF])
    hadByteOrderMark = input.starts(with: [0xEF, 0xBB, 0xBF]) || wasWide
    if wasWide {
      (bytes, invalidOffsets) = (Self.narrowed(input), [])
    } else {
      if hadByteOrderMark { input = input.dropFirst(3) }
      (bytes, invalidOffsets) = Self.repaired(input)
    }
    var starts = [0]
    for (offset, byte) in bytes.enumerated() where byte == 0x0A { starts.append(offset + 1) }
    lineStarts = starts
  }

  /// The maximum size of a policy file: 4 MiB.
  public static let maxBytes = 4 << 20

  /// Makes a source from a string.
  public init(file: String, text: String) { self.init(file: file, bytes: Array(text.utf8)) }

  /// The text as a string.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Returns the text of a span.
  public func text(of span: SourceSpan) -> String {
    let end = min(max(span.end, 0), bytes.count)
    let start = min(max(span.start, 0), end)
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// Returns the line and the column of an offset, both from 1.
  ///
  /// Columns count characters, or bytes when more than 10 000 bytes of the line precede the offset.
  public func position(of offset: Int) -> (line: Int, column: Int) {
    let line = lineIndex(of: offset)
    if offset - lineStarts[line] > 10_000 { return (line + 1, offset - lineStarts[line] + 1) }
    let prefix = bytes[lineStarts[line]..<min(max(offset, lineStarts[line]), bytes.count)]
    return (line + 1, String(decoding: prefix, as: UTF8.self).count + 1)
  }

  /// Returns the line and the column of an offset, both from 1. Columns count Unicode code points.
  public func codePointPosition(of offset: Int) -> (line: Int, column: Int) {
    let line = lineIndex(of: offset)
    let prefix = bytes[lineStarts[line]..<min(max(offset, lineStarts[line]), bytes.count)]
    return (line + 1, prefix.count { $0 & 0xC0 != 0x80 } + 1)
  }

  /// Extends a span to whole lines, including their line ends, when nothing else is on these lines. When a
  /// comment follows, the span is extended only up to the comment. When other tokens share the lines, the
  /// span is unchanged.
  func wholeLines(of span: SourceSpan) -> SourceSpan {
    var start = span.start
    while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
    var end = span.end
    while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 || bytes[end] == 0x0D { end += 1 }
    if end < bytes.count, bytes[end] == 0x23 { return SourceSpan(start: span.start, end: end) }
    guard start == 0 || bytes[start - 1] == 0x0A, end == bytes.count || bytes[end] == 0x0A else {
      return span
    }
    return SourceSpan(start: start, end: min(end + 1, bytes.count))
  }

  /// Returns the text of a line without its line ending. Lines are counted from 1.
  public func line(_ number: Int) -> String {
    String(decoding: bytes[lineRange(number)], as: UTF8.self)
  }

  /// Returns the byte range of a line without its line ending; empty when the line does not exist. Lines are
  /// counted from 1.
  func lineRange(_ number: Int) -> Range<Int> {
    guard lineStarts.indices.contains(number - 1) else { return 0..<0 }
    let start = lineStarts[number - 1]
    var end = lineStarts.indices.contains(number) ? lineStarts[number] - 1 : bytes.count
    if end > start, bytes[end - 1] == 0x0D { end -= 1 }
    return start..<max(end, start)
  }

  /// Returns the last character boundary at or before an offset.
  func boundary(atOrBefore offset: Int) -> Int {
    var result = min(max(offset, 0), bytes.count)
    while result > 0, result < bytes.count, bytes[result] & 0xC0 == 0x80 { result -= 1 }
    return result
  }

  private func lineIndex(of offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// Converts UTF-16 with a byte-order mark to UTF-8.
  private static func narrowed(_ raw: ArraySlice<UInt8>) -> [UInt8] {
    let isBigEndian = raw.first == 0xFE
    var units: [UInt16] = []
    units.reserveCapacity(raw.count / 2)
    var place = raw.startIndex + 2
    while place + 1 < raw.endIndex {
      let (first, second) = (UInt16(raw[place]), UInt16(raw[place + 1]))
      units.append(isBigEndian ? first << 8 | second : second << 8 | first)
      place += 2
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  func isASCII(_ span: SourceSpan) -> Bool { bytes[span.start..<span.end].allSatisfy { $0 < 0x80 } }

  /// Replaces invalid UTF-8, and returns the offsets of the replacements.
  private static func repaired(_ raw: ArraySlice<UInt8>) -> ([UInt8], [Int]) {
    if raw.allSatisfy({ $0 < 0x80 }) { return (Array(raw), []) }
    var result: [UInt8] = []
    result.reserveCapacity(raw.count)
    var offsets: [Int] = []
    var decoder = UTF8()
    var iterator = raw.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): result.append(contentsOf: String(Character(scalar)).utf8)
      case .emptyInput: return (result, offsets)
      case .error:
        if offsets.count < 100 { offsets.append(result.count) }
        result.append(contentsOf: [0xEF, 0xBF, 0xBD])
      }
    }
  }
}
