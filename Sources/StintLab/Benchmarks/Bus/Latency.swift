/// How long things took, by the clock, in nanoseconds: half of them no longer than the median, 99 of 100 no longer
/// than the tail.
struct Latency: Hashable, Sendable {
  var median: Double
  var tail: Double

  /// - Precondition: something was measured.
  init(_ nanoseconds: [Int64]) {
    precondition(!nanoseconds.isEmpty, "nothing was measured")
    let sorted = nanoseconds.sorted()
    median = Double(sorted[sorted.count / 2])
    tail = Double(sorted[min(sorted.count * 99 / 100, sorted.count - 1)])
  }
}
