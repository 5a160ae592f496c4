import StintRuntime
import StintUnits

/// The time for one item, in nanoseconds: the median, the fastest and the slowest pass. `of` measures the CPU
/// time of this process, without the time of other processes.
struct Timing: Hashable, Sendable {
  var median: Double
  var fastest: Double
  var slowest: Double

  /// Measures a pass `passes` times, after two warm-up passes. Each pass must process `items` items.
  static func of(_ items: Int, passes: Int = 25, _ pass: () throws -> Void) rethrows -> Timing {
    try of(items, passes: passes, preparing: {}, { _ in try pass() })
  }

  /// Runs passes like `of(_:passes:_:)`. Before each pass, `preparing` creates a value for this pass; the
  /// time of `preparing` is not counted.
  static func of<Value>(
    _ items: Int, passes: Int = 25, preparing: () throws -> Value, _ pass: (Value) throws -> Void
  ) rethrows -> Timing {
    var times: [Double] = []
    for number in 0..<(passes + 2) {
      let value = try preparing()
      let began = SystemClock.worked()
      try pass(value)
      let span = Double((SystemClock.worked() - began).nanoseconds)
      if number >= 2 { times.append(span / Double(max(items, 1))) }
    }
    times.sort()
    return Timing(median: times[times.count / 2], fastest: times.first ?? 0, slowest: times.last ?? 0)
  }

  var spread: String { "\(Self.text(fastest)) … \(Self.text(slowest))" }

  /// Formats a time, such as `96 ns`, with at most three significant digits. A time of a second or more is
  /// formatted in whole milliseconds.
  static func text(_ nanoseconds: Double) -> String {
    if nanoseconds < 1000 { return "\(rounded(nanoseconds)) ns" }
    if nanoseconds < 1_000_000 { return "\(rounded(nanoseconds / 1000)) us" }
    return "\(rounded(nanoseconds / 1_000_000)) ms"
  }

  private static func rounded(_ value: Double) -> String {
    if value >= 100 { return "\(Int(value.rounded()))" }
    let scale: Double = value >= 10 ? 10 : 100
    return "\((value * scale).rounded() / scale)"
  }
}
