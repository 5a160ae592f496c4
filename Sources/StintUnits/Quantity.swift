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
    // A division keeps 35 % at exactly 0.35; a multiplication by 0.01 would not.
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
