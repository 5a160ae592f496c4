import StintUnits

/// A part of an image file that can be encoded, and decoded from untrusted bytes.
///
/// The encoding of a value is unique: encoding a decoded value gives the original bytes.
protocol ImageCodable {
  /// The smallest encoded size in bytes; at least 1. The reader rejects a count of entries that cannot fit
  /// into the remaining bytes.
  static var minBytes: Int { get }
  func write(to writer: inout ImageWriter)
  init(from reader: inout ImageReader) throws(Problem)
}

extension ImageCodable {
  static var minBytes: Int { 1 }
}

/// An enum that is encoded as the position of its case in `allCases`. New cases are added at the end.
protocol ImageWord: ImageCodable, CaseIterable, Equatable where AllCases == [Self] {}

extension ImageWord {
  func write(to writer: inout ImageWriter) {
    writer.byte(UInt8(Self.allCases.firstIndex(of: self) ?? 0))
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    let number = Int(try reader.byte())
    guard Self.allCases.indices.contains(number) else {
      throw reader.trap(.encoding, at: place, "unknown \(Self.self): \(number)")
    }
    self = Self.allCases[number]
  }
}
