/// A number with a dimension, in base units; what literals, ranges and manifests are made of.
public struct Quantity: Hashable, Sendable {
  /// The value in base units (metres, seconds, ratio 0…1, bytes, hertz, watts, joules).
  public var value: Double
  public var dimension: Dimension

  /// Makes a quantity from a value in base units.
  public init(_ value: Double, _ dimension: Dimension) {
    self.value = value
    self.dimension = dimension
  }

  /// Makes a quantity from a number of units.
  public init(_ number: Double, in unit: MeasureUnit) {
    // Dividing keeps 20 % at exactly 0.2, which multiplying by 0.01 does not.
    let inverse = 1 / unit.scale
    self.value =
      unit.scale < 1 && inverse.rounded() == inverse ? number / inverse : number * unit.scale
    self.dimension = unit.dimension
  }

  /// The quantity as a span of time; nil when it measures something else or does not fit.
  public var timeSpan: TimeSpan? { dimension == .time ? TimeSpan(seconds: value) : nil }

  /// The time between two events at this rate; nil unless it is a positive rate.
  public var period: TimeSpan? {
    dimension == .rate && value > 0 ? TimeSpan(seconds: 1 / value) : nil
  }

  /// The quantity as a power; nil when it measures something else or does not fit.
  public var power: Power? { dimension == .power ? Power(watts: value) : nil }

  /// The quantity as an energy; nil when it measures something else or does not fit.
  public var energy: Energy? { dimension == .energy ? Energy(joules: value) : nil }
}

/// Why a text is not a quantity.
public enum QuantityFault: Error, Hashable, Sendable {
  /// Nothing but white space.
  case empty
  /// A number was expected at this place.
  case notANumber(String)
  /// A number stands without its unit.
  case unitMissing(String)
  /// No unit has this spelling.
  case unknownUnit(String)
  /// Parts of one quantity measure different things, as in `1 h 5 m`.
  case mixedDimensions(String, String)
  /// The number is not finite or too large.
  case outOfRange(String)

  /// One sentence for people.
  public var sentence: String {
    switch self {
    case .empty: "a quantity is expected, and nothing is there"
    case .notANumber(let text): "a number is expected where “\(text)” stands"
    case .unitMissing(let text): "“\(text)” has no unit; write one, as in “\(text) s” or “\(text) m”"
    case .unknownUnit(let text): "no unit is spelled “\(text)”"
    case .mixedDimensions(let first, let second): "“\(first)” and “\(second)” measure different things"
    case .outOfRange(let text): "“\(text)” is too large"
    }
  }
}
