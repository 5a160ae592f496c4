public import StintUnits

/// What is believed now: a value, its instant and its age limit for each fact of a vocabulary, by number.
public struct FactTable: Sendable {
  private var values: [FactValue]
  private var instants: [Instant]

  /// Starts with every fact unknown.
  public init(count: Int) {
    values = Array(repeating: .unknown, count: count)
    instants = Array(repeating: .epoch, count: count)
  }

  public var count: Int { values.count }

  /// Writes a value; the caller has asked the schema for objections and keeps time from going back.
  public mutating func set(_ fact: Int, _ value: FactValue, at instant: Instant) {
    values[fact] = value
    instants[fact] = instant
  }

  /// The last value written, however old.
  public func value(_ fact: Int) -> FactValue { values[fact] }

  /// When the value was written; the epoch before any.
  public func instant(_ fact: Int) -> Instant { instants[fact] }

  /// The value if it is still fresh at `now`, else unknown: at exactly `maxAge` a value still stands.
  public func value(_ fact: Int, at now: Instant, maxAge: TimeSpan?) -> FactValue {
    guard let maxAge, values[fact] != .unknown else { return values[fact] }
    return now - instants[fact] > maxAge ? .unknown : values[fact]
  }
}
