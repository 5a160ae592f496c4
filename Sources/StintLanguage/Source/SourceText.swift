/// A policy file as text, with what is needed to speak about places in it.
public struct SourceText: Hashable, Sendable {
  /// What the file is called, for messages.
  public let file: String
  /// Its bytes, UTF-8; invalid sequences have been replaced.
  public let bytes: [UInt8]
  /// What was wrong with the bytes themselves: offsets of replaced sequences, at most a hundred.
  public let invalidOffsets: [Int]
  /// Whether the file was UTF-16, and has been read as that.
  public let wasWide: Bool
  /// Whether the file has more than `mostBytes`, so that only those are here.
  public let isCut: Bool
  /// Whether it began with a byte-order mark, which is left out of `bytes`.
  public let hadByteOrderMark: Bool
  private let lineStarts: [Int]

  /// Takes the bytes of a file, whatever they are.
  public init(file: String, bytes raw: [UInt8]) {
    self.file = file
    isCut = raw.count > Self.mostBytes
    var input = raw.prefix(Self.mostBytes)
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

  /// How many bytes a policy file may have: 4 MiB.
  public static let mostBytes = 4 << 20

  /// Takes a text.
  public init(file: String, text: String) { self.init(file: file, bytes: Array(text.utf8)) }

  /// The text as a string.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The text of a span.
  public func text(of span: SourceSpan) -> String {
    let end = min(max(span.end, 0), bytes.count)
    let start = min(max(span.start, 0), end)
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// The line, from 1, and the column, from 1, of an offset.
  ///
  /// Columns are characters; on a line of more than 10 000 bytes before the offset they are bytes.
  public func position(of offset: Int) -> (line: Int, column: Int) {
    let line = lineIndex(of: offset)
    if offset - lineStarts[line] > 10_000 { return (line + 1, offset - lineStarts[line] + 1) }
    let prefix = bytes[lineStarts[line]..<min(max(offset, lineStarts[line]), bytes.count)]
    return (line + 1, String(decoding: prefix, as: UTF8.self).count + 1)
  }

  /// The line, from 1, and the column, from 1, of an offset, counted in Unicode code points.
  public func codePointPosition(of offset: Int) -> (line: Int, column: Int) {
    let line = lineIndex(of: offset)
    let prefix = bytes[lineStarts[line]..<min(max(offset, lineStarts[line]), bytes.count)]
    return (line + 1, prefix.count { $0 & 0xC0 != 0x80 } + 1)
  }

  /// The lines of a span with their ends, where nothing else stands on them; with a comment behind it the span up
  /// to there, and the span itself where something else stands beside it.
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

  /// The text of a line, from 1, without its end.
  public func line(_ number: Int) -> String {
    String(decoding: bytes[lineRange(number)], as: UTF8.self)
  }

  /// Where a line, from 1, stands, without its end; empty for a line that is not there.
  func lineRange(_ number: Int) -> Range<Int> {
    guard lineStarts.indices.contains(number - 1) else { return 0..<0 }
    let start = lineStarts[number - 1]
    var end = lineStarts.indices.contains(number) ? lineStarts[number] - 1 : bytes.count
    if end > start, bytes[end - 1] == 0x0D { end -= 1 }
    return start..<max(end, start)
  }

  /// The nearest offset at or before this one that does not cut a character's bytes in two.
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

  /// UTF-16 with its byte-order mark as UTF-8.
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

  /// Whether a span holds nothing but ASCII.
  func isASCII(_ span: SourceSpan) -> Bool { bytes[span.start..<span.end].allSatisfy { $0 < 0x80 } }

  /// Replaces what is not UTF-8, and says where.
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
