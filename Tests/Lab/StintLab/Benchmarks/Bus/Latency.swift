/// Latencies in wall-clock nanoseconds: half of them are at most `median`, 99 of 100 are at most `tail`.
struct Latency: Hashable, Sendable {
  var median: Double
  var tail: Double

  /// - Precondition: `nanoseconds` is not empty.
  init(_ nanoseconds: [Int64]) {
    precondition(!nanoseconds.isEmpty, "nothing was measured")
    let sorted = nanoseconds.sorted()
    median = Double(sorted[sorted.count / 2])
    tail = Double(sorted[min(sorted.count * 99 / 100, sorted.count - 1)])
  }
}
