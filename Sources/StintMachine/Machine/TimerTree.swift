/// The earliest of a fixed number of instants, each changed in a few steps; a tournament tree.
struct TimerTree: Sendable {
  /// What a timer that is not set holds.
  static let never = Int64.max

  private let width: Int
  /// The winner of each pair, from the root at 1; leaves from `width` on.
  private var nodes: ContiguousArray<Int64>

  init(count: Int) {
    var width = 1
    while width < count { width *= 2 }
    self.width = width
    nodes = ContiguousArray(repeating: Self.never, count: 2 * width)
  }

  /// The earliest instant, or `never`.
  var earliest: Int64 { nodes[1] }

  /// When the timer expires.
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

  /// Clears the first timer, by number, that has expired at `now`, and returns it; nil when none has.
  mutating func removeExpired(at now: Int64) -> Int? {
    guard nodes[1] <= now, nodes[1] != Self.never else { return nil }
    var node = 1
    while node < width { node = nodes[2 * node] <= now ? 2 * node : 2 * node + 1 }
    set(node - width, to: Self.never)
    return node - width
  }
}
