/// A pause between two attempts: the shortest pause, doubled any number of times up to the longest pause.
package struct DoublingPause: Hashable, Sendable {
  /// The first pause.
  package let shortest: TimeSpan
  /// The longest pause.
  package let longest: TimeSpan

  /// Makes a pause; a `longest` below `shortest` counts as `shortest`.
  package init(_ shortest: TimeSpan, upTo longest: TimeSpan) {
    self.shortest = shortest
    self.longest = max(shortest, longest)
  }

  /// Returns the pause after this number of doublings; a number below 0 counts as 0.
  package func doubled(_ times: Int) -> TimeSpan {
    // A pause of one second exceeds 34 years after 30 doublings.
    shortest.times(1 << min(max(times, 0), 30), capped: longest)
  }
}
