import StintUnits

extension TimeSpan {
  /// The span rounded for people. It has whole seconds from 10 s on, tenths of a second from 1 s on, and
  /// whole milliseconds from 10 ms on. Shorter spans are not rounded.
  var readable: String {
    let step: Int64
    switch self {
    case .seconds(10)...: step = 1_000_000_000
    case .seconds(1)...: step = 100_000_000
    case .milliseconds(10)...: step = 1_000_000
    default: return description
    }
    // Rounds half up without overflow, also for `unlimited`, the largest value.
    let rest = nanoseconds % step
    return TimeSpan(
      nanoseconds: nanoseconds - rest + (rest >= step / 2 && nanoseconds < .max - step ? step : 0)
    )
    .description
  }
}
