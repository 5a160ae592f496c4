import StintUnits

extension TimeSpan {
  /// Rounded to what matters to people: whole seconds from ten seconds on, then tenths, then milliseconds.
  var readable: String {
    let step: Int64
    switch self {
    case .seconds(10)...: step = 1_000_000_000
    case .seconds(1)...: step = 100_000_000
    case .milliseconds(10)...: step = 1_000_000
    default: return description
    }
    // Up to `unlimited`, which is the most: halves are rounded up without an overflow.
    let rest = nanoseconds % step
    return TimeSpan(
      nanoseconds: nanoseconds - rest + (rest >= step / 2 && nanoseconds < .max - step ? step : 0)
    )
    .description
  }
}
