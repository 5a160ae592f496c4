package import StintModel

extension Manifest {
  /// The on state with the least power; the initial state when no state is on.
  package var cheapestOnState: Int {
    states.indices.filter { states[$0].isOn }.min { states[$0].power < states[$1].power } ?? initial
  }

  /// Returns the states on the shortest path of permitted transitions, without `start` and with `target`.
  /// Returns only `target` when there is no path.
  func path(from start: Int, to target: Int) -> [Int] {
    var former: [Int: Int] = [start: start]
    var queue = [start]
    var head = 0
    while head < queue.count, former[target] == nil {
      let state = queue[head]
      head += 1
      for next in states.indices where former[next] == nil && permits(from: state, to: next) {
        former[next] = state
        queue.append(next)
      }
    }
    var path = [target]
    while let last = path.last, let before = former[last], before != last, before != start {
      path.append(before)
    }
    return path.reversed()
  }
}
