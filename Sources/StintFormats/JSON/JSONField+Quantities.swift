import StintUnits

extension JSONField {
  /// A span of time, as in `"1 h 30 min"`, no shorter than `least`.
  func span(like example: String, atLeast least: TimeSpan = .zero) -> TimeSpan? {
    guard let quantity = quantity(.time, like: example) else { return nil }
    guard let span = quantity.timeSpan else { return tooLarge() }
    guard span >= least else {
      let bound = least == .zero ? "negative" : "shorter than \(least)"
      report(.value, "the time is \(bound)", step: "write it as “\(example)”")
      return nil
    }
    return span
  }

  /// A power, as in `"60 mW"`; a negative one is reported and read as none, so that the rest can be checked.
  func power() -> Power? {
    guard let quantity = quantity(.power, like: "60 mW") else { return nil }
    guard quantity.value >= 0 else {
      refuseNegative(.power, like: "60 mW")
      return .zero
    }
    return quantity.power ?? tooLarge()
  }

  /// An energy, as in `"600 mJ"`; a negative one is reported and read as none, so that the rest can be checked.
  func energy() -> Energy? {
    guard let quantity = quantity(.energy, like: "600 mJ") else { return nil }
    guard quantity.value >= 0 else {
      refuseNegative(.energy, like: "600 mJ")
      return .zero
    }
    return quantity.energy ?? tooLarge()
  }

  private func refuseNegative(_ dimension: Dimension, like example: String) {
    report(
      .value, "“\(value.string ?? "")” is a negative \(dimension.name)", step: "write it as “\(example)”")
  }

  /// A number of base units of a dimension, not negative.
  func amount(_ dimension: Dimension, like example: String) -> Double? {
    guard let quantity = quantity(dimension, like: example) else { return nil }
    guard quantity.value >= 0 else {
      report(.value, "a \(dimension.name) is negative here", step: "write it as “\(example)”")
      return nil
    }
    return quantity.value
  }

  /// A whole number of bytes, as in `"20 kB"`.
  func byteCount() -> Int64? {
    guard let amount = amount(.data, like: "20 kB") else { return nil }
    guard let count = Int64(exactly: amount.rounded()) else { return tooLarge() }
    return count
  }

  /// The time between two samples of a rate, as in `"50 Hz"` or `"1 per 30 s"`.
  func period() -> TimeSpan? {
    guard let quantity = quantity(.rate, like: "1 per 30 s") else { return nil }
    guard let period = quantity.period, period > .zero else {
      report(.value, "the rate is not positive", step: "write it as “1 per 30 s” or “50 Hz”")
      return nil
    }
    return period
  }

  /// Two quantities of a dimension, the smaller first: `["0 m", "10 km"]`.
  func range(_ dimension: Dimension, like example: String) -> ClosedRange<Double>? {
    guard let items = items() else { return nil }
    guard items.count == 2 else {
      report(.value, "a range has two ends, and \(items.count) stand here", step: "write it as \(example)")
      return nil
    }
    let lower = items[0].quantity(dimension, like: "a quantity of \(dimension.name)")
    let upper = items[1].quantity(dimension, like: "a quantity of \(dimension.name)")
    guard let lower, let upper else { return nil }
    guard lower.value <= upper.value else {
      report(.value, "the range ends before it begins", step: "write the smaller end first")
      return nil
    }
    return lower.value...upper.value
  }

  private func tooLarge<Value>() -> Value? {
    report(.value, "“\(value.string ?? "")” is too large", step: "write a smaller one")
    return nil
  }
}
