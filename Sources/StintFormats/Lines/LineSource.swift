public import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Lines of a file, of standard input or of bytes in memory, one at a time; memory stays flat.
///
/// Lines end with LF or CRLF; the last one may end with the file. A line longer than 1 MiB is refused.
public final class LineSource {
  /// The longest line, without its end.
  public static let lengthLimit = 1 << 20

  private let source: ByteSource
  /// What has been read and not been dropped yet.
  private(set) var buffer: [UInt8] = []
  /// Where the current line stands in the buffer, without its end.
  private(set) var range: Range<Int> = 0..<0
  private var next = 0
  private var isExhausted = false
  /// The number of the current line, from 1; 0 before the first.
  public private(set) var lineNumber = 0
  /// Whether the file ended before the current line did; such a line may be incomplete.
  public private(set) var isUnfinished = false

  /// Opens a file; `-` is standard input.
  public convenience init(path: String) throws(Problem) { self.init(try ByteSource(path: path)) }

  /// Hands out lines of bytes in memory; `name` is what errors call them.
  public convenience init(bytes: [UInt8], name: String) { self.init(ByteSource(bytes: bytes, name: name)) }

  /// Hands out lines of a text.
  public convenience init(text: String, name: String) { self.init(bytes: Array(text.utf8), name: name) }

  init(_ source: ByteSource) { self.source = source }

  /// What errors call the source.
  public var name: String { source.name }

  /// The bytes of the current line, without its end.
  public var line: ArraySlice<UInt8> { buffer[range] }

  /// The current line as a text; bytes that are no UTF-8 become replacement characters.
  public var text: String { String(decoding: line, as: UTF8.self) }

  /// Whether the next line has been read already, so that stepping to it waits for nothing.
  public var hasWholeLine: Bool { lineEnd(from: next) != nil }

  /// Steps to the next line; false at the end.
  public func advance() throws(Problem) -> Bool {
    var searched = next
    while true {
      if let end = lineEnd(from: searched) {
        let hasReturn = end > next && buffer[end - 1] == 0x0D
        return try consume(next..<(hasReturn ? end - 1 : end), then: end + 1)
      }
      if isExhausted {
        guard next < buffer.count else { return false }
        isUnfinished = true
        return try consume(next..<buffer.count, then: buffer.count)
      }
      if buffer.count - next > Self.lengthLimit + 1 { throw tooLong() }
      if next > 0 {
        buffer.removeSubrange(..<next)
        next = 0
      }
      searched = buffer.count
      isExhausted = try !source.append(to: &buffer)
    }
  }

  private func lineEnd(from start: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + start, 0x0A, bytes.count - start)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  private func consume(_ range: Range<Int>, then next: Int) throws(Problem) -> Bool {
    if range.count > Self.lengthLimit { throw tooLong() }
    self.range = range
    self.next = next
    lineNumber += 1
    if lineNumber == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { self.range = range.dropFirst(3) }
    return true
  }

  private func tooLong() -> Problem {
    Problem(
      .size, place: Problem.Place(name, at: TextLocation(line: lineNumber + 1, column: 1)),
      cause: "the line is longer than 1 MiB", remedy: "check that this is a text file")
  }
}
