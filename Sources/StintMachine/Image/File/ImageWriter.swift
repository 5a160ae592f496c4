import StintUnits

/// Writes the parts of an image: whole numbers in little-endian order, of a fixed width.
public struct ImageWriter {
  private var writer = ByteWriter()

  public var bytes: [UInt8] { writer.bytes }

  /// Makes a writer of nothing.
  public init() {}

  mutating func byte(_ value: UInt8) { writer.append(value) }

  mutating func fixed(_ value: some FixedWidthInteger) { writer.append(value) }

  /// Bytes as they are.
  mutating func append(_ bytes: some Collection<UInt8>) { writer.append(contentsOf: bytes) }

  /// A place or a number of things.
  ///
  /// - Precondition: it is not negative, and below 2³²; the compiler makes no others.
  mutating func index(_ value: Int) {
    guard let narrow = UInt32(exactly: value) else { preconditionFailure("\(value) is no place in an image") }
    fixed(narrow)
  }

  mutating func write(_ value: some ImageCodable) { value.write(to: &self) }
}
