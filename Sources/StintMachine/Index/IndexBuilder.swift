/// Builds the threshold index of an image from the conditions of its rules.
struct IndexBuilder {
  /// The tests in one term of a rule that concern one source.
  private struct Part {
    var column: Int
    var tests: [ValueTest]
  }

  private let image: Image
  private var isIndexed: ContiguousArray<Bool>
  /// The rule of each overflow column. `firstOverflow` gives the first overflow column of each chunk of
  /// rules.
  private var ruleOfOverflow: ContiguousArray<Int32> = []
  private var firstOverflow: ContiguousArray<Int32> = [0]
  /// For each source: the parts of terms that test the source.
  private var parts: [[Part]]
  /// For each fact: the tests of the fact that are watched by unindexed rules.
  private var watches: [[(rule: Int, test: ValueTest)]]

  /// The memory limit for rows: a number of bytes per rule, but at least 128 KiB in total. Above the limit,
  /// only every 2ⁿth rank has a stored row; `shifts` returns n.
  private static let rowBytesPerRule = 128
  private static let rowBytes = 1 << 17

  private init(_ image: Image) {
    self.image = image
    isIndexed = ContiguousArray(repeating: false, count: image.rules.count)
    parts = Array(repeating: [], count: image.facts.count + image.devices.count)
    watches = Array(repeating: [], count: image.facts.count)
  }

  static func index(of image: Image, watches: [RuleWatch]) -> ThresholdIndex {
    var builder = IndexBuilder(image)
    builder.indexRules()
    for watch in watches where !builder.isIndexed[watch.rule] {
      builder.watches[watch.fact].append((watch.rule, watch.test))
    }
    return builder.makeIndex()
  }

  // MARK: Gathering

  /// Assigns columns to terms. The first term of a rule has the rule's index as column. The other terms of
  /// the rule have overflow columns. The overflow columns follow after the columns of all first terms, in the
  /// order of the rules.
  private mutating func indexRules() {
    let width = ThresholdIndex.chunkWidth
    let overflowStart = (image.rules.count + width - 1) / width * width
    for (number, rule) in image.rules.enumerated() {
      if number > 0, number % width == 0 { firstOverflow.append(Int32(ruleOfOverflow.count)) }
      guard let terms = terms(of: rule) else { continue }
      isIndexed[number] = true
      for (place, term) in terms.enumerated() {
        if place == 0 {
          self.place(term, in: number)
        } else {
          self.place(term, in: overflowStart + ruleOfOverflow.count)
          ruleOfOverflow.append(Int32(number))
        }
      }
    }
    while firstOverflow.count <= overflowStart / width { firstOverflow.append(Int32(ruleOfOverflow.count)) }
  }

  private var chunkCount: Int {
    let width = ThresholdIndex.chunkWidth
    return (image.rules.count + width - 1) / width + (ruleOfOverflow.count + width - 1) / width
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

  // MARK: Building the tables

  private func makeIndex() -> ThresholdIndex {
    var trackOfSource = ContiguousArray<Int32>(repeating: -1, count: parts.count)
    var scales: [Scale] = []
    var watchers: [[(rank: Int, item: Int)]] = []
    var builders: [BitRowBuilder] = []
    for source in parts.indices {
      let watched = source < watches.count ? watches[source] : []
      guard !parts[source].isEmpty || !watched.isEmpty else { continue }
      trackOfSource[source] = Int32(scales.count)
      let scale = Scale(parts[source].lazy.flatMap(\.tests) + watched.lazy.map(\.test))
      var rowBuilder = BitRowBuilder(
        track: scales.count, columns: parts[source].lazy.map(\.column), chunkCount: chunkCount)
      for part in parts[source] {
        rowBuilder.add(part.column, Self.ranks(of: part.tests, on: scale), rankCount: scale.rankCount)
      }
      watchers.append(
        watched.flatMap { watch in Self.steps(of: watch.test, on: scale).map { ($0, watch.rule) } })
      builders.append(rowBuilder)
      scales.append(scale)
    }
    return assembleIndex(trackOfSource, scales, builders, watchers: watchers)
  }

  private func assembleIndex(
    _ trackOfSource: ContiguousArray<Int32>, _ scales: [Scale], _ builders: [BitRowBuilder],
    watchers: [[(rank: Int, item: Int)]]
  ) -> ThresholdIndex {
    let ranks = scales.map(\.rankCount)
    let flips = TransitionTable(ranks: ranks, events: builders.map(\.events))
    let shifts = shifts(ranks, builders)
    var rows: ContiguousArray<UInt64> = []
    var firstRow: ContiguousArray<Int32> = []
    for (rowBuilder, count) in zip(builders, ranks) {
      firstRow.append(Int32(rows.count))
      rowBuilder.append(to: &rows, ranks: count, shift: shifts[rowBuilder.track], flips)
    }
    var slots = builders.map { _ in [Int]() }
    var firstSlot: ContiguousArray<Int32> = [0]
    var chunkOfSlot: ContiguousArray<Int32> = []
    for chunk in 0..<chunkCount {
      for rowBuilder in builders where rowBuilder.chunks.contains(chunk) {
        slots[rowBuilder.track].append(chunkOfSlot.count)
        chunkOfSlot.append(Int32(chunk))
      }
      firstSlot.append(Int32(chunkOfSlot.count))
    }
    let slotEvents = builders.map { rowBuilder in
      rowBuilder.events.map {
        (rank: $0.rank, item: slots[rowBuilder.track][$0.item >> 6] << 6 | $0.item & 63)
      }
    }
    return ThresholdIndex(
      trackOfSource: trackOfSource, firstCut: starts(scales), cuts: ContiguousArray(scales.flatMap(\.cuts)),
      bitTransitions: TransitionTable(ranks: ranks, events: slotEvents),
      watchTransitions: TransitionTable(ranks: ranks, events: watchers),
      rows: rows, firstRow: firstRow, shifts: ContiguousArray(shifts.map { Int32($0) }),
      slotsOfTrack: Adjacency(slots), firstSlot: firstSlot,
      chunkOfSlot: chunkOfSlot, used: used(), ruleOfOverflow: ruleOfOverflow,
      firstOverflow: firstOverflow, isIndexed: isIndexed)
  }

  private static func ranks(of tests: [ValueTest], on scale: Scale) -> [Range<Int>] {
    var ranks = [0..<scale.rankCount]
    for test in tests { ranks = Scale.intersection(ranks, scale.ranks(of: test)) }
    return ranks
  }

  /// Returns the ranks at which the result of a watched test changes. Rank 1, where the fact becomes known,
  /// is always one of them.
  private static func steps(of test: ValueTest, on scale: Scale) -> [Int] {
    [1] + test.cuts.map { scale.rank(of: $0) }
  }

  private func starts(_ scales: [Scale]) -> ContiguousArray<Int32> {
    var starts: ContiguousArray<Int32> = [0]
    for scale in scales { starts.append(starts[starts.count - 1] + Int32(scale.cuts.count)) }
    return starts
  }

  /// Returns, for each track, the base-2 logarithm of the distance between stored rows.
  ///
  /// The distances are chosen so that the number of flips between two stored rows is similar on all tracks.
  /// For example, a fact with two values, each of which flips half of the bits, has a stored row for each
  /// rank.
  private func shifts(_ ranks: [Int], _ builders: [BitRowBuilder]) -> [Int] {
    let limit = max(Self.rowBytes, Self.rowBytesPerRule * image.rules.count)
    var shifts = builders.map { _ in 0 }
    var flips = 1
    while flips < 1 << 16 {
      let pieces = builders.indices.reduce(0) {
        $0 + ((ranks[$1] >> shifts[$1]) + 1) * builders[$1].chunks.count
      }
      if pieces * 8 <= limit { break }
      flips *= 2
      for track in builders.indices {
        let events = builders[track].events.count
        while shifts[track] < 16, events << (shifts[track] + 1) <= flips * ranks[track] { shifts[track] += 1 }
      }
    }
    return shifts
  }

  private func used() -> ContiguousArray<UInt64> {
    var used = ContiguousArray(repeating: UInt64(0), count: chunkCount)
    for part in parts.joined() { used[part.column >> 6] |= 1 << UInt64(part.column & 63) }
    return used
  }
}
