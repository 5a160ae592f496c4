import StintRuntime
import StintSystem

/// The output that waits for its reader: the rest of a text of which only a part was written. Later lines are
/// dropped and counted.
struct OutputBacklog: Sendable {
  private var rest: [UInt8] = []
  private var dropped = 0
  /// The number of lines dropped since the start.
  private(set) var allDropped = 0

  /// Writes as much of the text as the reader accepts. While earlier text is still waiting, drops and counts
  /// the new lines instead. Before the next written lines, a notice states the number of dropped lines.
  ///
  /// - Parameter write: writes some bytes. Returns their number, nil when the write would wait, and a
  ///   negative number on an error.
  /// - Returns: the `errno` of a failed write; nil when no write failed.
  mutating func offer(_ text: String, _ write: (UnsafeRawBufferPointer) -> Int?) -> Int32? {
    if let number = flush(write) { return number }
    guard rest.isEmpty else {
      let lines = text.utf8.count { $0 == UInt8(ascii: "\n") }
      dropped += lines
      allDropped += lines
      return nil
    }
    rest = notice + Array(text.utf8)
    dropped = 0
    return flush(write)
  }

  /// Removes and returns the bytes that must be written before further output.
  mutating func drain() -> [UInt8] {
    defer { (rest, dropped) = ([], 0) }
    return rest + notice
  }

  private var notice: [UInt8] { dropped > 0 ? Self.notice(of: dropped) : [] }

  /// Returns the line that states the number of dropped lines.
  static func notice(of dropped: Int) -> [UInt8] {
    let lines = dropped == 1 ? "1 line was" : "\(dropped) lines were"
    return Array("\(lines) dropped because this output was not read\n".utf8)
  }

  private mutating func flush(_ write: (UnsafeRawBufferPointer) -> Int?) -> Int32? {
    while !rest.isEmpty {
      let written = rest.prefix(OutputSpace.piece).withUnsafeBytes(write)
      guard let written else { return nil }
      if written >= 0 {
        rest.removeFirst(written)
      } else if errno != EINTR {
        rest = []
        return errno
      }
    }
    return nil
  }
}
