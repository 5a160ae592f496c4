/// An immutable index that finds the rules affected by a new value of a fact.
///
/// A rule is indexed when it is a `while` or `always` rule whose condition contains only tests of single
/// sources (facts, or demands on devices). Each source that a rule tests is one track of the index, and the
/// values of the source are divided into ranks. The condition of a rule is a disjunction of terms, and each
/// term has a column. For each rank of each track there is a row of bits, one bit per column. The bit is set
/// when the rank satisfies all tests of the source in the term of this column. A term is true when its bit is
/// set in the present rows of all tracks. A rule is active when one of its terms is true.
///
/// The first term of a rule has the rule's index as column, so one word of columns represents 64 rules.
/// Further terms of rules are rare; their overflow columns follow after the columns of all first terms.
///
/// Unindexed rules watch facts: such a rule is evaluated when the result of a test in its code changes.
struct ThresholdIndex: Sendable {
  /// The number of columns in one chunk: the bits of a word.
  static let chunkWidth = 64

  /// The track of each source; -1 for a source that no rule tests.
  let trackOfSource: ContiguousArray<Int32>
  /// For each track, the index of its first cut in `cuts`.
  let firstCut: ContiguousArray<Int32>
  let cuts: ContiguousArray<Double>
  /// For each step between neighbouring ranks of a track: the slot bits that flip (`bitTransitions`), and the
  /// unindexed rules to evaluate (`watchTransitions`).
  let bitTransitions: TransitionTable
  let watchTransitions: TransitionTable
  /// The stored rows of each track. A row is stored for each rank that is a multiple of 2 to the power of the
  /// track's shift. The row of any other rank is computed from the stored row below it by flips. A row
  /// consists of one word for each chunk with columns that test the track.
  let rows: ContiguousArray<UInt64>
  let firstRow: ContiguousArray<Int32>
  let shifts: ContiguousArray<Int32>
  /// The slots of each track. A slot contains the word of one chunk in the present row of one track; the
  /// slots of a chunk are adjacent.
  let slotsOfTrack: Adjacency
  let firstSlot: ContiguousArray<Int32>
  let chunkOfSlot: ContiguousArray<Int32>
  /// For each chunk: the bits of the columns in use.
  let used: ContiguousArray<UInt64>
  /// The rule of each overflow column. `firstOverflow` gives the first overflow column of each chunk of
  /// rules.
  let ruleOfOverflow: ContiguousArray<Int32>
  let firstOverflow: ContiguousArray<Int32>
  /// For each rule: true when it is indexed.
  let isIndexed: ContiguousArray<Bool>

  var trackCount: Int { firstCut.count - 1 }
  var chunkCount: Int { used.count }
  /// The number of chunks of first terms, each for 64 rules.
  var groupCount: Int { (isIndexed.count + Self.chunkWidth - 1) / Self.chunkWidth }

  /// The largest number of flips to apply singly. For more flips, loading whole rows is cheaper.
  var maxSingleTransitions: Int { 4 + chunkCount / 2 }

  /// Returns the rank of a value on a track. `rank` is the previous rank; a value of that rank is found
  /// without a search.
  @inline(__always)
  func rank(of value: Double, on track: Int, near rank: Int) -> Int {
    if value.isNaN { return 0 }
    let start = Int(firstCut[track])
    let end = Int(firstCut[track + 1])
    let here = start + max(rank, 1) - 1
    if (here == start || cuts[here - 1] <= value) && (here == end || value < cuts[here]) {
      return max(rank, 1)
    }
    // The binary search has no branches, because the processor would mispredict half of them. Most values are
    // near the previous value, so a small range around the previous rank is tried first.
    var low = start
    var length = end - start
    if length > 32, here >= start + 8, here + 8 < end, cuts[here - 8] <= value, value < cuts[here + 8] {
      low = here - 8
      length = 16
    }
    while length > 1 {
      let half = length / 2
      low += cuts[low + half - 1] <= value ? half : 0
      length -= half
    }
    return low - start + 1 + (length == 1 && cuts[low] <= value ? 1 : 0)
  }

  /// Returns the values of a rank: at least `low` and less than `high`. The interval of rank 0 (unknown) is
  /// empty.
  func interval(of rank: Int, on track: Int) -> (low: Double, high: Double) {
    guard rank > 0 else { return (.infinity, -.infinity) }
    let start = Int(firstCut[track])
    let next = start + rank - 1
    let end = Int(firstCut[track + 1])
    return (rank == 1 ? -.infinity : cuts[next - 1], next == end ? .infinity : cuts[next])
  }
}
