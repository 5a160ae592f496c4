import StintUnits

/// A part of an image file, which writes itself and reads itself from untrusted bytes.
///
/// Each value has one form: what was read and is written again gives the same bytes.
protocol ImageCodable {
  /// The fewest bytes that one takes; at least 1, so that a number of them is bounded by the bytes that are left.
  static var leastBytes: Int { get }
  func write(to writer: inout ImageWriter)
  init(from reader: inout ImageReader) throws(Problem)
}

extension ImageCodable {
  static var leastBytes: Int { 1 }
}

/// An enum of which the number in a file is the place among all cases; new ones come last.
protocol ImageWord: ImageCodable, CaseIterable, Equatable where AllCases == [Self] {}

extension ImageWord {
  func write(to writer: inout ImageWriter) {
    writer.byte(UInt8(Self.allCases.firstIndex(of: self) ?? 0))
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    let number = Int(try reader.byte())
    guard Self.allCases.indices.contains(number) else {
      throw reader.trap(.encoding, at: place, "\(number) is no \(Self.self)")
    }
    self = Self.allCases[number]
  }
}
