/// Writes the parts of an image: whole numbers in little-endian order, of a fixed width.
public struct ImageWriter {
  public private(set) var bytes: [UInt8] = []

  /// Makes a writer of nothing.
  public init() {}

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  mutating func fixed<Number: FixedWidthInteger>(_ value: Number) {
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> Number(shift)))
    }
  }

  /// A place or a number of things.
  ///
  /// - Precondition: it is not negative, and below 2³²; the compiler makes no others.
  mutating func index(_ value: Int) {
    guard let narrow = UInt32(exactly: value) else { preconditionFailure("\(value) is no place in an image") }
    fixed(narrow)
  }

  mutating func write(_ value: some ImageCodable) { value.write(to: &self) }
}
