/// Builds the bit rows of one track of a `ThresholdIndex`, rank by rank.
struct BitRowBuilder {
  let track: Int
  /// The chunks with columns that test this track, in ascending order. `places` maps a chunk to its index in
  /// `chunks`, or to -1.
  let chunks: [Int]
  private let places: [Int]
  /// The row of rank 0. Bits of columns that do not test this track are set.
  private var first: ContiguousArray<UInt64>
  /// The bit changes: `item` is the bit of the row that flips on the step from `rank - 1` to `rank`.
  private(set) var events: [(rank: Int, item: Int)] = []

  init(track: Int, columns: some Sequence<Int>, chunkCount: Int) {
    self.track = track
    var isTested = Array(repeating: false, count: chunkCount)
    for column in columns { isTested[column / ThresholdIndex.chunkWidth] = true }
    let chunks = isTested.indices.filter { isTested[$0] }
    var places = Array(repeating: -1, count: chunkCount)
    for (place, chunk) in chunks.enumerated() { places[chunk] = place }
    self.chunks = chunks
    self.places = places
    first = ContiguousArray(repeating: .max, count: chunks.count)
  }

  /// Adds a column that is set at the given ranks, and records the ranks at which its bit flips.
  mutating func add(_ column: Int, _ ranks: [Range<Int>], rankCount: Int) {
    let width = ThresholdIndex.chunkWidth
    let bit = places[column / width] * width + column % width
    if ranks.first?.lowerBound != 0 { first[bit >> 6] &= ~(1 << UInt64(bit & 63)) }
    for range in ranks {
      if range.lowerBound > 0 { events.append((range.lowerBound, bit)) }
      if range.upperBound < rankCount { events.append((range.upperBound, bit)) }
    }
  }

  /// Appends the rows of all ranks that are multiples of `1 << shift`.
  func append(to rows: inout ContiguousArray<UInt64>, ranks: Int, shift: Int, _ flips: TransitionTable) {
    var row = first
    rows += row
    for rank in 1..<ranks {
      for item in flips.between(rank - 1, and: rank, of: track) {
        let bit = flips[item]
        row[bit >> 6] ^= 1 << UInt64(bit & 63)
      }
      if rank & ((1 << shift) - 1) == 0 { rows += row }
    }
  }
}
