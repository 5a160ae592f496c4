/// A tournament tree over a fixed number of timers. Reading the earliest instant takes constant time, and
/// setting a timer takes logarithmic time.
struct TimerTree: Sendable {
  /// The value of a timer that is not set.
  static let never = Int64.max

  private let width: Int
  /// The smaller value of each pair of nodes. The root is at index 1, the leaves begin at index `width`.
  private var nodes: ContiguousArray<Int64>

  init(count: Int) {
    var width = 1
    while width < count { width *= 2 }
    self.width = width
    nodes = ContiguousArray(repeating: Self.never, count: 2 * width)
  }

  /// The earliest instant, or `never`.
  var earliest: Int64 { nodes[1] }

  /// Returns the instant of a timer, in nanoseconds; `never` when it is not set.
  func instant(of timer: Int) -> Int64 { nodes[width + timer] }

  /// Sets a timer to an instant, or to `never`.
  mutating func set(_ timer: Int, to instant: Int64) {
    var node = width + timer
    guard nodes[node] != instant else { return }
    nodes[node] = instant
    while node > 1 {
      let winner = min(nodes[node], nodes[node ^ 1])
      node /= 2
      guard nodes[node] != winner else { return }
      nodes[node] = winner
    }
  }

  /// Clears the timer with the lowest index that has expired at `now`, and returns its index. Nil when no
  /// timer has expired.
  mutating func removeExpired(at now: Int64) -> Int? {
    guard nodes[1] <= now, nodes[1] != Self.never else { return nil }
    var node = 1
    while node < width { node = nodes[2 * node] <= now ? 2 * node : 2 * node + 1 }
    set(node - width, to: Self.never)
    return node - width
  }
}
