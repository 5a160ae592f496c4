/// The last line that a program printed, with a bounded length and only printable characters.
struct LastOutputLine: Hashable, Sendable {
  private static let maxLineBytes = 200

  private var line: [UInt8] = []
  private var lastComplete: [UInt8] = []

  /// Adds output of the program.
  mutating func receive(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      if byte == 0x0A {
        if !line.isEmpty { lastComplete = line }
        line.removeAll(keepingCapacity: true)
      } else if line.count < Self.maxLineBytes {
        line.append(byte >= 0x20 && byte != 0x7F ? byte : 0x20)
      }
    }
  }

  /// The line; nil when the program printed nothing.
  var text: String? {
    let bytes = line.isEmpty ? lastComplete : line
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
