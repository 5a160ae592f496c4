/// A unit of the policy language and of manifests: its spelling, what it measures, and its size in base
/// units.
public struct MeasureUnit: Hashable, Sendable {
  /// The only spelling, case and all: `m` is always metres, `min` always minutes.
  public let symbol: String
  public let dimension: Dimension
  /// How many base units one of these is. Temperatures in `C` are differences and readings alike.
  public let scale: Double

  /// The unit with exactly this spelling.
  public static func named(_ symbol: some StringProtocol) -> MeasureUnit? {
    all.first { $0.symbol == symbol }
  }

  /// Every unit there is, in the order of the language reference.
  public static let all: [MeasureUnit] = [
    unit("ns", .time, 1e-9), unit("us", .time, 1e-6), unit("ms", .time, 1e-3), unit("s", .time, 1),
    unit("min", .time, 60), unit("h", .time, 3600), unit("d", .time, 86_400), unit("week", .time, 604_800),
    unit("m", .length, 1), unit("km", .length, 1000),
    unit("m/s", .speed, 1), unit("km/h", .speed, 1 / 3.6),
    unit("%", .ratio, 0.01),
    unit("B", .data, 1), unit("kB", .data, 1e3), unit("MB", .data, 1e6), unit("GB", .data, 1e9),
    unit("KiB", .data, 1024), unit("MiB", .data, 1_048_576),
    unit("kB/s", .throughput, 1e3), unit("MB/s", .throughput, 1e6),
    unit("kbit/s", .throughput, 125), unit("Mbit/s", .throughput, 125_000),
    unit("Hz", .rate, 1), unit("kHz", .rate, 1000),
    unit("nJ", .energy, 1e-9), unit("uJ", .energy, 1e-6), unit("mJ", .energy, 1e-3), unit("J", .energy, 1),
    unit("Wh", .energy, 3600), unit("mWh", .energy, 3.6),
    unit("nW", .power, 1e-9), unit("uW", .power, 1e-6), unit("mW", .power, 1e-3), unit("W", .power, 1),
    unit("mA", .current, 1e-3), unit("mAh", .charge, 3.6),
    unit("C", .temperature, 1),
    unit("m/s2", .acceleration, 1), unit("g", .acceleration, 9.80665),
    unit("deg", .angle, 1), unit("deg/s", .turning, 1),
    unit("uT", .field, 1), unit("lux", .illuminance, 1), unit("dBm", .level, 1), unit("items", .items, 1),
  ]

  private static func unit(_ symbol: String, _ dimension: Dimension, _ scale: Double) -> MeasureUnit {
    MeasureUnit(symbol: symbol, dimension: dimension, scale: scale)
  }
}
