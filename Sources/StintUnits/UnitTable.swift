/// The units that a text may use: the units of the language, and declared units, for example from manifests.
public struct UnitTable: Hashable, Sendable {
  /// The declared units, by symbol.
  private var declared: [String: MeasureUnit]

  /// The units of the language.
  public static let standard = UnitTable([])

  /// Makes a table with these declared units. Of two units with equal symbols, the first is used.
  public init(_ declared: [MeasureUnit]) {
    self.declared = Dictionary(declared.map { ($0.symbol, $0) }) { first, _ in first }
  }

  /// The units of the language in their usual order, then the declared units by symbol.
  public var all: [MeasureUnit] { MeasureUnit.all + declaredSymbols.compactMap { declared[$0] } }

  /// The symbols of the declared units, sorted.
  public var declaredSymbols: [String] { declared.keys.sorted() }

  /// Returns the unit with exactly this symbol; nil when no unit has it.
  public func named(_ symbol: String) -> MeasureUnit? {
    MeasureUnit.named(symbol) ?? declared[symbol]
  }

  /// Returns the unit with this symbol, or with a common spelling of its symbol such as `µg/m³`, `°` or `lx`.
  /// Nil for any other text.
  public func spelled(_ text: String) -> MeasureUnit? {
    if let unit = named(text) { return unit }
    if let symbol = Self.spellings[text] { return MeasureUnit.named(symbol) }
    // Replace both characters for micro by `u`, and superscript digits by normal digits.
    var plain = ""
    for character in text.unicodeScalars {
      switch character {
      case "\u{B5}", "\u{3BC}": plain += "u"
      case "\u{B2}": plain += "2"
      case "\u{B3}": plain += "3"
      default: plain.unicodeScalars.append(character)
      }
    }
    return plain == text ? nil : MeasureUnit.named(plain)
  }

  private static let spellings = [
    "lx": "lux", "\u{B0}": "deg", "\u{B0}C": "C", "\u{B0}/s": "deg/s", "mbar": "hPa",
  ]
}

extension Dimension {
  /// The dimension as a product of base units that `MeasureUnit.init(symbol:product:factor:)` reads, such as
  /// `J/m/m/m`; `1` for a number.
  public var product: String {
    let symbols = ["m", "s", "B", "J", "A", "C", "uT", "lux", "deg", "items", "dBm", "kg"]
    var (above, below) = ([String](), [String]())
    for (path, symbol) in zip(Self.exponents, symbols) {
      let exponent = Int(self[keyPath: path])
      above += Array(repeating: symbol, count: max(exponent, 0))
      below += Array(repeating: symbol, count: max(-exponent, 0))
    }
    return (above.isEmpty ? "1" : above.joined(separator: "*")) + below.map { "/" + $0 }.joined()
  }
}

extension MeasureUnit {
  /// True for a declared unit and for ppm, ppb and dB. A quantity in one of these units is displayed in its
  /// own unit. Other quantities are displayed in the most readable unit of their dimension.
  package var isSpecial: Bool { ["ppm", "ppb", "dB"].contains(symbol) || Self.named(symbol) == nil }

  /// Makes a unit from a product of units such as `A/V/m`. Nil when a factor is neither `1` nor a unit of the
  /// language, or when the size of the new unit is not a positive number.
  ///
  /// `*` and `/` separate the factors. `1` is a number without a dimension.
  public init?(symbol: String, product: String, factor: Double) {
    var dimension = Dimension.none
    var scale = factor
    var isDivisor = false
    var rest = product[...]
    while true {
      let word = rest.prefix { $0 != "*" && $0 != "/" }
      if word != "1" {
        guard let unit = Self.named(word) else { return nil }
        let own = unit.dimension == .ratio ? Dimension.none : unit.dimension
        dimension = isDivisor ? dimension / own : dimension * own
        scale = isDivisor ? scale / unit.scale : scale * unit.scale
      }
      rest = rest.dropFirst(word.count)
      guard let sign = rest.popFirst() else { break }
      isDivisor = sign == "/"
    }
    guard scale.isFinite, scale > 0 else { return nil }
    self.init(symbol: symbol, dimension: dimension, scale: scale)
  }
}
