/// Cuts what comes from gpsd into lines, however it was cut on the way; a line that is too long is skipped.
struct GpsdLines: Hashable, Sendable {
  /// The longest line that is read, in bytes. gpsd's own limit is 10,240.
  static let limit = 65_536

  enum Line: Hashable, Sendable {
    case text([UInt8])
    /// A line beyond the limit; told when the limit is passed, not when the line ends.
    case oversize
  }

  private var held: [UInt8] = []
  private var isSkipping = false

  /// How many bytes of a line that has not ended yet are held.
  var heldCount: Int { held.count }

  /// Takes bytes in and returns the lines that they complete, without their ends; empty lines are no lines.
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

  /// Forgets a line that was begun.
  mutating func reset() {
    held = []
    isSkipping = false
  }
}
