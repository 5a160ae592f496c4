public import StintUnits

/// The type of a fact's value.
public enum FactType: Hashable, Sendable {
  case boolean
  /// A number in base units of its dimension.
  case quantity(Dimension)
  /// One of a fixed set of words; the value is an index into them.
  case symbol([String])

  /// The name in messages: "true or false", "length", "one of still, walking".
  public var name: String {
    switch self {
    case .boolean: "true or false"
    case .quantity(let dimension): dimension.name
    case .symbol(let words): "one of \(words.joined(separator: ", "))"
    }
  }
}

/// The value of a fact, or unknown.
public enum FactValue: Hashable, Sendable {
  /// The fact was never published, is too old or was withdrawn.
  case unknown
  case boolean(Bool)
  /// A number in base units; always finite.
  case number(Double)
  /// An index into the words of the fact's type.
  case symbol(Int)
}

/// The declaration of a fact, known before the first value.
public struct FactSchema: Hashable, Sendable {
  /// The full path: `location.gnss.accuracy`, `battery.level`.
  public var path: String
  /// The type of the value.
  public var type: FactType
  /// The plausible range in base units. Values outside are rejected when they are published.
  public var range: ClosedRange<Double>?
  /// The largest age of a valid value; an older value counts as unknown. Nil when values never expire.
  public var maxAge: TimeSpan?
  /// The shortest time between two values, except for a `burst`; nil when the source does not specify it.
  ///
  /// This time limits the memory of windows and the number of evaluations of rules. The governor delays
  /// values that arrive too early, and of these values sets only the newest.
  public var fastest: TimeSpan?
  /// How to read the fact; nil when the source publishes the fact without a request.
  public var reading: FactReading?
  /// True when noise changes the value even if the measured quantity is constant.
  public var isNoisy: Bool
  /// True when the sensor publishes the fact even while no demand switches the sensor on. A rule that reads
  /// such a fact does not switch the sensor on.
  public var isAlwaysPublished = false
  /// The largest change of a sensor's value per second, in base units; nil when unknown. Rules read such a
  /// sensor less often while its value is far from their limits, and more often near a limit.
  public var maxRate: Double?
  /// The longest sampling period at which the sensor publishes the fact; nil for any period. A rule that
  /// reads the fact requests at most this period. For example, an activity needs 25 samples per second.
  public var longestSampling: TimeSpan?
  /// The largest number of keys of a family of facts, such as `tag.*`; nil for a single fact. The path of a
  /// family ends with `.*`.
  public var keys: Int?
  /// The device that publishes the fact; nil for facts of clients and scenarios.
  public var device: DeviceID?
  /// The unit in which the declaration is written. Nil for a Boolean or a word, and for facts in base units.
  public var unit: MeasureUnit?
  /// The meaning as one sentence, for editors and reports.
  public var meaning: String

  /// The number of values by which a source may exceed its `fastest` rate at any time.
  public static let burst = 3

  /// Returns the largest number of values in any time span of this length. Nil when the source does not
  /// specify `fastest`.
  public func maxValues(within span: TimeSpan) -> Int? {
    guard let fastest, fastest > .zero else { return nil }
    return Int(max(span, .zero).nanoseconds / fastest.nanoseconds).addingSaturated(Self.burst + 1)
  }

  /// Returns the number of values that a window over the fact keeps. The number is sufficient for `span` at
  /// the source's `fastest` rate, but it is at least 16 and at most `PolicyLimits.maxWindowValues`. The
  /// number is 1,024 when the source does not specify `fastest`.
  public func windowCapacity(over span: TimeSpan) -> Int {
    guard let fastest, fastest > .zero else { return 1024 }
    return min(max(Int(span.nanoseconds / fastest.nanoseconds) + 2, 16), PolicyLimits.maxWindowValues)
  }

  /// Makes a schema.
  public init(
    path: String, type: FactType, range: ClosedRange<Double>? = nil, maxAge: TimeSpan? = nil,
    fastest: TimeSpan? = nil, reading: FactReading? = nil, isNoisy: Bool = false, device: DeviceID? = nil,
    meaning: String = ""
  ) {
    self.path = path
    self.type = type
    self.range = range
    self.maxAge = maxAge
    self.fastest = fastest
    self.reading = reading
    self.isNoisy = isNoisy
    self.device = device
    self.meaning = meaning
  }

  /// Returns the reason to reject a value of this fact; nil when the value is valid.
  public func rejectionReason(for value: FactValue) -> String? {
    switch (value, type) {
    case (.unknown, _), (.boolean, .boolean): return nil
    case (.number(let number), .quantity(let dimension)):
      guard number.isFinite else { return "\(path) cannot be \(number)" }
      if let range, !range.contains(number) {
        return "\(path) cannot be \(text(of: number, dimension)); its range is "
          + "\(text(of: range.lowerBound, dimension)) to \(text(of: range.upperBound, dimension))"
      }
      return nil
    case (.symbol(let index), .symbol(let words)):
      return words.indices.contains(index) ? nil : "\(path) has no word with the index \(index)"
    default: return "\(path) cannot have a value of this type; expected \(type.name)"
    }
  }

  /// Returns whether a value is of the right type, but outside the plausible range.
  public func isOutOfRange(_ value: FactValue) -> Bool {
    guard case .number(let number) = value, case .quantity = type, number.isFinite, let range else {
      return false
    }
    return !range.contains(number)
  }

  /// Returns a number as a string. Uses the unit of the declaration when the language has no common unit for
  /// the number.
  private func text(of number: Double, _ dimension: Dimension) -> String {
    guard let unit, unit.isSpecial else { return Quantity(number, dimension).description }
    return "\(Quantity.number(number / unit.scale)) \(unit.symbol)"
  }

  /// Returns a value as a string for display: `41 %`, `walking`, `unknown`.
  public func text(of value: FactValue) -> String {
    switch (value, type) {
    case (.boolean(let truth), _): truth ? "true" : "false"
    case (.number(let number), .quantity(let dimension)): text(of: number, dimension)
    case (.symbol(let index), .symbol(let words)) where words.indices.contains(index): words[index]
    default: "unknown"
    }
  }
}

/// How to read a fact that its source publishes only when read. A rule or service that needs the fact
/// triggers the reading.
public struct FactReading: Hashable, Sendable {
  /// The least time between two readings. While every value of the fact can change a decision, the fact is
  /// read at this interval.
  public var every: TimeSpan
  /// The largest change of the value per second, in base units; nil when unknown.
  public var maxRate: Double?

  /// Makes a reading. `Manifest.faults()` checks it.
  public init(every: TimeSpan, maxRate: Double? = nil) {
    self.every = every
    self.maxRate = maxRate
  }
}
