/// Reads values off the front of bytes, integers little-endian; nil where bytes are missing.
///
/// The one reader of every format of Stint: images, frames, journals, state. Each format adds its own texts, counts and
/// faults. No input traps, and nothing is read beyond the end.
public struct ByteReader: Sendable {
  @usableFromInline let bytes: [UInt8]
  /// The next byte, counted from the beginning of the bytes.
  @usableFromInline var next: Int
  @usableFromInline let end: Int

  /// Reads all bytes.
  @inlinable public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    next = 0
    end = bytes.count
  }

  /// Reads a range of the bytes.
  ///
  /// - Precondition: the range lies within the bytes.
  public init(_ bytes: [UInt8], in range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "the range lies within the bytes")
    self.bytes = bytes
    next = range.lowerBound
    end = range.upperBound
  }

  /// The next byte, counted from the beginning of the bytes.
  @inlinable public var position: Int { next }

  /// How many bytes are left.
  @inlinable public var remaining: Int { end - next }

  /// The next integer, of the width of its type.
  @inlinable
  public mutating func integer<Value: FixedWidthInteger>(as type: Value.Type = Value.self) -> Value? {
    let size = Value.bitWidth / 8
    guard size <= remaining else { return nil }
    var value: UInt64 = 0
    for place in (0..<size).reversed() { value = value << 8 | UInt64(bytes[next + place]) }
    next += size
    return Value(truncatingIfNeeded: value)
  }

  /// The next bytes; nil for a negative number of them too.
  @inlinable
  public mutating func readBytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= remaining else { return nil }
    next += count
    return bytes[next - count..<next]
  }
}

/// Writes values one behind the other, integers little-endian: what a `ByteReader` reads.
public struct ByteWriter: Sendable {
  public private(set) var bytes: [UInt8] = []

  /// Makes a writer of nothing.
  public init() {}

  /// Forgets what was written, and keeps the room for more.
  public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Adds an integer, of the width of its type.
  public mutating func append(_ value: some FixedWidthInteger) {
    for place in 0..<value.bitWidth / 8 { bytes.append(UInt8(truncatingIfNeeded: value >> (place * 8))) }
  }

  /// Adds the bits of a number.
  public mutating func append(_ number: Double) { append(number.bitPattern) }

  /// Adds a byte, 1 for true and 0 for false.
  public mutating func append(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  /// Adds bytes as they are.
  public mutating func append(contentsOf other: some Collection<UInt8>) { bytes.append(contentsOf: other) }
}
