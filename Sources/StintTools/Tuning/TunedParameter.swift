import StintLanguage
import StintUnits

/// A `param` of a policy that may move inside its range.
struct TunedParameter: Hashable, Sendable {
  let name: String
  /// As the policy writes it.
  let written: Quantity
  /// Where the policy writes it.
  let span: SourceSpan
  /// What is tried, ascending: evenly by ratio over the range where it stays above zero, else by difference.
  let choices: [Quantity]

  private static let steps = 6

  /// Nil where the range cannot be read.
  init?(_ item: ParameterItem) {
    guard let written = item.value.quantity, let low = item.low.quantity, let high = item.high.quantity,
      low.value < high.value
    else { return nil }
    name = item.name.text
    self.written = written
    span = item.value.span
    var choices: [Quantity] = []
    for step in 0...Self.steps {
      let share = Double(step) / Double(Self.steps)
      let value =
        low.value > 0
        ? low.value * Self.power(high.value / low.value, step, of: Self.steps)
        : low.value + (high.value - low.value) * share
      let quantity = Quantity(
        min(max(Self.rounded(value), low.value), high.value), written.dimension)
      if choices.last != quantity { choices.append(quantity) }
    }
    self.choices = choices
  }

  /// `ratio` to the power of `step / steps`, by halving intervals: the same on every machine.
  private static func power(_ ratio: Double, _ step: Int, of steps: Int) -> Double {
    guard step > 0 else { return 1 }
    guard step < steps else { return ratio }
    var root = 1.0
    var width = ratio
    // The root that, multiplied by itself so many times, is the ratio.
    for _ in 0..<200 {
      width /= 2
      let next = root + width
      if (0..<steps).reduce(1.0, { product, _ in product * next }) <= ratio { root = next }
    }
    return (0..<step).reduce(1.0) { product, _ in product * root }
  }

  /// Two digits: nobody tunes finer than that.
  static func rounded(_ value: Double) -> Double {
    guard value != 0, value.isFinite else { return value }
    var scale = 1.0
    while abs(value) * scale < 10 { scale *= 10 }
    while abs(value) * scale >= 100 { scale /= 10 }
    return scale >= 1 ? (value * scale).rounded() / scale : (value * scale).rounded() * (1 / scale)
  }
}
