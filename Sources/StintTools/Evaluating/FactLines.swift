import StintFormats
public import StintUnits

/// Lines of facts, from a file or from standard input, one at a time.
public struct FactLines {
  private let lines: LineSource

  /// Opens a file; `-` is standard input.
  public init(path: String) throws(Problem) {
    lines = try LineSource(path: path)
  }

  /// The file and the number of the current line, for messages.
  public var place: String { "\(lines.name):\(lines.lineNumber)" }

  public var line: ArraySlice<UInt8> { lines.line }

  /// Whether there is nothing in the current line.
  public var isBlank: Bool { lines.line.allSatisfy { $0 == 0x20 || $0 == 0x09 } }

  /// Whether stepping to the next line waits for nothing.
  public var hasWholeLine: Bool { lines.hasWholeLine }

  /// Steps to the next line; false at the end.
  public func advance() throws(Problem) -> Bool {
    try lines.advance()
  }
}
