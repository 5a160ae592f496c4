import StintLanguage
import StintUnits

/// A `param` of a policy with a range of values to try.
struct TunedParameter: Hashable, Sendable {
  /// A value to try. `quantity` is parsed from `text`, the spelling in the policy, so both are equal.
  struct Choice: Hashable, Sendable {
    var text: String
    var quantity: Quantity
  }

  let name: String
  /// The position of the value in the source.
  let span: SourceSpan
  /// The values to try, in ascending order. They include the ends of the range and the value in the policy.
  ///
  /// Before rounding, the values between the ends are spaced by a constant factor when the range is above
  /// zero. They are spaced by a constant difference when the range includes zero or negative values.
  let choices: [Choice]
  /// The index in `choices` of the value in the policy.
  let written: Int

  private static let steps = 48

  /// Makes a tunable parameter. Nil when the range cannot be parsed, contains only one value, or does not
  /// contain the value in the policy.
  init?(_ item: ParameterItem, in source: SourceText, units: UnitTable) {
    guard let written = item.value.quantity, let low = item.low.quantity, let high = item.high.quantity,
      low.dimension == written.dimension, high.dimension == written.dimension, low.value < high.value,
      (low.value...high.value).contains(written.value)
    else { return nil }
    name = item.name.text
    span = item.value.span
    let ends = [item.low, item.high, item.value].compactMap { literal in
      literal.quantity.map { Choice(text: source.text(of: literal.span), quantity: $0) }
    }
    var choices = ends
    let root = low.value > 0 ? Self.root(of: high.value / low.value, order: Self.steps) : 0
    for step in 1..<Self.steps {
      let value =
        low.value > 0
        ? low.value * Self.power(of: root, step)
        : low.value + (high.value - low.value) * Double(step) / Double(Self.steps)
      guard let choice = Self.choice(Quantity(value, written.dimension), units),
        low.value < choice.quantity.value, choice.quantity.value < high.value
      else { continue }
      choices.append(choice)
    }
    // Of several choices with equal quantities, keep the first, which is spelled as in the policy.
    var distinct: [Choice] = []
    for choice in choices where !distinct.contains(where: { $0.quantity == choice.quantity }) {
      distinct.append(choice)
    }
    distinct.sort { $0.quantity.value < $1.quantity.value }
    self.choices = distinct
    guard let place = distinct.firstIndex(where: { $0.quantity == written }) else { return nil }
    self.written = place
  }

  /// Returns all tunable parameters of a policy, in the order of the policy.
  ///
  /// - Parameter units: the units that the policy may use.
  static func all(of source: SourceText, units: UnitTable) -> [TunedParameter] {
    Parser.parse(source, units: units).file.items.compactMap { item in
      guard case .parameter(let parameter) = item else { return nil }
      return TunedParameter(parameter, in: source, units: units)
    }
  }

  // MARK: Values

  /// Returns the choice for a quantity, rounded to two significant digits. Nil when the language cannot
  /// express this quantity.
  private static func choice(_ quantity: Quantity, _ units: UnitTable) -> Choice? {
    let text = spelled(quantity, units)
    let source = SourceText(
      file: "", text: "policy \"p\" version 1\nparam p = \(text) in \(text) .. \(text)\n")
    for case .parameter(let item) in Parser.parse(source, units: units).file.items {
      guard let read = item.value.quantity, read.dimension == quantity.dimension else { return nil }
      return Choice(text: text, quantity: read)
    }
    return nil
  }

  private static func spelled(_ quantity: Quantity, _ units: UnitTable) -> String {
    switch quantity.dimension {
    case .time: return spelled(seconds: quantity.value)
    case .rate where quantity.value > 0 && quantity.value < 1:
      return "1 per " + spelled(seconds: 1 / quantity.value)
    default:
      // The language has no unit for the dimensions of some declared units.
      let unit = units.all.first { $0.dimension == quantity.dimension }
      if let unit, MeasureUnit.named(unit.symbol) == nil {
        return "\(Quantity.number(rounded(quantity.value / unit.scale))) \(unit.symbol)"
      }
      return Quantity(rounded(quantity.value), quantity.dimension).description
    }
  }

  private static func spelled(seconds: Double) -> String {
    let (unit, length) =
      switch seconds {
      case ..<1: ("ms", 0.001)
      case ..<120: ("s", 1.0)
      case ..<7200: ("min", 60.0)
      case ..<172_800: ("h", 3600.0)
      default: ("d", 86_400.0)
      }
    return "\(Quantity.number(rounded(seconds / length))) \(unit)"
  }

  /// Computes a root by bisection, with equal results on all computers.
  private static func root(of ratio: Double, order: Int) -> Double {
    var root = 1.0
    var width = ratio
    for _ in 0..<200 {
      width /= 2
      let next = root + width
      if power(of: next, order) <= ratio { root = next }
    }
    return root
  }

  private static func power(of factor: Double, _ exponent: Int) -> Double {
    var product = 1.0
    for _ in 0..<exponent { product *= factor }
    return product
  }

  /// Rounds to two significant digits, the finest step of tuning.
  static func rounded(_ value: Double) -> Double {
    guard value != 0, value.isFinite else { return value }
    var scale = 1.0
    while abs(value) * scale < 10 { scale *= 10 }
    while abs(value) * scale >= 100 { scale /= 10 }
    return scale >= 1 ? (value * scale).rounded() / scale : (value * scale).rounded() * (1 / scale)
  }
}
