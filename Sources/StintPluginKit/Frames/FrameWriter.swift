/// Builds the body of a frame, little-endian.
struct FrameWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ value: some FixedWidthInteger) {
    for place in 0..<value.bitWidth / 8 { bytes.append(UInt8(truncatingIfNeeded: value >> (place * 8))) }
  }

  mutating func append(_ number: Double) { append(number.bitPattern) }

  mutating func append(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  /// Cut at the longest text that a frame takes, between two characters.
  mutating func append(_ text: String) {
    var count = 0
    for character in text {
      let size = character.utf8.count
      if count + size > FrameLayout.longestText { break }
      count += size
    }
    append(UInt16(count))
    bytes.append(contentsOf: text.utf8.prefix(count))
  }

  mutating func zero(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }
}
