import StintUnits

/// Finds the intended unit of an unknown word after a number.
///
/// Units are short, and one letter changes the magnitude: `kJ` is not a misspelt `J`, and `MW` is not `mW`.
/// Therefore only two kinds of units are suggested: a unit whose full name resembles the word, and a unit of
/// the same magnitude that differs from the word only in upper and lower case.
enum UnitSpelling {
  /// The hint when no unit is similar to the word.
  static let examples = "units are written as in: 5 min, 100 m, 20 %, 3 kJ"

  /// Returns the symbol of the intended unit; nil when no unit or several units are possible.
  static func meant(by word: String) -> String? {
    let small = word.lowercased()
    if let symbol = spelledOut[small] { return symbol }
    let alike = MeasureUnit.all.filter { $0.symbol.lowercased() == small }.map(\.symbol)
    if alike.count == 1, !hasOtherMagnitude(word, alike[0]) { return alike[0] }
    guard alike.isEmpty, small.utf8.count >= 4 else { return nil }
    let meant = Set(
      Suggestion.allNearest(to: small, in: spelledOut.keys).map { $0.utf8.count >= 4 ? spelledOut[$0] : nil })
    return meant.count == 1 ? meant.first ?? nil : nil
  }

  /// Returns true when two spellings that differ only in case have different magnitudes: milli or mega, bits
  /// or bytes.
  private static func hasOtherMagnitude(_ word: String, _ symbol: String) -> Bool {
    zip(word, symbol).enumerated().contains { place, pair in
      guard pair.0 != pair.1 else { return false }
      let isPrefix = place == 0 && MeasureUnit.named(symbol.dropFirst()) != nil
      return pair.0.lowercased() == "b" || pair.0.lowercased() == "m" && isPrefix
    }
  }

  private static let spelledOut: [String: String] = [
    "sec": "s", "secs": "s", "second": "s", "seconds": "s", "minute": "min", "minutes": "min", "mins": "min",
    "hour": "h", "hours": "h", "hr": "h", "hrs": "h", "day": "d", "days": "d", "weeks": "week", "meter": "m",
    "meters": "m", "metre": "m", "metres": "m", "kilometer": "km", "kilometers": "km", "kilometre": "km",
    "kilometres": "km", "kms": "km", "foot": "ft", "feet": "ft", "mile": "mi", "miles": "mi", "percent": "%",
    "pct": "%", "byte": "B", "bytes": "B", "hertz": "Hz", "joule": "J", "joules": "J", "kilojoule": "kJ",
    "kilojoules": "kJ", "watt": "W", "watts": "W", "kmh": "km/h", "kph": "km/h", "knot": "kn", "knots": "kn",
    "kt": "kn", "kts": "kn", "lx": "lux", "volt": "V", "volts": "V", "tesla": "T", "pascal": "Pa",
    "pascals": "Pa", "mbar": "hPa",
    "kilogram": "kg", "kilograms": "kg", "degree": "deg", "degrees": "deg", "item": "items",
  ]
}
