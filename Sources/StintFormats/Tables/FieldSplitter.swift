/// Cuts a line of a comma separated table into fields, without copying those that stand without quotes.
struct FieldSplitter {
  /// Where a field stands: in the line, or unquoted in `scratch`.
  struct Field {
    /// Where it starts in the line, for messages.
    var start: Int
    var range: Range<Int>
    var isScratch: Bool
  }

  private(set) var fields: [Field] = []
  private var scratch: [UInt8] = []

  /// Cuts a line; gives back what is wrong with its quotes, or nil.
  mutating func split(_ buffer: [UInt8], _ line: Range<Int>) -> String? {
    fields.removeAll(keepingCapacity: true)
    scratch.removeAll(keepingCapacity: true)
    return buffer.withUnsafeBufferPointer { bytes in
      var index = line.lowerBound
      while true {
        if index < line.upperBound, bytes[index] == UInt8(ascii: "\"") {
          guard let end = unquote(bytes, from: index, line.upperBound) else {
            return "a quoted field is not closed"
          }
          index = end
          guard index == line.upperBound || bytes[index] == UInt8(ascii: ",") else {
            return "something follows a quoted field"
          }
        } else {
          let start = index
          while index < line.upperBound, bytes[index] != UInt8(ascii: ",") { index += 1 }
          fields.append(Field(start: start, range: trimmed(bytes, start..<index), isScratch: false))
        }
        if index == line.upperBound { return nil }
        index += 1
      }
    }
  }

  /// Takes a quoted field; gives back where it ends, or nil when it does not.
  private mutating func unquote(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ end: Int) -> Int? {
    let begin = scratch.count
    var index = start + 1
    while index < end {
      if bytes[index] == UInt8(ascii: "\"") {
        guard index + 1 < end, bytes[index + 1] == UInt8(ascii: "\"") else {
          fields.append(Field(start: start, range: begin..<scratch.count, isScratch: true))
          return index + 1
        }
        index += 1
      }
      scratch.append(bytes[index])
      index += 1
    }
    return nil
  }

  private func trimmed(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
    while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
    return start..<end
  }

  func isEmpty(_ field: Int) -> Bool { fields[field].range.isEmpty }

  func bytes(_ field: Int, in buffer: [UInt8]) -> ArraySlice<UInt8> {
    let field = fields[field]
    return field.isScratch ? scratch[field.range] : buffer[field.range]
  }

  func text(_ field: Int, in buffer: [UInt8]) -> String {
    String(decoding: bytes(field, in: buffer), as: UTF8.self)
  }
}
