import StintUnits

extension TimeSpan {
  /// Rounded to what matters to people: whole seconds from a minute on.
  var readable: String {
    guard self >= .minutes(1) else { return description }
    return TimeSpan.seconds((nanoseconds + 500_000_000) / 1_000_000_000).description
  }
}
