/// Encodes and decodes quantities that are stored as an integer count of 10⁻⁹ base units.
struct UnitCoding<Count: FixedWidthInteger & Codable> {
  let dimension: Dimension
  /// The symbol of the base unit.
  let symbol: String
  /// A correct text, for the remedy of errors.
  let example: String

  /// Encodes a count in the `UnitForm` of the encoder. The text is `readable` if reading it gives the
  /// same count. Otherwise, the text contains all digits in the base unit.
  func encode(_ count: Count, readable: @autoclosure () -> String, to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch UnitForm(encoder.userInfo) {
    case .text:
      try container.encode(
        ExactUnitText.text(of: Int128(count), readable: readable(), symbol: symbol))
    case .integer: try container.encode(count)
    }
  }

  /// Decodes a count.
  ///
  /// - Throws: a `Problem` without a location, or the error of the decoder.
  func decode(from decoder: any Decoder) throws -> Count {
    let container = try decoder.singleValueContainer()
    guard UnitForm(decoder.userInfo) == .text else { return try container.decode(Count.self) }
    let text: String
    do {
      text = try container.decode(String.self)
    } catch {
      // A decoder that has the location adds it to the problem, together with the type of the value.
      throw Problem(
        .type, cause: "expected a string with a number and a unit", remedy: "write it as \"\(example)\"")
    }
    let count = try ExactUnitText.count(in: text, dimension, like: example)
    guard let result = Count(exactly: count) else {
      let (word, bound, nearest) =
        count < 0 ? ("small", "least", Int128(Count.min)) : ("large", "most", Int128(Count.max))
      let limit = ExactUnitText.text(of: nearest, readable: "", symbol: symbol)
      throw Problem(.value, cause: "“\(text)” is too \(word)", remedy: "write at \(bound) \(limit)")
    }
    return result
  }
}

/// A span is encoded as a text or as an integer number of nanoseconds. The text is short, such as `1 h 30
/// min`, if this is exact; otherwise, it contains all digits in seconds.
extension TimeSpan: Codable {
  private static var coding: UnitCoding<Int64> {
    UnitCoding(dimension: .time, symbol: "s", example: "14 s")
  }

  /// Decodes a span: a text with any units of time, rounded to the nearest nanosecond, or nanoseconds.
  ///
  /// - Throws: a `Problem` when the text is not a time or the time is out of range.
  public init(from decoder: any Decoder) throws {
    self.init(nanoseconds: try Self.coding.decode(from: decoder))
  }

  /// Encodes the span in the `UnitForm` of the encoder.
  public func encode(to encoder: any Encoder) throws {
    try Self.coding.encode(nanoseconds, readable: description, to: encoder)
  }
}

/// An energy is encoded as a text or as an integer number of nanojoules. The text is short, such as `600 mJ`,
/// if this is exact; otherwise, it contains all digits in joules.
extension Energy: Codable {
  private static var coding: UnitCoding<Int128> {
    UnitCoding(dimension: .energy, symbol: "J", example: "600 mJ")
  }

  /// Decodes an energy: a text with any units of energy, rounded to the nearest nanojoule, or nanojoules.
  ///
  /// - Throws: a `Problem` when the text is not an energy or the energy is out of range.
  public init(from decoder: any Decoder) throws {
    self.init(nanojoules: try Self.coding.decode(from: decoder))
  }

  /// Encodes the energy in the `UnitForm` of the encoder.
  public func encode(to encoder: any Encoder) throws {
    try Self.coding.encode(nanojoules, readable: Quantity(joules, .energy).description, to: encoder)
  }
}

/// A power is encoded as a text or as an integer number of nanowatts. The text is short, such as `60 mW`, if
/// this is exact; otherwise, it contains all digits in watts.
extension Power: Codable {
  private static var coding: UnitCoding<Int64> {
    UnitCoding(dimension: .power, symbol: "W", example: "60 mW")
  }

  /// Decodes a power: a text with any units of power, rounded to the nearest nanowatt, or nanowatts.
  ///
  /// - Throws: a `Problem` when the text is not a power or the power is out of range.
  public init(from decoder: any Decoder) throws {
    self.init(nanowatts: try Self.coding.decode(from: decoder))
  }

  /// Encodes the power in the `UnitForm` of the encoder.
  public func encode(to encoder: any Encoder) throws {
    try Self.coding.encode(nanowatts, readable: Quantity(watts, .power).description, to: encoder)
  }
}
