/// The text of a document, and the positions of its lines. The text changes incrementally.
///
/// A line ends with a line feed, a carriage return, or both together. Edits never split a character: a
/// position within a character means the beginning of this character. A position after the end of a line
/// means the end of the line.
struct DocumentText: Hashable, Sendable {
  /// The text as UTF-8.
  private(set) var bytes: [UInt8]
  /// The start offset of each line; the first is 0.
  private(set) var lineStarts: [Int]

  init(_ text: String) {
    bytes = Array(text.utf8)
    lineStarts = [0] + Self.starts(in: bytes, 0..<bytes.count)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Replaces a range of bytes with a text.
  mutating func replace(_ range: Range<Int>, with text: String) {
    let added = Array(text.utf8)
    let growth = added.count - range.count
    bytes.replaceSubrange(range, with: added)
    // The border of the change may separate a carriage return from its line feed. So the search for lines
    // begins one byte before the change and ends one byte after it.
    let first = max(range.lowerBound - 1, 0)
    let low = Self.index(of: first, in: lineStarts) + 1
    var high = low
    while high < lineStarts.count, lineStarts[high] <= range.upperBound + 1 { high += 1 }
    for index in high..<lineStarts.count { lineStarts[index] += growth }
    let last = min(range.lowerBound + added.count + 1, bytes.count)
    lineStarts.replaceSubrange(low..<high, with: Self.starts(in: bytes, first..<last))
  }

  // MARK: Places

  func offset(of position: TextPosition, _ encoding: PositionEncoding) -> Int {
    guard position.line >= 0 else { return 0 }
    guard position.line < lineStarts.count else { return bytes.count }
    var offset = lineStarts[position.line]
    let end = lineEnd(position.line)
    var remaining = max(position.character, 0)
    if encoding == .utf8 {
      offset = min(offset + min(remaining, bytes.count), end)
      while offset > lineStarts[position.line], offset < bytes.count, Self.isContinuation(bytes[offset]) {
        offset -= 1
      }
      return offset
    }
    while remaining > 0, offset < end {
      let units = Self.units(bytes[offset])
      guard units <= remaining else { break }
      remaining -= units
      offset += Self.width(bytes[offset])
    }
    return min(offset, end)
  }

  func position(of offset: Int, _ encoding: PositionEncoding) -> TextPosition {
    let place = min(max(offset, 0), bytes.count)
    let line = Self.index(of: place, in: lineStarts)
    let start = lineStarts[line]
    return TextPosition(line: line, character: units(in: start..<place, encoding))
  }

  /// Returns the length of a range, in units of the encoding.
  func units(in range: Range<Int>, _ encoding: PositionEncoding) -> Int {
    encoding == .utf8 ? range.count : bytes[range].reduce(0) { $0 + Self.units($1) }
  }

  /// Returns the end offset of a line, without its line ending.
  private func lineEnd(_ line: Int) -> Int {
    guard line + 1 < lineStarts.count else { return bytes.count }
    var end = lineStarts[line + 1] - 1
    if end > lineStarts[line], bytes[end] == 0x0A, bytes[end - 1] == 0x0D { end -= 1 }
    return end
  }

  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// Returns the number of UTF-16 units of the character that begins with a byte; 0 for a continuation byte.
  private static func units(_ byte: UInt8) -> Int { isContinuation(byte) ? 0 : byte >= 0xF0 ? 2 : 1 }

  private static func width(_ byte: UInt8) -> Int { byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4 }

  /// Returns the index of the line that contains an offset.
  private static func index(of offset: Int, in starts: [Int]) -> Int {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// Returns the start offsets of the lines that follow the line endings within a range.
  private static func starts(in bytes: [UInt8], _ range: Range<Int>) -> [Int] {
    var starts: [Int] = []
    for index in range {
      if bytes[index] == 0x0A {
        starts.append(index + 1)
      } else if bytes[index] == 0x0D, index + 1 >= bytes.count || bytes[index + 1] != 0x0A {
        starts.append(index + 1)
      }
    }
    return starts
  }
}
