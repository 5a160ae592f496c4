/// The last line that a program printed, with a bounded length and only printable characters.
struct LastOutputLine: Hashable, Sendable {
  /// The maximum number of bytes that are read from one process before its pipe is closed.
  private static let maxBytes = 256 << 10
  private static let maxLineBytes = 200

  private var line: [UInt8] = []
  private var lastComplete: [UInt8] = []
  private var count = 0

  /// Adds output of the program. Returns false when the maximum is reached.
  mutating func receive(_ bytes: ArraySlice<UInt8>) -> Bool {
    count += bytes.count
    for byte in bytes {
      if byte == 0x0A {
        if !line.isEmpty { lastComplete = line }
        line.removeAll(keepingCapacity: true)
      } else if line.count < Self.maxLineBytes {
        line.append(byte >= 0x20 && byte != 0x7F ? byte : 0x20)
      }
    }
    return count < Self.maxBytes
  }

  /// The line; nil when the program printed nothing.
  var text: String? {
    let bytes = line.isEmpty ? lastComplete : line
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
