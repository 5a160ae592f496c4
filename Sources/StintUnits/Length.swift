/// A length as an app writes it: `.meters(50)` or `.kilometers(2)`.
///
/// A value may contain any number, so that a computed length never terminates the process. A request with a
/// length that is not finite, is negative or exceeds 100 000 km is refused with a `Problem`.
public struct Length: Hashable, Comparable, Sendable {
  /// The length in metres.
  public var meters: Double

  /// Returns a length in metres.
  public static func meters(_ meters: Double) -> Length { Length(meters: meters) }

  /// Returns a length in kilometres.
  public static func kilometers(_ kilometers: Double) -> Length { Length(meters: kilometers * 1000) }

  public static func < (left: Length, right: Length) -> Bool { left.meters < right.meters }
}

/// A length is encoded as a number of metres.
extension Length: Codable {
  public init(from decoder: any Decoder) throws {
    meters = try decoder.singleValueContainer().decode(Double.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(meters)
  }
}
