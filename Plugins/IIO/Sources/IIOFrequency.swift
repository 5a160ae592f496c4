import StintPluginKit

/// The rates that a device says it can sample at.
enum IIOFrequency: Hashable, Sendable {
  /// One of these texts, each with its hertz, slowest first.
  case choices([Choice])
  case range(ClosedRange<Double>)
  /// It does not say; what it makes of a rate is seen when it is read back.
  case any

  struct Choice: Hashable, Sendable {
    var text: String
    var hertz: Double
  }

  /// Reads `sampling_frequency_available`: a list, or `[least step most]`.
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

  /// What to write for a rate: the slowest that is not slower, else the fastest.
  func text(for hertz: Double) -> String {
    switch self {
    case .choices(let choices):
      // A rate that was rounded on the way is no other rate.
      (choices.first { $0.hertz >= hertz * 0.999 } ?? choices[choices.count - 1]).text
    case .range(let range): Self.decimal(min(max(hertz, range.lowerBound), range.upperBound))
    case .any: Self.decimal(hertz)
    }
  }

  /// A number with up to six digits behind its point and no exponent.
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
