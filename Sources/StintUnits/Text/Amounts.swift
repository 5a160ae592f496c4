/// Formats numbers for tables.
package enum Amounts {
  /// Returns an integer with a space between groups of three digits: `36 000`.
  package static func count(_ number: Int) -> String {
    var text = ""
    for (place, digit) in String(number.magnitude).reversed().enumerated() {
      if place > 0 && place % 3 == 0 { text = " " + text }
      text = String(digit) + text
    }
    return number < 0 ? "-" + text : text
  }

  /// Returns joules with one decimal: `2 160.0`.
  package static func joules(_ energy: Energy) -> String {
    let tenths = (energy.nanojoules + (energy.nanojoules < 0 ? -50_000_000 : 50_000_000)) / 100_000_000
    let sign = tenths < 0 ? "-" : ""
    return "\(sign)\(count(Int(clamping: tenths.magnitude / 10))).\(tenths.magnitude % 10)"
  }

  /// Returns a fraction as a percentage with one decimal: `74.0 %`.
  package static func percent(_ part: Double) -> String { "\(decimal(part * 100)) %" }

  /// Returns metres with one decimal; a dash for nil.
  package static func metres(_ value: Double?) -> String { value.map { "\(decimal($0)) m" } ?? "–" }

  /// Returns a number with exactly one decimal.
  package static func decimal(_ value: Double) -> String {
    guard let tenths = Int64(exactly: (value * 10).rounded()) else { return "\(value)" }
    return "\(tenths < 0 ? "-" : "")\(count(Int(clamping: tenths.magnitude / 10))).\(tenths.magnitude % 10)"
  }

  /// Returns a time span as text. A span of one minute or more is rounded to whole seconds.
  package static func span(_ span: TimeSpan) -> String {
    (span < .minutes(1) ? span : span.roundedToSeconds).description
  }

  /// Returns a bar of block characters that fills the fraction `part` of `width` columns, in steps of one
  /// eighth.
  package static func bar(_ part: Double, width: Int) -> String {
    let eighths = Int((min(max(part, 0), 1) * Double(width * 8)).rounded())
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return String(repeating: "█", count: eighths / 8) + rest
  }
}
