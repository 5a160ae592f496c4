/// What of an image says which rules a value reaches: made once, then only read.
///
/// A rule sits in the index when it is a level rule that asks nothing but tests of single sources. Each of its terms
/// has a column: a bit in the row of every rank of every source, set where that rank fulfils the term's tests of the
/// source. A term is true where the bits of all sources' present ranks are set; a rule, where one of its terms is.
/// The first term of a rule has the column of the rule's number, so that a word of columns is a word of rules. Further
/// terms, of which there are fewer, stand behind these, one beside the other.
///
/// Other rules watch: they are looked at when a test that their code makes changes its answer.
struct ThresholdIndex: Sendable {
  /// Columns in one chunk: a word.
  static let chunkWidth = 64

  /// By source: its track, or -1 where no rule tests it.
  let trackOfSource: ContiguousArray<Int32>
  /// By track: where its cuts begin among all.
  let firstCut: ContiguousArray<Int32>
  let cuts: ContiguousArray<Double>
  /// By track and step: bits of slots that change there, and rules that watch.
  let bitTransitions: TransitionTable
  let watchTransitions: TransitionTable
  /// Rows of each track for each rank that is a multiple of 2 to the track's shift; what is between follows from
  /// flips. A row has a piece for each chunk in which the track has a say.
  let rows: ContiguousArray<UInt64>
  let firstRow: ContiguousArray<Int32>
  let shifts: ContiguousArray<Int32>
  /// A slot holds the piece of the present row of one track in one chunk; those of a chunk stand side by side.
  let slotsOfTrack: Adjacency
  let firstSlot: ContiguousArray<Int32>
  let chunkOfSlot: ContiguousArray<Int32>
  /// By chunk: columns in use.
  let used: ContiguousArray<UInt64>
  /// By further column: its rule; by chunk of rules: where its further columns begin.
  let ruleOfOverflow: ContiguousArray<Int32>
  let firstOverflow: ContiguousArray<Int32>
  /// By rule.
  let isIndexed: ContiguousArray<Bool>

  var trackCount: Int { firstCut.count - 1 }
  var chunkCount: Int { used.count }
  /// Chunks of first terms: groups of 64 rules.
  var groupCount: Int { (isIndexed.count + Self.chunkWidth - 1) / Self.chunkWidth }

  /// How many flips may be done one by one before whole rows are cheaper.
  var maxSingleTransitions: Int { 4 + chunkCount / 2 }

  /// The rank of a value on a track whose rank was `rank` before: near values are found without a search.
  @inline(__always)
  func rank(of value: Double, on track: Int, near rank: Int) -> Int {
    if value.isNaN { return 0 }
    let start = Int(firstCut[track])
    let end = Int(firstCut[track + 1])
    let here = start + max(rank, 1) - 1
    if (here == start || cuts[here - 1] <= value) && (here == end || value < cuts[here]) {
      return max(rank, 1)
    }
    // Branches would be guessed wrong half of the time: the halving has none. Most values are near the last.
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

  /// The values of a rank: from the first to just below the second. None for what is unknown.
  func interval(of rank: Int, on track: Int) -> (low: Double, high: Double) {
    guard rank > 0 else { return (.infinity, -.infinity) }
    let start = Int(firstCut[track])
    let next = start + rank - 1
    let end = Int(firstCut[track + 1])
    return (rank == 1 ? -.infinity : cuts[next - 1], next == end ? .infinity : cuts[next])
  }

  /// About how much memory it takes.
  var byteCount: Int {
    cuts.count * 8 + rows.count * 8 + used.count * 8 + bitTransitions.byteCount + watchTransitions.byteCount
      + slotsOfTrack.byteCount + isIndexed.count + chunkOfSlot.count * 4
      + (trackOfSource.count + firstCut.count + firstRow.count + ruleOfOverflow.count) * 4
  }
}
