/// The rows of one track while they are laid out, from rank to rank.
struct BitRowBuilder {
  let track: Int
  /// The chunks in which the track has a say, ascending, and by chunk its place among them, or -1.
  let chunks: [Int]
  private let places: [Int]
  /// The row of rank 0; columns that do not ask the track are set.
  private var first: ContiguousArray<UInt64>
  /// Before which rank which bit of the row changes.
  private(set) var events: [(rank: Int, item: Int)] = []

  init(track: Int, columns: some Sequence<Int>, chunkCount: Int) {
    self.track = track
    var hasSay = Array(repeating: false, count: chunkCount)
    for column in columns { hasSay[column / ThresholdIndex.chunkWidth] = true }
    let chunks = hasSay.indices.filter { hasSay[$0] }
    var places = Array(repeating: -1, count: chunkCount)
    for (place, chunk) in chunks.enumerated() { places[chunk] = place }
    self.chunks = chunks
    self.places = places
    first = ContiguousArray(repeating: .max, count: chunks.count)
  }

  /// Adds a column that is set at some ranks, and notes where it changes.
  mutating func add(_ column: Int, _ ranks: [Range<Int>], rankCount: Int) {
    let width = ThresholdIndex.chunkWidth
    let bit = places[column / width] * width + column % width
    if ranks.first?.lowerBound != 0 { first[bit >> 6] &= ~(1 << UInt64(bit & 63)) }
    for range in ranks {
      if range.lowerBound > 0 { events.append((range.lowerBound, bit)) }
      if range.upperBound < rankCount { events.append((range.upperBound, bit)) }
    }
  }

  /// Appends the rows of each so manyth rank.
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
