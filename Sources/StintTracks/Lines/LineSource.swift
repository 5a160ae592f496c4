import StintFormats
import StintSystem
public import StintUnits

/// Reads a file, standard input or bytes in memory line by line, in constant memory.
///
/// Lines end with LF or CRLF; the last line may end with the file. A byte-order mark at the beginning is
/// skipped. A line longer than 1 MiB is an error.
public final class LineSource {
  /// The maximum length of a line in bytes, without its end.
  public static let lengthLimit = 1 << 20

  private let source: ByteSource
  /// The bytes that were read and are still needed.
  private(set) var buffer: [UInt8] = []
  /// The range of the current line in `buffer`, without its end.
  private(set) var range: Range<Int> = 0..<0
  private var next = 0
  private var isExhausted = false
  /// The number of the current line, starting at 1; 0 before the first line.
  public private(set) var lineNumber = 0
  /// True when the file ends before the line end of the current line; such a line may be incomplete.
  public private(set) var isUnfinished = false

  /// Opens a file; `-` is standard input. Throws when the file cannot be opened.
  public convenience init(path: String) throws(Problem) { self.init(try ByteSource(path: path)) }

  /// Makes a source from the lines of bytes in memory; errors contain `name` as the name of the source.
  public convenience init(bytes: [UInt8], name: String) { self.init(ByteSource(bytes: bytes, name: name)) }

  /// Makes a source from the lines of a string; errors contain `name` as the name of the source.
  public convenience init(text: String, name: String) { self.init(bytes: Array(text.utf8), name: name) }

  init(_ source: ByteSource) { self.source = source }

  /// The name of the source in errors.
  public var name: String { source.name }

  /// The bytes of the current line, without its end.
  public var line: ArraySlice<UInt8> { buffer[range] }

  /// The current line as a string; invalid UTF-8 becomes replacement characters.
  public var text: String { String(decoding: line, as: UTF8.self) }

  /// True when the next line is already in memory, so that `advance` does not block.
  public var hasWholeLine: Bool { lineEnd(from: next) != nil }

  /// Advances to the next line. Returns false at the end. Throws when the file cannot be read or the line is
  /// too long.
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
