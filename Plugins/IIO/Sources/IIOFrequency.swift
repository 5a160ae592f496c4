import StintPluginKit

/// The sampling rates that a device supports.
enum IIOFrequency: Hashable, Sendable {
  /// The listed rates, slowest first. At least one.
  case choices([Choice])
  /// The lowest and the highest rate in hertz.
  case range(ClosedRange<Double>)
  /// The device does not list its rates. The actual rate is known only after the plugin reads it back.
  case any

  /// One listed rate: the text of the kernel and its value in hertz.
  struct Choice: Hashable, Sendable {
    var text: String
    var hertz: Double
  }

  /// Parses `sampling_frequency_available`: a list, or `[minimum step maximum]`.
  init(_ text: String) {
    let isRange = text.hasPrefix("[") && text.hasSuffix("]")
    let words = text.drop { $0 == "[" }.split { $0 == " " || $0 == "\t" || $0 == "]" || $0 == "\n" }
    let choices = words.compactMap { word -> Choice? in
      guard let hertz = AttributeFolder.number(word), hertz > 0 else { return nil }
      return Choice(text: String(word), hertz: hertz)
    }
    if isRange, choices.count == 3, choices[0].hertz <= choices[2].hertz {
      self = .range(choices[0].hertz...choices[2].hertz)
    } else if choices.isEmpty || isRange {
      self = .any
    } else {
      self = .choices(choices.sorted { $0.hertz < $1.hertz })
    }
  }

  /// Returns the string to write for a rate: the slowest supported rate that is at least as fast, or else the
  /// fastest supported rate. When the device does not list its rates, returns the requested rate.
  func text(for hertz: Double) -> String {
    switch self {
    case .choices(let choices):
      // The tolerance accepts a listed rate that the driver has rounded down.
      (choices.first { $0.hertz >= hertz * 0.999 } ?? choices[choices.count - 1]).text
    case .range(let range): Self.decimal(min(max(hertz, range.lowerBound), range.upperBound))
    case .any: Self.decimal(hertz)
    }
  }

  /// Formats a number with up to six decimal places and no exponent.
  static func decimal(_ number: Double) -> String {
    let millionths = Int64((min(max(number, 0), 1e9) * 1_000_000).rounded())
    let (whole, part) = millionths.quotientAndRemainder(dividingBy: 1_000_000)
    guard part > 0 else { return "\(whole)" }
    var digits = String(part)
    digits = String(repeating: "0", count: 6 - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}
