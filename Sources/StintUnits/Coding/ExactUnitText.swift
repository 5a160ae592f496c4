/// Texts of quantities that are stored as an integer count of 10⁻⁹ base units: nanoseconds, nanojoules and
/// nanowatts.
///
/// `Quantity` computes with floating point and loses digits of large counts. These texts read back exactly.
enum ExactUnitText {
  /// Returns `readable` if it reads back as exactly this count. Otherwise, returns all digits in the base
  /// unit, such as `1.000000001 s`.
  ///
  /// - Parameter symbol: the symbol of the base unit.
  static func text(of count: Int128, readable: String, symbol: String) -> String {
    guard let unit = MeasureUnit.named(symbol), !reads(readable, as: count, unit.dimension) else {
      return readable
    }
    let (whole, fraction) = count.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    var text = (count < 0 ? "-" : "") + String(whole)
    if fraction > 0 {
      var digits = String(fraction + 1_000_000_000).dropFirst()
      while digits.last == "0" { digits.removeLast() }
      text += ".\(digits)"
    }
    return "\(text) \(symbol)"
  }

  private static func reads(_ text: String, as count: Int128, _ dimension: Dimension) -> Bool {
    do {
      return try self.count(in: text, dimension, like: "") == count
    } catch {
      return false
    }
  }

  /// Returns the count that a text with any units of a dimension expresses, rounded to the nearest integer.
  ///
  /// - Parameter example: a correct text, for the remedy of errors.
  /// - Throws: a problem without a location when the text is not a quantity of this dimension.
  static func count(
    in text: String, _ dimension: Dimension, like example: String
  ) throws(Problem) -> Int128 {
    let remedy = "write it as “\(example)”"
    let quantity: Quantity
    do {
      quantity = try Quantity(parsing: text)
    } catch {
      throw Problem(.value, cause: error.cause, remedy: remedy)
    }
    guard quantity.dimension == dimension else {
      throw Problem(
        .value,
        cause: "expected \(dimension.nameWithArticle), found the \(quantity.dimension.name) “\(text)”",
        remedy: remedy)
    }
    if let exact = exactCount(Quantity.words(of: text)) { return exact }
    guard let rounded = Int128(exactly: (quantity.value * 1e9).rounded()) else {
      throw Problem(.value, cause: "“\(text)” is too large", remedy: remedy)
    }
    return rounded
  }

  /// Adds up pairs of a number and a unit. Nil when a unit is unknown, a number is not plain decimal (for
  /// example because it has an exponent), a number has too many decimals, or an intermediate result exceeds
  /// 128 bits.
  private static func exactCount(_ words: [String]) -> Int128? {
    var sum: Int128 = 0
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      guard let unit = MeasureUnit.named(words[index + 1]), let part = exactCount(words[index], in: unit)
      else { return nil }
      let (next, overflow) = sum.addingReportingOverflow(part)
      guard !overflow else { return nil }
      sum = next
    }
    return sum
  }

  private static func exactCount(_ number: String, in unit: MeasureUnit) -> Int128? {
    let isNegative = number.first == "-"
    let unsigned = isNegative || number.first == "+" ? number.dropFirst() : number[...]
    let parts = unsigned.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, unsigned.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }) else {
      return nil
    }
    var fraction = parts.count == 2 ? parts[1] : ""
    while fraction.last == "0" { fraction.removeLast() }
    guard let digits = UInt128(parts[0] + fraction) else { return nil }
    // Each common factor of ten of the unit and the fraction is removed first, so that the product is small.
    var scale = UInt128((unit.scale * 1e9).rounded())
    var decimals = fraction.count
    while decimals > 0, scale % 10 == 0 {
      scale /= 10
      decimals -= 1
    }
    guard decimals <= 30 else { return nil }
    let divisor = (0..<decimals).reduce(UInt128(1)) { power, _ in power * 10 }
    let (product, overflow) = digits.multipliedReportingOverflow(by: scale)
    guard !overflow else { return nil }
    let (quotient, remainder) = product.quotientAndRemainder(dividingBy: divisor)
    let magnitude = quotient + (remainder >= divisor - remainder ? 1 : 0)
    guard isNegative else { return Int128(exactly: magnitude) }
    return magnitude == Int128.min.magnitude ? .min : Int128(exactly: magnitude).map { -$0 }
  }
}
