/// The rows of one track while they are laid out, from rank to rank.
struct RowLine {
  let track: Int
  /// The row of rank 0; columns that do not ask the track are set.
  private var first: ContiguousArray<SIMD8<UInt64>>
  /// By chunk: whether a column there asks the track.
  private(set) var hasSay: [Bool]

  init(track: Int, chunkCount: Int) {
    self.track = track
    first = ContiguousArray(repeating: SIMD8(repeating: .max), count: chunkCount)
    hasSay = Array(repeating: false, count: chunkCount)
  }

  /// Adds a column that is set at some ranks, and notes where it changes.
  mutating func add(
    _ column: Int, _ ranks: [Range<Int>], rankCount: Int, to events: inout [(rank: Int, item: Int)]
  ) {
    hasSay[column / ThresholdIndex.chunkWidth] = true
    if ranks.first?.lowerBound != 0 { first.set(column, false) }
    for range in ranks {
      if range.lowerBound > 0 { events.append((range.lowerBound, column)) }
      if range.upperBound < rankCount { events.append((range.upperBound, column)) }
    }
  }

  /// Appends the rows of each so manyth rank.
  func append(to rows: inout ContiguousArray<SIMD8<UInt64>>, ranks: Int, shift: Int, _ flips: Flips) {
    var row = first
    rows += row
    for rank in 1..<ranks {
      for item in flips.between(rank - 1, and: rank, of: track) { row.toggle(flips[item]) }
      if rank & ((1 << shift) - 1) == 0 { rows += row }
    }
  }
}
