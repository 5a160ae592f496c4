extension Quantity {
  /// Parses a quantity: `1 h 30 min`, `66 uW`, `20 %`, `1 per 30 s`, `2 per h`. A number without a unit is a
  /// quantity without a dimension.
  ///
  /// - Parameters:
  ///   - text: a number with a unit, as in a policy.
  ///   - units: the units that the text may use.
  /// - Throws: a `Problem` without a location when the string is not a quantity.
  public init(parsing text: String, units: UnitTable = .standard) throws(Problem) {
    let words = Self.words(of: text)
    guard let first = words.first else { throw .empty }
    if words.count >= 3, words[1] == "per" {
      self = try Self.rate(words)
      return
    }
    if words.count == 1, let number = Double(first) {
      guard number.isFinite else { throw .outOfRange(first) }
      self.init(number, .none)
      return
    }
    var total: Quantity?
    var firstUnit = ""
    var index = 0
    while index < words.count {
      guard let number = Double(words[index]) else { throw .notANumber(words[index]) }
      guard number.isFinite else { throw .outOfRange(words[index]) }
      guard index + 1 < words.count else { throw .unitMissing(words[index]) }
      guard let unit = units.spelled(words[index + 1]) else { throw .unknownUnit(words[index + 1]) }
      let part = Quantity(number, in: unit)
      if let sum = total {
        guard sum.dimension == part.dimension else { throw .mixedDimensions(firstUnit, unit.symbol) }
        total = Quantity(sum.value + part.value, sum.dimension)
      } else {
        total = part
        firstUnit = unit.symbol
      }
      index += 2
    }
    guard let total else { throw .empty }
    self = total
  }

  private static func rate(_ words: [String]) throws(Problem) -> Quantity {
    guard let count = Double(words[0]), count.isFinite else { throw .notANumber(words[0]) }
    let length = words.count == 3 ? 1 : Double(words[2])
    guard let length else { throw .notANumber(words[2]) }
    guard length > 0 else { throw .notPositive(words[2]) }
    guard let unit = MeasureUnit.named(words[words.count - 1]), words.count <= 4 else {
      throw .unknownUnit(words[words.count - 1])
    }
    guard unit.dimension == .time else { throw .mixedDimensions("per", unit.symbol) }
    return Quantity(count / (length * unit.scale), .rate)
  }

  /// Splits a string at white space, and between a number and a unit without a space (`5min`, `20%`).
  static func words(of text: String) -> [String] {
    var words: [String] = []
    for word in text.split(whereSeparator: { $0.isWhitespace }) {
      let digits = word.prefix { $0.isNumber || ".-+".contains($0) }
      if !digits.isEmpty, digits.count < word.count, digits.contains(where: \.isNumber) {
        words.append(String(digits))
        words.append(String(word.dropFirst(digits.count)))
      } else {
        words.append(String(word))
      }
    }
    return words
  }
}

extension Problem {
  fileprivate static let empty = Problem(.empty, cause: "expected a quantity, found nothing")

  fileprivate static func notANumber(_ word: String) -> Problem {
    Problem(.syntax, cause: "expected a number, found “\(word)”")
  }

  fileprivate static func unitMissing(_ number: String) -> Problem {
    Problem(.missing, cause: "“\(number)” has no unit; write a unit, as in “\(number) s” or “\(number) m”")
  }

  fileprivate static func unknownUnit(_ word: String) -> Problem {
    Problem(.unknownName, cause: "no unit is spelled “\(word)”")
  }

  fileprivate static func mixedDimensions(_ first: String, _ second: String) -> Problem {
    Problem(.type, cause: "“\(first)” and “\(second)” measure different things")
  }

  fileprivate static func notPositive(_ length: String) -> Problem {
    Problem(.value, cause: "“\(length)” is not above 0; write a time above 0 after “per”")
  }

  fileprivate static func outOfRange(_ number: String) -> Problem {
    let isLarge = number.contains(where: \.isNumber)
    return Problem(.value, cause: isLarge ? "“\(number)” is too large" : "“\(number)” is not a finite number")
  }
}

extension Quantity: CustomStringConvertible {
  /// The quantity in the most readable unit: `1 h 30 min`, `500 m`, `20 %`, `66 uW`.
  public var description: String {
    if dimension == .time, let span = timeSpan { return span.description }
    if dimension == .rate, value > 0, value < 0.5, let period { return "1 per \(period)" }
    let units = Self.preferredUnits[dimension] ?? []
    // Zero has the base unit: 0 W, not 0 nW.
    let baseUnit = value == 0 ? units.first { $0.scale == 1 } : nil
    let unit = baseUnit ?? units.last { abs(value) >= $0.scale } ?? units.first
    guard let unit else { return Self.number(value) }
    return "\(Self.number(value / unit.scale)) \(unit.symbol)"
  }

  /// The units for output, per dimension, in ascending order of size.
  private static let preferredUnits = Dictionary(
    grouping: MeasureUnit.all.filter { preferredSymbols.contains($0.symbol) }, by: \.dimension)

  private static let preferredSymbols: Set<String> = [
    "m", "km", "m/s", "%", "B", "kB", "MB", "GB", "kB/s", "MB/s", "Hz", "kHz", "nJ", "uJ", "mJ", "J", "nW",
    "uW",
    "mW", "W", "mV", "V", "mA", "C", "m/s2", "deg", "deg/s", "uT", "lux", "dBm", "items", "kg", "Pa", "hPa",
    "ug/m3",
  ]

  /// Returns a number with at most three decimals and without trailing zeros.
  public static func number(_ value: Double) -> String {
    let scaled = (value * 1000).rounded()
    guard abs(scaled) < 1e15, let thousandths = Int64(exactly: scaled) else { return "\(value)" }
    let whole = thousandths.magnitude / 1000
    var fraction = String(thousandths.magnitude % 1000 + 1000).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    let sign = thousandths < 0 ? "-" : ""
    return fraction.isEmpty ? "\(sign)\(whole)" : "\(sign)\(whole).\(fraction)"
  }
}

extension TimeSpan: CustomStringConvertible, TextOutputStreamable {
  private static let steps: [(name: String, size: UInt64)] = [
    (" d", 86_400_000_000_000), (" h", 3_600_000_000_000), (" min", 60_000_000_000), (" s", 1_000_000_000),
    (" ms", 1_000_000), (" us", 1000), (" ns", 1),
  ]

  /// The span as `1 h 30 min`, `47 s` or `250 ms`: at most three parts, without zero parts. Smaller parts are
  /// dropped. `TimeSpan.unlimited` is `unlimited`.
  public var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// Writes the description without a temporary string, because most lines of the decision log contain spans.
  public func write(to target: inout some TextOutputStream) {
    if nanoseconds == 0 { return target.write("0 s") }
    if self == .unlimited { return target.write("unlimited") }
    if nanoseconds < 0 { target.write("-") }
    var rest = nanoseconds.magnitude
    var parts = 0
    for (name, size) in Self.steps where parts < 3 && rest > 0 {
      let (count, remainder) = rest.quotientAndRemainder(dividingBy: size)
      rest = remainder
      guard count > 0 else { continue }
      if parts > 0 { target.write(" ") }
      target.write(String(count))
      target.write(name)
      parts += 1
    }
  }
}
