/// Reads integers and byte ranges from the front of a byte array. Integers are little-endian.
///
/// All binary formats of Stint use this reader: images, frames, journals and saved state. Each format adds
/// its own functions for strings, counts and errors. Reads never trap and never pass the end: they return nil
/// when too few bytes are left.
public struct ByteReader: Sendable {
  @usableFromInline let bytes: [UInt8]
  /// The index of the next byte in `bytes`.
  @usableFromInline var next: Int
  @usableFromInline let end: Int

  /// Makes a reader of all bytes of an array.
  @inlinable public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    next = 0
    end = bytes.count
  }

  /// Makes a reader of a range of an array.
  ///
  /// - Precondition: the range lies within the array.
  public init(_ bytes: [UInt8], in range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "range outside of the bytes")
    self.bytes = bytes
    next = range.lowerBound
    end = range.upperBound
  }

  /// The index of the next byte, counted from the beginning of the array.
  @inlinable public var position: Int { next }

  /// The number of bytes left to read.
  @inlinable public var remaining: Int { end - next }

  /// Reads an integer of the width of its type, at most 64 bits.
  ///
  /// - Returns: nil, without moving, when too few bytes are left.
  @inlinable
  public mutating func integer<Value: FixedWidthInteger>(as type: Value.Type = Value.self) -> Value? {
    let size = Value.bitWidth / 8
    guard size <= remaining else { return nil }
    var value: UInt64 = 0
    for place in (0..<size).reversed() { value = value << 8 | UInt64(bytes[next + place]) }
    next += size
    return Value(truncatingIfNeeded: value)
  }

  /// Reads `count` bytes.
  ///
  /// - Returns: nil, without moving, when `count` is negative or more than the bytes left.
  @inlinable
  public mutating func readBytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= remaining else { return nil }
    next += count
    return bytes[next - count..<next]
  }
}

/// Appends values to a byte array in the format that `ByteReader` reads. Integers are little-endian.
public struct ByteWriter: Sendable {
  /// The written bytes.
  public private(set) var bytes: [UInt8] = []

  /// Makes a writer without any bytes.
  public init() {}

  /// Removes all written bytes and keeps the allocated capacity.
  public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends an integer of the width of its type.
  public mutating func append(_ value: some FixedWidthInteger) {
    for place in 0..<value.bitWidth / 8 { bytes.append(UInt8(truncatingIfNeeded: value >> (place * 8))) }
  }

  /// Appends the IEEE 754 bit pattern of a floating-point number, 8 bytes.
  public mutating func append(_ number: Double) { append(number.bitPattern) }

  /// Appends one byte: 1 for true, 0 for false.
  public mutating func append(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  /// Appends bytes unchanged, without a length.
  public mutating func append(contentsOf other: some Collection<UInt8>) { bytes.append(contentsOf: other) }
}
