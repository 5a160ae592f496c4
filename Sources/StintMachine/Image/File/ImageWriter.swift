import StintUnits

/// Encodes the parts of an image. Integers are little-endian and have a fixed width.
public struct ImageWriter {
  private var writer = ByteWriter()

  /// The bytes written up to now.
  public var bytes: [UInt8] { writer.bytes }

  /// Creates an empty writer.
  public init() {}

  mutating func byte(_ value: UInt8) { writer.append(value) }

  mutating func fixed(_ value: some FixedWidthInteger) { writer.append(value) }

  /// Appends bytes without any encoding.
  mutating func append(_ bytes: some Collection<UInt8>) { writer.append(contentsOf: bytes) }

  /// Writes an index or a count as 32 bits.
  ///
  /// - Precondition: the value is at least 0 and less than 2³². The compiler creates no other values.
  mutating func index(_ value: Int) {
    guard let narrow = UInt32(exactly: value) else {
      preconditionFailure("\(value) does not fit into 32 bits")
    }
    fixed(narrow)
  }

  /// Writes values one after the other.
  mutating func write<each Value: ImageCodable>(_ values: repeat each Value) {
    repeat (each values).write(to: &self)
  }

  /// Writes the number of a case of an enum, and the values of the case.
  mutating func write<each Value: ImageCodable>(case number: UInt8, _ values: repeat each Value) {
    byte(number)
    repeat (each values).write(to: &self)
  }
}
