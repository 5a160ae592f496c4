/// What a quantity measures, as exponents of base dimensions; metres and seconds never mix.
///
/// Base units: metre, second, byte, joule, ampere, degree Celsius, microtesla, lux, degree of arc, item, dBm.
/// A ratio (percent) is a dimension of its own for comparing, and a plain factor for multiplying.
public struct Dimension: Hashable, Sendable {
  public var length: Int8 = 0
  public var time: Int8 = 0
  public var data: Int8 = 0
  public var energy: Int8 = 0
  public var current: Int8 = 0
  public var temperature: Int8 = 0
  public var field: Int8 = 0
  public var illuminance: Int8 = 0
  public var angle: Int8 = 0
  public var items: Int8 = 0
  public var level: Int8 = 0
  /// True for percent. Lost in products, kept in sums.
  public var isRatio = false

  public init() {}

  public static let none = Dimension()
  public static let ratio = make { $0.isRatio = true }
  public static let length = make { $0.length = 1 }
  public static let time = make { $0.time = 1 }
  public static let data = make { $0.data = 1 }
  public static let energy = make { $0.energy = 1 }
  public static let items = make { $0.items = 1 }
  public static let angle = make { $0.angle = 1 }
  public static let temperature = make { $0.temperature = 1 }
  public static let current = make { $0.current = 1 }
  public static let field = make { $0.field = 1 }
  public static let illuminance = make { $0.illuminance = 1 }
  public static let level = make { $0.level = 1 }
  public static let rate = none / time
  public static let power = energy / time
  public static let speed = length / time
  public static let throughput = data / time
  public static let acceleration = speed / time
  public static let charge = current * time
  public static let turning = angle / time

  private static func make(_ change: (inout Dimension) -> Void) -> Dimension {
    var result = Dimension()
    change(&result)
    return result
  }

  public static func * (left: Dimension, right: Dimension) -> Dimension {
    left.combined(with: right, sign: 1)
  }
  public static func / (left: Dimension, right: Dimension) -> Dimension {
    left.combined(with: right, sign: -1)
  }

  /// Exponents stop at what they hold: no dimension that a device publishes has one beyond a few.
  private func combined(with other: Dimension, sign: Int8) -> Dimension {
    var result = Dimension()
    result.length = Self.exponent(length, sign, other.length)
    result.time = Self.exponent(time, sign, other.time)
    result.data = Self.exponent(data, sign, other.data)
    result.energy = Self.exponent(energy, sign, other.energy)
    result.current = Self.exponent(current, sign, other.current)
    result.temperature = Self.exponent(temperature, sign, other.temperature)
    result.field = Self.exponent(field, sign, other.field)
    result.illuminance = Self.exponent(illuminance, sign, other.illuminance)
    result.angle = Self.exponent(angle, sign, other.angle)
    result.items = Self.exponent(items, sign, other.items)
    result.level = Self.exponent(level, sign, other.level)
    return result
  }

  private static func exponent(_ own: Int8, _ sign: Int8, _ other: Int8) -> Int8 {
    Int8(clamping: Int(own) + Int(sign) * Int(other))
  }

  /// The word people use for it: "length", "time", "percent", "rate" …
  public var name: String {
    let named: [(Dimension, String)] = [
      (.none, "plain number"), (.ratio, "percent"), (.length, "length"), (.time, "time"),
      (.data, "amount of data"),
      (.energy, "energy"), (.items, "count of items"), (.angle, "angle"), (.temperature, "temperature"),
      (.current, "current"), (.field, "magnetic field"), (.illuminance, "illuminance"),
      (.level, "signal level"),
      (.rate, "rate"), (.power, "power"), (.speed, "speed"), (.throughput, "throughput"),
      (.acceleration, "acceleration"), (.charge, "charge"), (.turning, "turning rate"),
    ]
    return named.first { $0.0 == self }?.1 ?? "compound quantity"
  }
}
