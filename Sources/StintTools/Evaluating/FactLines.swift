import StintFormats
import StintTracks
public import StintUnits

/// A reader of fact lines from a file or standard input, one line at a time.
public struct FactLines {
  private let lines: LineSource

  /// Opens a file; `-` is standard input.
  ///
  /// - Throws: `Problem` when the file cannot be opened.
  public init(path: String) throws(Problem) {
    lines = try LineSource(path: path)
  }

  /// The file name and current line number, for messages.
  public var place: String { "\(lines.name):\(lines.lineNumber)" }

  /// The bytes of the current line.
  public var line: ArraySlice<UInt8> { lines.line }

  /// True when the current line contains only spaces and tabs.
  public var isBlank: Bool { lines.line.allSatisfy { $0 == 0x20 || $0 == 0x09 } }

  /// True when the next line is already buffered, so `advance()` does not block.
  public var hasWholeLine: Bool { lines.hasWholeLine }

  /// Reads the next line. Returns false at the end of the input.
  ///
  /// - Throws: `Problem` when the input cannot be read.
  public func advance() throws(Problem) -> Bool {
    try lines.advance()
  }
}
