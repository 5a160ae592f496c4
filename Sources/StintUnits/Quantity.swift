/// A number with a dimension, in base units: the value of a literal, a range limit or a manifest entry.
public struct Quantity: Hashable, Sendable {
  /// The value in base units, such as metres, seconds or joules; see `Dimension`. For a ratio, 20 % is 0.2.
  public var value: Double
  /// The dimension of the value.
  public var dimension: Dimension

  /// Makes a quantity from a value in base units.
  public init(_ value: Double, _ dimension: Dimension) {
    self.value = value
    self.dimension = dimension
  }

  /// Makes a quantity from a number and its unit.
  public init(_ number: Double, in unit: MeasureUnit) {
    // A division keeps 20 % at exactly 0.2; a multiplication by 0.01 would not.
    let inverse = 1 / unit.scale
    self.value =
      unit.scale < 1 && inverse.rounded() == inverse ? number / inverse : number * unit.scale
    self.dimension = unit.dimension
  }

  /// The quantity as a time span; nil for another dimension or a value out of range.
  public var timeSpan: TimeSpan? { dimension == .time ? TimeSpan(seconds: value) : nil }

  /// The time between two events at this rate; nil unless the quantity is a positive rate.
  public var period: TimeSpan? {
    dimension == .rate && value > 0 ? TimeSpan(seconds: 1 / value) : nil
  }

  /// The quantity as a power; nil for another dimension or a value out of range.
  public var power: Power? { dimension == .power ? Power(watts: value) : nil }

  /// The quantity as an energy; nil for another dimension or a value out of range.
  public var energy: Energy? { dimension == .energy ? Energy(joules: value) : nil }
}

/// The reason why a string is not a valid quantity.
public enum QuantityFault: Error, Hashable, Sendable {
  /// The string is empty or contains only white space.
  case empty
  /// A word is not a number where a number is required; the word is attached.
  case notANumber(String)
  /// A number, which is attached, has no unit.
  case unitMissing(String)
  /// No unit has the attached spelling.
  case unknownUnit(String)
  /// The parts of one quantity have different dimensions, as in `1 h 5 m`.
  case mixedDimensions(String, String)
  /// The number is not finite or too large.
  case outOfRange(String)

  /// The reason as one sentence for messages.
  public var sentence: String {
    switch self {
    case .empty: "expected a quantity, found nothing"
    case .notANumber(let text): "expected a number, found “\(text)”"
    case .unitMissing(let text): "“\(text)” has no unit; write a unit, as in “\(text) s” or “\(text) m”"
    case .unknownUnit(let text): "no unit is spelled “\(text)”"
    case .mixedDimensions(let first, let second): "“\(first)” and “\(second)” measure different things"
    case .outOfRange(let text): "“\(text)” is too large"
    }
  }
}
