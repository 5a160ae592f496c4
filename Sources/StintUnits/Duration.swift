/// Durations as apps write them. The library computes with `TimeSpan`, whose arithmetic never traps.
extension Duration {
  /// Returns a duration of minutes, limited to about ±292 years.
  public static func minutes(_ count: Int64) -> Duration { TimeSpan.minutes(count).duration }

  /// Returns a duration of hours, limited to about ±292 years.
  public static func hours(_ count: Int64) -> Duration { TimeSpan.hours(count).duration }

  /// The duration in whole nanoseconds, limited to about ±292 years.
  public var timeSpan: TimeSpan {
    // Within these limits, the components are exact and the conversion does not trap.
    let (seconds, attoseconds) = min(max(self, .nanoseconds(Int64.min)), .nanoseconds(Int64.max)).components
    return .seconds(seconds) + TimeSpan(nanoseconds: attoseconds / 1_000_000_000)
  }
}

extension TimeSpan {
  /// The span as a duration of the standard library.
  public var duration: Duration { .nanoseconds(nanoseconds) }
}

// The synthesized `Codable` code of types with a `Duration` uses these functions. So a duration is encoded
// like a `TimeSpan`.

extension KeyedEncodingContainer {
  package mutating func encode(_ duration: Duration, forKey key: Key) throws {
    try encode(duration.timeSpan, forKey: key)
  }

  package mutating func encodeIfPresent(_ duration: Duration?, forKey key: Key) throws {
    try encodeIfPresent(duration?.timeSpan, forKey: key)
  }
}

extension KeyedDecodingContainer {
  package func decode(_ type: Duration.Type, forKey key: Key) throws -> Duration {
    try decode(TimeSpan.self, forKey: key).duration
  }

  package func decodeIfPresent(_ type: Duration.Type, forKey key: Key) throws -> Duration? {
    try decodeIfPresent(TimeSpan.self, forKey: key)?.duration
  }
}
