import StintLanguage
import StintUnits

/// A `param` of a policy that may move inside its range.
struct TunedParameter: Hashable, Sendable {
  /// A value as a policy spells it; what is tried is what such a policy would say.
  struct Choice: Hashable, Sendable {
    var text: String
    var quantity: Quantity
  }

  let name: String
  /// Where the policy writes its value.
  let span: SourceSpan
  /// What can be tried, ascending: evenly by ratio over the range where it stays above zero, else by difference;
  /// the ends of the range and what the policy writes among them.
  let choices: [Choice]
  /// Which of them the policy writes.
  let written: Int

  private static let steps = 48

  /// Nil where the range cannot be read, has but one point, or does not hold the value.
  init?(_ item: ParameterItem, in source: SourceText) {
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
      guard let choice = Self.choice(Quantity(value, written.dimension)),
        low.value < choice.quantity.value, choice.quantity.value < high.value
      else { continue }
      choices.append(choice)
    }
    // Of equals what the policy spells stays.
    var kept: [Choice] = []
    for choice in choices where !kept.contains(where: { $0.quantity == choice.quantity }) {
      kept.append(choice)
    }
    kept.sort { $0.quantity.value < $1.quantity.value }
    self.choices = kept
    guard let place = kept.firstIndex(where: { $0.quantity == written }) else { return nil }
    self.written = place
  }

  /// Every parameter of a policy that can move, in its order.
  static func all(of source: SourceText) -> [TunedParameter] {
    Parser.parse(source).file.items.compactMap { item in
      if case .parameter(let parameter) = item { TunedParameter(parameter, in: source) } else { nil }
    }
  }

  // MARK: Values

  /// The value to two digits, with the quantity that its spelling stands for; nil where a policy cannot spell it.
  private static func choice(_ quantity: Quantity) -> Choice? {
    let text = spelled(quantity)
    let source = SourceText(
      file: "", text: "policy \"p\" version 1\nparam p = \(text) in \(text) .. \(text)\n")
    for case .parameter(let item) in Parser.parse(source).file.items {
      guard let read = item.value.quantity, read.dimension == quantity.dimension else { return nil }
      return Choice(text: text, quantity: read)
    }
    return nil
  }

  private static func spelled(_ quantity: Quantity) -> String {
    switch quantity.dimension {
    case .time: return spelled(seconds: quantity.value)
    case .rate where quantity.value > 0 && quantity.value < 1:
      return "1 per " + spelled(seconds: 1 / quantity.value)
    default: return Quantity(rounded(quantity.value), quantity.dimension).description
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

  /// The root of a ratio, by halving intervals: the same on every machine.
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

  /// Rounds to two digits, the finest step of tuning.
  static func rounded(_ value: Double) -> Double {
    guard value != 0, value.isFinite else { return value }
    var scale = 1.0
    while abs(value) * scale < 10 { scale *= 10 }
    while abs(value) * scale >= 100 { scale /= 10 }
    return scale >= 1 ? (value * scale).rounded() / scale : (value * scale).rounded() * (1 / scale)
  }
}
