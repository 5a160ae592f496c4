import StintDaemon
import StintUnits

/// Formats quantities for the page, with a useful number of digits.
enum QuantityFormat {
  /// Returns an energy with a unit of suitable size: `812 J`, `8.1 J`, `42 mJ`.
  static func energy(_ energy: Energy) -> String {
    let joules = energy.joules
    let size = joules.magnitude
    if size == 0 { return "0 J" }
    if size >= 100 { return "\(Amounts.count(Int(joules.rounded()))) J" }
    if size >= 1 { return "\(decimal(joules)) J" }
    if size >= 1e-3 { return "\(decimal(joules * 1e3)) mJ" }
    return "\(decimal(joules * 1e6)) µJ"
  }

  /// Returns a power with a unit of suitable size: `60 mW`.
  static func power(_ power: Power) -> String {
    let watts = power.watts
    if watts == 0 { return "0 W" }
    if watts >= 1 { return "\(decimal(watts)) W" }
    if watts >= 1e-3 { return "\(decimal(watts * 1e3)) mW" }
    return "\(decimal(watts * 1e6)) µW"
  }

  /// Returns a number with at most two decimals, without trailing zeros.
  static func decimal(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e12 else { return "\(value)" }
    let hundredths = Int64((value * 100).rounded())
    let whole = hundredths.magnitude / 100
    let rest = hundredths.magnitude % 100
    var text = "\(hundredths < 0 ? "-" : "")\(whole)"
    if rest > 0 { text += "." + (rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)") }
    return text
  }

  /// Returns a number as `decimal` does. From 1000 on, it returns a whole number with spaces between
  /// thousands.
  static func grouped(_ value: Double) -> String {
    value.magnitude >= 1000 && value.magnitude < 1e12 ? Amounts.count(Int(value.rounded())) : decimal(value)
  }

  /// Returns a length in metres or kilometres: `10 m`, `2.5 km`.
  static func length(_ metres: Double) -> String {
    metres >= 1000 ? "\(decimal(metres / 1000)) km" : "\(decimal(metres)) m"
  }
}
