/// An instant is encoded as a text or as an integer. The text has the format RFC 3339 in UTC, with the fewest
/// digits that read back exactly: `2026-05-16T06:00:00.25Z`. The integer is the number of nanoseconds since
/// 1970.
extension Instant: Codable {
  /// Decodes an instant: a text with any offset from UTC, or nanoseconds since 1970.
  ///
  /// - Throws: a `Problem` when the text is not a time or the time is out of range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard UnitForm(decoder.userInfo) == .text else {
      self.init(nanoseconds: try container.decode(Int64.self))
      return
    }
    let text = try container.decode(String.self)
    guard let time = CalendarTime.parse(text) else {
      throw Problem(
        .value, cause: "“\(text.prefix(80))” is not a date and time",
        remedy: "write it as 2026-05-16T08:00:00Z")
    }
    self = time.instant
  }

  /// Encodes the instant in the `UnitForm` of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch UnitForm(encoder.userInfo) {
    case .text: try container.encode(CalendarTime.text(self))
    case .integer: try container.encode(nanoseconds)
    }
  }
}

/// A coordinate is encoded as an array of two numbers: latitude and longitude in degrees.
extension Coordinate: Codable {
  /// Decodes an array of two numbers.
  ///
  /// - Throws: a `Problem` when the array does not have two elements or a number is out of range.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    let count = container.count ?? 2
    guard count == 2 else {
      throw Problem(
        .value, cause: "expected two numbers, found \(count)", remedy: "write [47.05, 8.31]")
    }
    let latitude = try container.decode(Double.self)
    let longitude = try container.decode(Double.self)
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      let isLatitude = !(abs(latitude) <= 90)
      throw Problem(
        .value,
        cause: isLatitude ? "latitude \(latitude) is out of range" : "longitude \(longitude) is out of range",
        remedy: "write the latitude (-90 to 90), then the longitude (-180 to 180)")
    }
    self = coordinate
  }

  /// Encodes an array of the latitude and the longitude.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(latitude)
    try container.encode(longitude)
  }
}
