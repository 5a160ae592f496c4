/// What of an image says which rules a value reaches: made once, then only read.
///
/// A rule sits in the index when it is a level rule that asks nothing but tests of single sources. Each of its terms
/// has a column: a bit in the row of every rank of every source, set where that rank fulfils the term's tests of the
/// source. A term is true where the bits of all sources' present ranks are set; a rule, where one of its terms is.
/// Columns of a rule's first terms are in the order of rules, so that a word of columns is a word of rules.
///
/// Other rules watch: they are looked at when a test that their code makes changes its answer.
struct ThresholdIndex: Sendable {
  /// Columns in one chunk.
  static let chunkWidth = 512

  /// By source: its track, or -1 where nobody tests it.
  let trackOfSource: ContiguousArray<Int32>
  /// By track: where its cuts begin among all.
  let firstCut: ContiguousArray<Int32>
  let cuts: ContiguousArray<Double>
  /// By track and step: bits of slots that change there, and rules that watch.
  let bitFlips: Flips
  let watchFlips: Flips
  /// Rows of each track for each rank that is a multiple of 2 to the `shift`; what is between follows from flips. A
  /// row has a piece for each chunk in which the track has a say.
  let rows: ContiguousArray<SIMD8<UInt64>>
  let firstRow: ContiguousArray<Int32>
  let shift: Int
  /// A slot holds the piece of the present row of one track in one chunk; those of a chunk stand side by side.
  let slotsOfTrack: Adjacency
  let firstSlot: ContiguousArray<Int32>
  let chunkOfSlot: ContiguousArray<Int32>
  /// By chunk: columns in use; the group of 512 rules whose terms it holds.
  let used: ContiguousArray<SIMD8<UInt64>>
  let groupOfChunk: ContiguousArray<Int32>
  /// By group: its chunks.
  let chunksOfGroup: Adjacency
  /// By rule.
  let isSeated: ContiguousArray<Bool>

  var trackCount: Int { firstCut.count - 1 }
  var chunkCount: Int { used.count }
  var groupCount: Int { (isSeated.count + Self.chunkWidth - 1) / Self.chunkWidth }

  /// How many flips may be done one by one before whole rows are cheaper.
  var fewFlips: Int { 4 + chunkCount }

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

  /// About how much memory it takes.
  var byteCount: Int {
    cuts.count * 8 + rows.count * 64 + used.count * 64 + bitFlips.byteCount + watchFlips.byteCount
      + slotsOfTrack.byteCount + isSeated.count + chunkOfSlot.count * 4
      + (trackOfSource.count + firstCut.count + firstRow.count + groupOfChunk.count) * 4
  }
}
