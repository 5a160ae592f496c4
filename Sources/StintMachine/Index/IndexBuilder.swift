/// Gathers what the rules of an image ask, and lays it into an index.
struct IndexBuilder {
  /// A rule's term, or the part of it that concerns one source.
  private struct Part {
    var column: Int
    var tests: [ValueTest]
  }

  private let image: Image
  private var isSeated: ContiguousArray<Bool>
  private var termsOfRule: [[[Literal]]]
  private var chunksOfGroup: [[Int]] = []
  private var groupOfChunk: ContiguousArray<Int32> = []
  /// By source: the parts of terms that test it, and the tests that other rules watch.
  private var parts: [[Part]]
  private var watches: [[(rule: Int, test: ValueTest)]]

  /// Rows are kept for each so manyth rank when all would take more than this for each rule, and a quarter megabyte.
  private static let rowBytesPerRule = 256
  private static let rowBytes = 1 << 18

  private init(_ image: Image) {
    self.image = image
    isSeated = ContiguousArray(repeating: false, count: image.rules.count)
    termsOfRule = Array(repeating: [], count: image.rules.count)
    parts = Array(repeating: [], count: image.facts.count + image.devices.count)
    watches = Array(repeating: [], count: image.facts.count)
  }

  static func index(of image: Image, watches: [RuleWatch]) -> ThresholdIndex {
    var builder = IndexBuilder(image)
    builder.seat()
    for watch in watches where !builder.isSeated[watch.rule] {
      builder.watches[watch.fact].append((watch.rule, watch.test))
    }
    return builder.laidOut()
  }

  // MARK: Gathering

  private mutating func seat() {
    for (number, rule) in image.rules.enumerated() {
      guard let terms = terms(of: rule) else { continue }
      termsOfRule[number] = terms
      isSeated[number] = true
    }
    let groups = (image.rules.count + ThresholdIndex.chunkWidth - 1) / ThresholdIndex.chunkWidth
    for group in 0..<groups {
      let first = group * ThresholdIndex.chunkWidth
      let rules = first..<min(first + ThresholdIndex.chunkWidth, image.rules.count)
      let planes = rules.map { termsOfRule[$0].count }.max() ?? 0
      chunksOfGroup.append(Array(groupOfChunk.count..<(groupOfChunk.count + planes)))
      for _ in 0..<planes { groupOfChunk.append(Int32(group)) }
      for rule in rules {
        for (plane, term) in termsOfRule[rule].enumerated() {
          place(term, in: (chunksOfGroup[group][plane]) * ThresholdIndex.chunkWidth + rule - first)
        }
      }
    }
  }

  private func terms(of rule: ImageRule) -> [[Literal]]? {
    guard rule.trigger == .level, !rule.isInert, !rule.isPerDemand,
      rule.directives.allSatisfy({ image.directives[$0].until.isEmpty })
    else { return nil }
    return ConditionReader.condition(of: rule.code, in: image)?.terms
  }

  private mutating func place(_ term: [Literal], in column: Int) {
    for literal in term {
      let last = parts[literal.source].count - 1
      if last >= 0, parts[literal.source][last].column == column {
        parts[literal.source][last].tests.append(literal.test)
      } else {
        parts[literal.source].append(Part(column: column, tests: [literal.test]))
      }
    }
  }

  // MARK: Laying out

  private func laidOut() -> ThresholdIndex {
    var trackOfSource = ContiguousArray<Int32>(repeating: -1, count: parts.count)
    var scales: [Scale] = []
    var rules: [[(rank: Int, item: Int)]] = []
    var lines: [RowLine] = []
    for source in parts.indices {
      let watched = source < watches.count ? watches[source] : []
      guard !parts[source].isEmpty || !watched.isEmpty else { continue }
      trackOfSource[source] = Int32(scales.count)
      let scale = Scale(parts[source].lazy.flatMap(\.tests) + watched.lazy.map(\.test))
      var line = RowLine(
        track: scales.count, columns: parts[source].lazy.map(\.column), chunkCount: groupOfChunk.count)
      for part in parts[source] {
        line.add(part.column, Self.ranks(of: part.tests, on: scale), rankCount: scale.rankCount)
      }
      rules.append(
        watched.flatMap { watch in Self.steps(of: watch.test, on: scale).map { ($0, watch.rule) } })
      lines.append(line)
      scales.append(scale)
    }
    return joined(trackOfSource, scales, lines, watchers: rules)
  }

  private func joined(
    _ trackOfSource: ContiguousArray<Int32>, _ scales: [Scale], _ lines: [RowLine],
    watchers: [[(rank: Int, item: Int)]]
  ) -> ThresholdIndex {
    let ranks = scales.map(\.rankCount)
    let flips = Flips(ranks: ranks, events: lines.map(\.events))
    let shift = shift(pieceCount: zip(ranks, lines).reduce(0) { $0 + $1.0 * $1.1.chunks.count })
    var rows: ContiguousArray<SIMD8<UInt64>> = []
    var firstRow: ContiguousArray<Int32> = []
    for (line, count) in zip(lines, ranks) {
      firstRow.append(Int32(rows.count))
      line.append(to: &rows, ranks: count, shift: shift, flips)
    }
    var slots = lines.map { _ in [Int]() }
    var firstSlot: ContiguousArray<Int32> = [0]
    var chunkOfSlot: ContiguousArray<Int32> = []
    for chunk in groupOfChunk.indices {
      for line in lines where line.chunks.contains(chunk) {
        slots[line.track].append(chunkOfSlot.count)
        chunkOfSlot.append(Int32(chunk))
      }
      firstSlot.append(Int32(chunkOfSlot.count))
    }
    let moved = lines.map { line in
      line.events.map { (rank: $0.rank, item: slots[line.track][$0.item >> 9] << 9 | $0.item & 511) }
    }
    return ThresholdIndex(
      trackOfSource: trackOfSource, firstCut: starts(scales), cuts: ContiguousArray(scales.flatMap(\.cuts)),
      bitFlips: Flips(ranks: ranks, events: moved), watchFlips: Flips(ranks: ranks, events: watchers),
      rows: rows, firstRow: firstRow, shift: shift, slotsOfTrack: Adjacency(slots), firstSlot: firstSlot,
      chunkOfSlot: chunkOfSlot, used: used(), groupOfChunk: groupOfChunk,
      chunksOfGroup: Adjacency(chunksOfGroup), isSeated: isSeated)
  }

  private static func ranks(of tests: [ValueTest], on scale: Scale) -> [Range<Int>] {
    var ranks = [0..<scale.rankCount]
    for test in tests { ranks = Scale.intersection(ranks, scale.ranks(of: test)) }
    return ranks
  }

  /// The ranks before which a watched test changes its answer; becoming known is one.
  private static func steps(of test: ValueTest, on scale: Scale) -> [Int] {
    [1] + test.cuts.map { scale.rank(of: $0) }
  }

  private func starts(_ scales: [Scale]) -> ContiguousArray<Int32> {
    var starts: ContiguousArray<Int32> = [0]
    for scale in scales { starts.append(starts[starts.count - 1] + Int32(scale.cuts.count)) }
    return starts
  }

  private func shift(pieceCount: Int) -> Int {
    let limit = max(Self.rowBytes, Self.rowBytesPerRule * image.rules.count)
    var shift = 0
    while shift < 16, (pieceCount >> shift) * 64 > limit { shift += 1 }
    return shift
  }

  private func used() -> ContiguousArray<SIMD8<UInt64>> {
    var used = ContiguousArray(repeating: SIMD8<UInt64>.zero, count: groupOfChunk.count)
    for part in parts.joined() { used.set(part.column, true) }
    return used
  }
}
