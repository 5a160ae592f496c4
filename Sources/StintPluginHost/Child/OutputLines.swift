/// The lines that a program prints. A line has at most 200 bytes, with a space in place of each ASCII control
/// character and “…” in place of each secret. Keeps the last line.
struct OutputLines: Hashable, Sendable {
  private static let maxLineBytes = 200

  private var line: [UInt8] = []
  private var lastComplete = ""
  /// The secrets that no line may contain.
  var mask: SecretMask

  init(mask: SecretMask = SecretMask()) { self.mask = mask }

  /// Adds output of the program. Returns the lines that this output completes, without empty lines.
  mutating func receive(_ bytes: ArraySlice<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte == 0x0A {
        if !line.isEmpty {
          lastComplete = text(isComplete: line.count < capacity)
          lines.append(lastComplete)
        }
        line.removeAll(keepingCapacity: true)
      } else if line.count < capacity {
        line.append(byte >= 0x20 && byte != 0x7F ? byte : 0x20)
      }
    }
    return lines
  }

  /// The last line, complete or not; nil when the program printed nothing.
  var last: String? {
    let text = line.isEmpty ? lastComplete : text(isComplete: false)
    return text.isEmpty ? nil : text
  }

  /// The number of bytes of a line that are kept. A secret that begins within the line is kept completely.
  private var capacity: Int { Self.maxLineBytes + mask.longest }

  private func text(isComplete: Bool) -> String {
    let text = mask.masked(String(decoding: line, as: UTF8.self), isCut: !isComplete)
    guard text.utf8.count > Self.maxLineBytes else { return text }
    return String(decoding: text.utf8.prefix(Self.maxLineBytes), as: UTF8.self)
  }
}
