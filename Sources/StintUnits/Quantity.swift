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
