/// The physical dimension of a quantity, as exponents of base dimensions.
///
/// Quantities of different dimensions never mix: metres cannot be compared with seconds. The base units are
/// metre, second, byte, joule, ampere, degree Celsius, microtesla, lux, degree of arc, item, dBm and
/// kilogram. In comparisons, a ratio (percent) is a separate dimension; in products, it is a factor without a
/// dimension.
public struct Dimension: Hashable, Sendable {
  /// The exponent of length, in metres.
  public var length: Int8 = 0
  /// The exponent of time, in seconds.
  public var time: Int8 = 0
  /// The exponent of the amount of data, in bytes.
  public var data: Int8 = 0
  /// The exponent of energy, in joules.
  public var energy: Int8 = 0
  /// The exponent of electric current, in amperes.
  public var current: Int8 = 0
  /// The exponent of temperature, in degrees Celsius.
  public var temperature: Int8 = 0
  /// The exponent of the magnetic field, in microtesla.
  public var field: Int8 = 0
  /// The exponent of illuminance, in lux.
  public var illuminance: Int8 = 0
  /// The exponent of the angle, in degrees of arc.
  public var angle: Int8 = 0
  /// The exponent of the count of items.
  public var items: Int8 = 0
  /// The exponent of the signal level, in dBm.
  public var level: Int8 = 0
  /// The exponent of mass, in kilograms.
  public var mass: Int8 = 0
  /// True for percent. Sums keep this flag, products drop it.
  public var isRatio = false

  /// Makes the dimension of a number without a unit: all exponents are 0.
  public init() {}

  /// The dimension of a number without a unit.
  public static let none = Dimension()
  /// A ratio in percent; the base unit is 1, so that 20 % is 0.2.
  public static let ratio = make { $0.isRatio = true }
  /// Length, in metres.
  public static let length = make { $0.length = 1 }
  /// Time, in seconds.
  public static let time = make { $0.time = 1 }
  /// The amount of data, in bytes.
  public static let data = make { $0.data = 1 }
  /// Energy, in joules.
  public static let energy = make { $0.energy = 1 }
  /// A count of items.
  public static let items = make { $0.items = 1 }
  /// An angle, in degrees of arc.
  public static let angle = make { $0.angle = 1 }
  /// Temperature, in degrees Celsius.
  public static let temperature = make { $0.temperature = 1 }
  /// Electric current, in amperes.
  public static let current = make { $0.current = 1 }
  /// The magnetic field, in microtesla.
  public static let field = make { $0.field = 1 }
  /// Illuminance, in lux.
  public static let illuminance = make { $0.illuminance = 1 }
  /// The signal level, in dBm.
  public static let level = make { $0.level = 1 }
  /// Mass, in kilograms.
  public static let mass = make { $0.mass = 1 }
  /// A rate, in hertz.
  public static let rate = none / time
  /// Power, in watts.
  public static let power = energy / time
  /// Speed, in metres per second.
  public static let speed = length / time
  /// Throughput, in bytes per second.
  public static let throughput = data / time
  /// Acceleration, in metres per second squared.
  public static let acceleration = speed / time
  /// Electric charge, in ampere-seconds.
  public static let charge = current * time
  /// Turning rate, in degrees per second.
  public static let turning = angle / time

  /// Electric potential, in volts.
  public static let potential = power / current
  /// Pressure, in pascals.
  public static let pressure = energy / length / length / length
  /// Mass per volume, in kilograms per cubic metre.
  public static let concentration = mass / length / length / length

  /// The exponents, in the order in which files contain them. Code that treats all exponents alike uses this
  /// list, so that no exponent can be forgotten.
  package static let exponents: [any WritableKeyPath<Dimension, Int8> & Sendable] = [
    \.length, \.time, \.data, \.energy, \.current, \.temperature, \.field, \.illuminance, \.angle, \.items,
    \.level, \.mass,
  ]

  private static func make(_ change: (inout Dimension) -> Void) -> Dimension {
    var result = Dimension()
    change(&result)
    return result
  }

  /// Returns the dimension of a product; exponents saturate at the limits of `Int8`.
  public static func * (left: Dimension, right: Dimension) -> Dimension {
    left.combined(with: right, sign: 1)
  }
  /// Returns the dimension of a quotient; exponents saturate at the limits of `Int8`.
  public static func / (left: Dimension, right: Dimension) -> Dimension {
    left.combined(with: right, sign: -1)
  }

  /// Adds exponents, saturating at the limits of `Int8`. No real dimension comes near these limits.
  private func combined(with other: Dimension, sign: Int8) -> Dimension {
    var result = Dimension()
    for path in Self.exponents {
      result[keyPath: path] = Self.exponent(self[keyPath: path], sign, other[keyPath: path])
    }
    return result
  }

  private static func exponent(_ own: Int8, _ sign: Int8, _ other: Int8) -> Int8 {
    Int8(clamping: Int(own) + Int(sign) * Int(other))
  }

  /// The name in messages: "length", "time", "percent", "rate"; "compound quantity" for a dimension without a
  /// name.
  public var name: String {
    let named: [(Dimension, String)] = [
      (.none, "plain number"), (.ratio, "percent"), (.length, "length"), (.time, "time"),
      (.data, "amount of data"),
      (.energy, "energy"), (.items, "count of items"), (.angle, "angle"), (.temperature, "temperature"),
      (.current, "current"), (.field, "magnetic field"), (.illuminance, "illuminance"),
      (.level, "signal level"),
      (.rate, "rate"), (.power, "power"), (.speed, "speed"), (.throughput, "throughput"),
      (.acceleration, "acceleration"), (.charge, "charge"), (.turning, "turning rate"), (.mass, "mass"),
      (.potential, "voltage"), (.pressure, "pressure"), (.concentration, "concentration"),
    ]
    return named.first { $0.0 == self }?.1 ?? "compound quantity"
  }

  /// The name with its indefinite article: "a time", "an energy".
  package var nameWithArticle: String {
    let name = name
    return (name.first.map { "aeiou".contains($0) } == true ? "an " : "a ") + name
  }
}

/// A unit of the policy language and of manifests: its symbol, its dimension and its size in base units.
///
/// Manifests may declare further units; see `UnitTable`.
public struct MeasureUnit: Hashable, Sendable {
  /// The spelling in policies, case-sensitive: `m` is always metres, `min` always minutes. Manifests and
  /// other files may also use the spellings of `UnitTable.spelled`.
  public let symbol: String
  /// The dimension of quantities in this unit.
  public let dimension: Dimension
  /// The size of this unit in base units. `C` is used both for temperatures and for temperature differences.
  public let scale: Double

  /// Makes a unit that a manifest declares.
  public init(symbol: String, dimension: Dimension, scale: Double) {
    self.symbol = symbol
    self.dimension = dimension
    self.scale = scale
  }

  /// Returns the unit with exactly this symbol; nil when no unit has this symbol.
  public static func named(_ symbol: some StringProtocol) -> MeasureUnit? {
    all.first { $0.symbol == symbol }
  }

  /// All units, in the order of the language reference.
  public static let all: [MeasureUnit] = [
    unit("ns", .time, 1e-9), unit("us", .time, 1e-6), unit("ms", .time, 1e-3), unit("s", .time, 1),
    unit("min", .time, 60), unit("h", .time, 3600), unit("d", .time, 86_400), unit("week", .time, 604_800),
    unit("cm", .length, 0.01), unit("m", .length, 1), unit("km", .length, 1000),
    unit("ft", .length, 0.3048), unit("mi", .length, 1609.344),
    unit("m/s", .speed, 1), unit("km/h", .speed, 1 / 3.6), unit("mph", .speed, 0.44704),
    unit("kn", .speed, 1852.0 / 3600),
    unit("%", .ratio, 0.01), unit("ppm", .ratio, 1e-6), unit("ppb", .ratio, 1e-9),
    unit("B", .data, 1), unit("kB", .data, 1e3), unit("MB", .data, 1e6), unit("GB", .data, 1e9),
    unit("KiB", .data, 1024), unit("MiB", .data, 1_048_576),
    unit("kB/s", .throughput, 1e3), unit("MB/s", .throughput, 1e6),
    unit("kbit/s", .throughput, 125), unit("Mbit/s", .throughput, 125_000),
    unit("Hz", .rate, 1), unit("kHz", .rate, 1000),
    unit("nJ", .energy, 1e-9), unit("uJ", .energy, 1e-6), unit("mJ", .energy, 1e-3), unit("J", .energy, 1),
    unit("kJ", .energy, 1e3), unit("MJ", .energy, 1e6),
    unit("mWh", .energy, 3.6), unit("Wh", .energy, 3600), unit("kWh", .energy, 3.6e6),
    unit("nW", .power, 1e-9), unit("uW", .power, 1e-6), unit("mW", .power, 1e-3), unit("W", .power, 1),
    unit("kW", .power, 1e3),
    unit("mV", .potential, 1e-3), unit("V", .potential, 1), unit("kV", .potential, 1e3),
    unit("mA", .current, 1e-3), unit("A", .current, 1), unit("mAh", .charge, 3.6), unit("Ah", .charge, 3600),
    unit("C", .temperature, 1),
    unit("m/s2", .acceleration, 1), unit("g", .acceleration, 9.80665),
    unit("deg", .angle, 1), unit("deg/s", .turning, 1),
    unit("uT", .field, 1), unit("mT", .field, 1e3), unit("T", .field, 1e6), unit("lux", .illuminance, 1),
    unit("dBm", .level, 1), unit("dB", .level, 1), unit("items", .items, 1),
    unit("kg", .mass, 1),
    unit("Pa", .pressure, 1), unit("hPa", .pressure, 100), unit("kPa", .pressure, 1e3),
    unit("ug/m3", .concentration, 1e-9), unit("mg/m3", .concentration, 1e-6),
    unit("kg/m3", .concentration, 1),
  ]

  private static func unit(_ symbol: String, _ dimension: Dimension, _ scale: Double) -> MeasureUnit {
    MeasureUnit(symbol: symbol, dimension: dimension, scale: scale)
  }
}
