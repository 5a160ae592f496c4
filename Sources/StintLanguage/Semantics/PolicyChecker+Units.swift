import StintModel
import StintUnits

extension PolicyChecker {
  /// The words after which a message uses “takes” before a quantity; after all other words it uses “is”.
  private static let phrases: Set<String> = [
    "“for”", "“tolerate”", "“in last”", "“flex”", "“at most”", "a downgrade",
  ]

  /// Reports a quantity of the wrong dimension, with the unit that the author probably meant.
  ///
  /// The diagnostic has an automatic fix when the intended unit is clear. This unit looks like the written
  /// unit, is the inverse of the written unit, or is the only unit of the expected dimension.
  mutating func reportWrongUnit(
    _ span: SourceSpan, found: Quantity, expected: Dimension, what: String, others: [Diagnostic.Label] = []
  ) {
    let text = source.text(of: span)
    let isBare = found.dimension == .none
    // These functions count events within the last hour, so a number without a unit probably means “per h”.
    let isHourly = expected == .rate && ["“starts(", "“wakeups("].contains { what.hasPrefix($0) }
    let proposal =
      isBare && isHourly && text.first?.isNumber == true
      ? Proposal("\(text) per h", isSafe: false)
      : isBare ? Self.unit(for: found.value, expected) : Self.proposal(text, expected)
    let fact = isBare ? "“\(text)” has no unit" : "“\(text)” is \(found.dimension.phrase)"
    report(
      isBare ? .missingUnit : .wrongUnit,
      "\(what) \(Self.phrases.contains(what) ? "takes" : "is") \(expected.phrase), and \(fact)", span,
      label: others.isEmpty ? "\(found.dimension.phrase), not \(expected.phrase)" : found.dimension.phrase,
      others: others, hint: proposal?.hint ?? Self.units(of: expected),
      fix: proposal.flatMap { $0.isSafe ? Diagnostic.Fix(span: span, replacement: $0.text) : nil })
  }

  /// A proposed replacement for a quantity.
  private struct Proposal {
    var text: String
    /// True when the intended unit is clear, so that the fix can be applied automatically.
    var isSafe: Bool
    var hint: String

    init(_ text: String, isSafe: Bool, _ more: String = "") {
      self.text = text
      self.isSafe = isSafe
      hint = "did you mean “\(text)”?\(more)"
    }
  }

  /// Units that look alike: the written unit, the expected dimension and the unit that was meant.
  private static let lookAlikes: [(String, Dimension, String)] = [
    ("m", .time, "min"), ("min", .length, "m"), ("km", .speed, "km/h"), ("m", .speed, "m/s"),
    ("km/h", .length, "km"), ("m/s", .length, "m"), ("m/s", .acceleration, "m/s2"), ("m/s2", .speed, "m/s"),
    ("m/s2", .length, "m"), ("m", .acceleration, "m/s2"), ("kB", .throughput, "kB/s"),
    ("MB", .throughput, "MB/s"),
    ("kB/s", .data, "kB"), ("MB/s", .data, "MB"), ("mA", .charge, "mAh"), ("mAh", .current, "mA"),
    ("deg", .turning, "deg/s"), ("deg/s", .angle, "deg"), ("mW", .energy, "mWh"), ("mWh", .power, "mW"),
    ("W", .energy, "Wh"), ("Wh", .power, "W"),
  ]

  /// Units that are often confused; an author must confirm the replacement.
  private static let oftenConfused: [(String, Dimension, String)] = [
    ("ms", .length, "m"), ("s", .length, "m"), ("h", .length, "km"), ("ms", .speed, "m/s"),
    ("s", .speed, "m/s"),
    ("h", .speed, "km/h"), ("kbit/s", .data, "kB"), ("Mbit/s", .data, "MB"), ("J", .power, "W"),
    ("mJ", .power, "mW"),
    ("uJ", .power, "uW"), ("nJ", .power, "nW"), ("uW", .energy, "uJ"), ("nW", .energy, "nJ"),
    ("C", .angle, "deg"),
    ("deg", .temperature, "C"), ("items", .ratio, "%"), ("C", .ratio, "%"), ("MB", .ratio, "%"),
    ("g", .acceleration, "m/s2"), ("mA", .power, "mW"), ("mW", .current, "mA"),
  ]

  /// Returns the quantity that the author probably meant instead of `text`, whose unit is wrong. Nil when
  /// there is no proposal.
  private static func proposal(_ text: String, _ expected: Dimension) -> Proposal? {
    // `5m` is parsed like `5 m`.
    let digits = text.prefix { $0.isNumber || $0 == "." || $0 == "-" }
    let written = String(text.dropFirst(digits.count).drop { $0 == " " })
    guard !written.contains(" "), let number = Double(digits) else { return nil }
    if let pair = lookAlikes.first(where: { $0.0 == written && $0.1 == expected }) {
      let more = written == "m" ? " “m” is always metres" : written == "min" ? " “min” is always minutes" : ""
      return Proposal("\(digits) \(pair.2)", isSafe: true, more)
    }
    if let pair = oftenConfused.first(where: { $0.0 == written && $0.1 == expected }) {
      return Proposal("\(digits) \(pair.2)", isSafe: false)
    }
    guard let unit = MeasureUnit.named(written), number > 0 else { return nil }
    if expected == .rate, unit.dimension == .time {
      return Proposal("1 per \(digits) \(written)", isSafe: true)
    }
    if expected == .time, unit.dimension == .rate, let period = Quantity(number, in: unit).period {
      return Proposal(period.description, isSafe: true)
    }
    return nil
  }

  /// Returns a bare number with the unit that it probably lacks; nil when there is no proposal.
  private static func unit(for number: Double, _ expected: Dimension) -> Proposal? {
    let text = Quantity.number(number)
    if expected == .ratio, number > 0, number <= 1 {
      return Proposal("\(Quantity.number(number * 100)) %", isSafe: false)
    }
    if expected == .time { return Proposal("\(text) s", isSafe: false, " Or “\(text) min”?") }
    if expected == .length { return Proposal("\(text) m", isSafe: false, " Or “\(text) km”?") }
    let units = MeasureUnit.all.filter { $0.dimension == expected && !$0.isSpecial }
    if units.count == 1 { return Proposal("\(text) \(units[0].symbol)", isSafe: true) }
    let usual: [(Dimension, String)] = [
      (.rate, "Hz"), (.energy, "J"), (.power, "mW"), (.speed, "m/s"), (.data, "kB"), (.throughput, "kB/s"),
      (.acceleration, "m/s2"), (.field, "uT"), (.pressure, "hPa"), (.potential, "V"),
      (.concentration, "ug/m3"),
    ]
    return usual.first { $0.0 == expected }.map { Proposal("\(text) \($0.1)", isSafe: false) }
  }

  static func units(of dimension: Dimension) -> String? {
    let units = MeasureUnit.all.filter { $0.dimension == dimension }.map(\.symbol)
    return units.isEmpty ? nil : "\(dimension.phrase) is written in \(units.joined(separator: ", "))"
  }
}
