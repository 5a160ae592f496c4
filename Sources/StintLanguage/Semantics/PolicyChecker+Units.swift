import StintModel
import StintUnits

extension PolicyChecker {
  /// Reports a quantity of the wrong dimension, with the unit that was probably meant.
  mutating func reportWrongUnit(_ span: SourceSpan, found: Quantity, expected: Dimension, what: String) {
    let text = source.text(of: span)
    let isBare = found.dimension == .none
    let suggestion = isBare ? Self.unit(for: found.value, expected) : Self.likely(text, expected)
    report(
      isBare ? .missingUnit : .wrongUnit,
      isBare
        ? "\(what) is a \(expected.name), and this number has no unit"
        : "\(what) is a \(expected.name), and this is a \(found.dimension.name)",
      span, label: "\(found.dimension.name), but \(expected.name) is due",
      hint: suggestion.map { "did you mean “\($0)”?" } ?? Self.units(of: expected),
      fix: suggestion.map { Diagnostic.Fix(span: span, replacement: $0) })
  }

  /// What a quantity with the wrong unit was probably meant to be.
  private static func likely(_ text: String, _ expected: Dimension) -> String? {
    // `5m` is read like `5 m`.
    let digits = text.prefix { $0.isNumber || $0 == "." || $0 == "-" }
    let rest = text.dropFirst(digits.count).drop { $0 == " " }
    let words = [String(digits), String(rest)]
    guard !rest.contains(" "), let number = Double(words[0]) else { return nil }
    let pairs: [(String, Dimension, String)] = [
      ("m", .time, "min"), ("min", .length, "m"), ("ms", .length, "m"), ("s", .length, "m"),
      ("km", .speed, "km/h"),
      ("m", .speed, "m/s"), ("kB", .throughput, "kB/s"), ("MB", .throughput, "MB/s"), ("kB/s", .data, "kB"),
      ("MB/s", .data, "MB"), ("kbit/s", .data, "kB"), ("Mbit/s", .data, "MB"), ("mW", .energy, "mJ"),
      ("W", .energy, "J"), ("uW", .energy, "uJ"), ("mJ", .power, "mW"), ("J", .power, "W"),
      ("uJ", .power, "uW"),
      ("mA", .charge, "mAh"), ("mAh", .current, "mA"), ("C", .angle, "deg"), ("deg", .temperature, "C"),
      ("deg", .turning, "deg/s"), ("deg/s", .angle, "deg"), ("m/s", .acceleration, "m/s2"),
      ("m/s2", .speed, "m/s"), ("km/h", .length, "km"), ("m/s", .length, "m"), ("h", .length, "km"),
      ("items", .ratio, "%"), ("C", .ratio, "%"), ("MB", .ratio, "%"), ("B", .time, "s"),
    ]
    if let pair = pairs.first(where: { $0.0 == words[1] && $0.1 == expected }) {
      return "\(words[0]) \(pair.2)"
    }
    let unit = MeasureUnit.named(words[1])
    if expected == .rate, unit?.dimension == .time { return "1 per \(text)" }
    if expected == .time, let unit, unit.dimension == .rate, let period = Quantity(number, in: unit).period {
      return period.description
    }
    return nil
  }

  /// A bare number with the unit it probably lacks.
  private static func unit(for number: Double, _ expected: Dimension) -> String? {
    let text = Quantity.number(number)
    if expected == .ratio {
      return number <= 1 && number != 0 ? "\(Quantity.number(number * 100)) %" : "\(text) %"
    }
    let usual: [(Dimension, String)] = [
      (.time, "s"), (.length, "m"), (.rate, "Hz"), (.energy, "J"), (.power, "mW"), (.speed, "m/s"),
      (.data, "kB"),
      (.throughput, "kB/s"), (.items, "items"), (.temperature, "C"), (.angle, "deg"), (.illuminance, "lux"),
      (.level, "dBm"), (.acceleration, "m/s2"), (.current, "mA"), (.charge, "mAh"), (.field, "uT"),
      (.turning, "deg/s"),
    ]
    return usual.first { $0.0 == expected }.map { "\(text) \($0.1)" }
  }

  static func units(of dimension: Dimension) -> String? {
    let units = MeasureUnit.all.filter { $0.dimension == dimension }.map(\.symbol)
    return units.isEmpty ? nil : "a \(dimension.name) is written in \(units.joined(separator: ", "))"
  }
}
