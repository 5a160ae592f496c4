/// By step between two neighbouring ranks of any track: what changes there. Made once, then only read.
struct TransitionTable: Sendable {
  /// By track: where its steps begin among all.
  private let firstStep: ContiguousArray<Int32>
  private let adjacency: Adjacency

  /// `ranks` holds the number of ranks of each track, `events` for each track what changes before which rank.
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

  /// Where that which changes on the way between two ranks lies.
  @inline(__always)
  func between(_ one: Int, and other: Int, of track: Int) -> Range<Int> {
    let first = Int(firstStep[track])
    let (low, high) = one < other ? (one, other) : (other, one)
    return adjacency.start(of: first + low + 1)..<adjacency.start(of: first + high + 1)
  }

  @inline(__always)
  subscript(item: Int) -> Int { adjacency[item] }

  var byteCount: Int { adjacency.byteCount + firstStep.count * 4 }
}
