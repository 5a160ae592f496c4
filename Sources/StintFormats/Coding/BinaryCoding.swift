public import StintUnits

/// Encodes `Encodable` values as compact bytes for saved state, sockets and pipes.
///
/// Equal values give equal bytes. The encoding adds no terminator, so that values can be written one after
/// the other. The bytes contain no version: the caller writes a version before them. Quantities and instants
/// are integers; NaN and infinity are allowed.
///
/// A value is one byte with its type, followed by its content:
///
/// | First byte | Content |
/// |---|---|
/// | `00`–`7F` | none: the integer 0 to 127 |
/// | `80`–`BF` | a string of 0 to 63 bytes of UTF-8 |
/// | `C0`, `C1`, `C2` | none: null, false, true |
/// | `C3` | an integer, as varint |
/// | `C4` | a negative integer n, as varint of -1 - n |
/// | `C5` | a floating-point number, 8 bytes of IEEE 754, little-endian |
/// | `C6` | a string: its length as varint, then UTF-8 |
/// | `C7` | an array: the number of elements as varint, then the elements |
/// | `C8` | an object: the number of members as varint, then each key and its value |
///
/// A varint consists of groups of 7 bits, the lowest first; the highest bit is set in all bytes except the
/// last. A key that occurs for the first time is the varint 0, then the length of the key as varint, then the
/// key in UTF-8. A repeated key is a varint: the number of the earlier key, counted from 1. Keys of more than
/// 64 bytes are not numbered, so that short input cannot repeat long keys.
public struct BinaryEncoder: Sendable {
  /// Makes an encoder.
  public init() {}

  /// Returns the bytes of a value.
  ///
  /// - Throws: a problem with the path of a key that is encoded twice, of an integer outside the range of
  ///   `Int128`, or of a value of more than 64 levels.
  public func encode(_ value: some Encodable) throws(Problem) -> [UInt8] {
    BinaryWriter.bytes(of: try EncodingNode.value(of: value, .binary))
  }
}

/// Decodes `Decodable` values from bytes in the format that `BinaryEncoder` describes.
///
/// Any input gives a value or an error. All bytes are read before the type decodes its value. The memory and
/// the time for this reading are proportional to the number of bytes.
public struct BinaryDecoder: Sendable {
  /// The maximum nesting depth of arrays and objects.
  public static let depthLimit = 64

  /// The name of the file or connection in errors; may be empty.
  public var source: String
  /// Whether keys are accepted that are unknown to the decoded type. A newer version may write such keys.
  public var ignoresUnknownKeys: Bool

  /// Makes a decoder.
  public init(source: String = "", ignoresUnknownKeys: Bool = false) {
    self.source = source
    self.ignoresUnknownKeys = ignoresUnknownKeys
  }

  /// Decodes a value from all bytes of an array.
  ///
  /// - Throws: a problem with the byte offset when the bytes are not exactly one value, or with the path of a
  ///   value that the type does not accept.
  public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(Problem) -> Value {
    var reader = ByteReader(bytes)
    let result = try decode(type, from: &reader)
    guard reader.remaining == 0 else {
      throw Problem(
        .corrupt, place: Problem.Place(source, byte: Int64(reader.position)),
        cause: reader.remaining == 1
          ? "1 byte follows the value" : "\(reader.remaining) bytes follow the value")
    }
    return result
  }

  /// Decodes the next value of a reader. The reader is then at the byte after that value.
  ///
  /// - Throws: the problems of `decode(_:from:)` for an array. The position of the reader is then undefined.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from reader: inout ByteReader
  ) throws(Problem) -> Value {
    var values = BinaryReader(reader, source: source)
    let value = try values.value()
    reader = values.bytes
    return try DecodingContext(source: source, .binary, ignoresUnknownKeys: ignoresUnknownKeys)
      .decode(type, from: value)
  }
}
