/// For each track of a `ThresholdIndex`: the items (row bits or rules) that change between two neighbouring
/// ranks. Immutable.
struct TransitionTable: Sendable {
  /// For each track, the index of its first step.
  private let firstStep: ContiguousArray<Int32>
  private let adjacency: Adjacency

  /// Creates a table. `ranks[t]` is the number of ranks of track t. `events[t]` lists the changes of track t.
  /// Each change takes effect on the step from `rank - 1` to `rank`.
  init(ranks: [Int], events: [[(rank: Int, item: Int)]]) {
    var first: ContiguousArray<Int32> = [0]
    for count in ranks { first.append(first[first.count - 1] + Int32(count)) }
    var counts = ContiguousArray<Int32>(repeating: 0, count: Int(first[first.count - 1]) + 1)
    for (track, list) in events.enumerated() {
      for event in list { counts[Int(first[track]) + event.rank + 1] += 1 }
    }
    for place in counts.indices.dropFirst() { counts[place] += counts[place - 1] }
    var items = ContiguousArray<Int32>(repeating: 0, count: Int(counts[counts.count - 1]))
    var next = counts
    for (track, list) in events.enumerated() {
      for event in list {
        let step = Int(first[track]) + event.rank
        items[Int(next[step])] = Int32(event.item)
        next[step] += 1
      }
    }
    firstStep = first
    adjacency = Adjacency(starts: counts, items: items)
  }

  /// Returns the subscript indices of the items that change between two ranks of a track, in either
  /// direction.
  @inline(__always)
  func between(_ one: Int, and other: Int, of track: Int) -> Range<Int> {
    let first = Int(firstStep[track])
    let (low, high) = one < other ? (one, other) : (other, one)
    return adjacency.start(of: first + low + 1)..<adjacency.start(of: first + high + 1)
  }

  @inline(__always)
  subscript(item: Int) -> Int { adjacency[item] }
}
