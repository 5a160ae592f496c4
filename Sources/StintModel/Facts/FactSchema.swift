public import StintUnits

/// What sort of value a fact has.
public enum FactType: Hashable, Sendable {
  case boolean
  /// A number in base units of its dimension.
  case quantity(Dimension)
  /// One of a fixed list of words; the value is an index into it.
  case symbol([String])

  /// The word people use: "true or false", "length", "one of still, walking".
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
  /// Never published, too old, or withdrawn.
  case unknown
  case boolean(Bool)
  /// In base units; always finite.
  case number(Double)
  /// An index into the words of the fact's type.
  case symbol(Int)
}

/// What is declared about a fact before anybody publishes it.
public struct FactSchema: Hashable, Sendable {
  /// The whole path: `location.gnss.accuracy`, `battery.level`.
  public var path: String
  public var type: FactType
  /// What is believable, in base units; anything outside is refused when published.
  public var range: ClosedRange<Double>?
  /// How long a value stands before it is unknown; nil for ever.
  public var maxAge: TimeSpan?
  /// The shortest time between two values, but for a `burst`; bounds the memory of windows and the pace of
  /// rules. The governor holds the source to it. Nil when the source does not say.
  public var fastest: TimeSpan?
  /// How it is read; nil when its source says it by itself.
  public var reading: FactReading?
  /// True when the value wanders although nothing happens.
  public var isNoisy: Bool
  /// True when its sensor says it also while no demand has the sensor work, so that reading it asks for nothing.
  public var isAlwaysPublished = false
  /// The device that publishes it; nil for facts of clients and scenarios.
  public var device: DeviceID?
  /// One sentence for people.
  public var meaning: String

  /// How many values a source may be ahead of its `fastest` at any time.
  public static let burst = 3

  /// The most values that count within a span of time, wherever it begins; nil when the source does not say.
  public func mostValues(within span: TimeSpan) -> Int? {
    guard let fastest, fastest > .zero else { return nil }
    return Int(max(span, .zero).nanoseconds / fastest.nanoseconds).addingSaturated(Self.burst + 1)
  }

  /// How many values a window over the fact keeps: as many as its source can publish in the span.
  public func windowCapacity(over span: TimeSpan) -> Int {
    guard let fastest, fastest > .zero else { return 1024 }
    return min(max(Int(span.nanoseconds / fastest.nanoseconds) + 2, 16), PolicyLimits.largestWindow)
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

  /// Why this value cannot be published as this fact; nil when it can.
  public func rejectionReason(for value: FactValue) -> String? {
    switch (value, type) {
    case (.unknown, _), (.boolean, .boolean): return nil
    case (.number(let number), .quantity(let dimension)):
      guard number.isFinite else { return "\(path) cannot be \(number)" }
      if let range, !range.contains(number) {
        return "\(path) cannot be \(Quantity(number, dimension)): it lies between "
          + "\(Quantity(range.lowerBound, dimension)) and \(Quantity(range.upperBound, dimension))"
      }
      return nil
    case (.symbol(let index), .symbol(let words)):
      return words.indices.contains(index) ? nil : "\(path) has no word number \(index)"
    default: return "\(path) is \(type.name), and the value is not"
    }
  }

  /// The value as people read it: `41 %`, `walking`, `unknown`.
  public func text(of value: FactValue) -> String {
    switch (value, type) {
    case (.boolean(let truth), _): truth ? "true" : "false"
    case (.number(let number), .quantity(let dimension)): Quantity(number, dimension).description
    case (.symbol(let index), .symbol(let words)) where words.indices.contains(index): words[index]
    default: "unknown"
    }
  }
}

/// How to read a fact that its source does not publish by itself. It is read when a rule or service needs it.
public struct FactReading: Hashable, Sendable {
  /// The time between two readings while every value counts; never less passes.
  public var every: TimeSpan
  /// The most that the value moves in a second, in base units; nil when unknown.
  public var steepest: Double?

  /// Makes one; `Manifest.faults()` says what is wrong with it.
  public init(every: TimeSpan, steepest: Double? = nil) {
    self.every = every
    self.steepest = steepest
  }
}
