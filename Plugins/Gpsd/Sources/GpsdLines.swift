/// Splits the bytes from gpsd into lines; a line may arrive in several pieces. A line that is too long is
/// skipped.
struct GpsdLines: Hashable, Sendable {
  /// The length of the longest accepted line, in bytes. gpsd's own limit is 10,240.
  static let limit = 65_536

  enum Line: Hashable, Sendable {
    case text([UInt8])
    /// A line beyond the limit. It is reported as soon as the limit is exceeded, before the end of the line
    /// arrives.
    case oversize
  }

  private var held: [UInt8] = []
  private var isSkipping = false

  /// The number of bytes of an incomplete line that are stored.
  var heldCount: Int { held.count }

  /// Appends bytes and returns the lines that they complete, without line ends and without empty lines.
  mutating func append(_ bytes: some Sequence<UInt8>) -> [Line] {
    var lines: [Line] = []
    for byte in bytes {
      if byte == 0x0A {
        if held.last == 0x0D { held.removeLast() }
        if !isSkipping, !held.isEmpty { lines.append(.text(held)) }
        held.removeAll(keepingCapacity: true)
        isSkipping = false
      } else if !isSkipping {
        held.append(byte)
        if held.count > Self.limit {
          held = []
          isSkipping = true
          lines.append(.oversize)
        }
      }
    }
    return lines
  }

  /// Discards an incomplete line.
  mutating func reset() {
    held = []
    isSkipping = false
  }
}
