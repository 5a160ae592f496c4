/// Gathers what the rules of an image ask, and lays it into an index.
struct IndexBuilder {
  /// A rule's term, or the part of it that concerns one source.
  private struct Part {
    var column: Int
    var tests: [ValueTest]
  }

  private let image: Image
  private var isIndexed: ContiguousArray<Bool>
  /// By further column: its rule; by chunk of rules: where its further columns begin.
  private var ruleOfOverflow: ContiguousArray<Int32> = []
  private var firstOverflow: ContiguousArray<Int32> = [0]
  /// By source: the parts of terms that test it, and the tests that other rules watch.
  private var parts: [[Part]]
  private var watches: [[(rule: Int, test: ValueTest)]]

  /// Rows are kept for each so manyth rank when all would take more than this for each rule, and an eighth of a
  /// megabyte.
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
    return builder.laidOut()
  }

  // MARK: Gathering

  /// A rule's first term has the column of the rule's number; all further ones stand behind, in the order of rules.
  private mutating func indexRules() {
    let width = ThresholdIndex.chunkWidth
    let behind = (image.rules.count + width - 1) / width * width
    for (number, rule) in image.rules.enumerated() {
      if number > 0, number % width == 0 { firstOverflow.append(Int32(ruleOfOverflow.count)) }
      guard let terms = terms(of: rule) else { continue }
      isIndexed[number] = true
      for (place, term) in terms.enumerated() {
        if place == 0 {
          self.place(term, in: number)
        } else {
          self.place(term, in: behind + ruleOfOverflow.count)
          ruleOfOverflow.append(Int32(number))
        }
      }
    }
    while firstOverflow.count <= behind / width { firstOverflow.append(Int32(ruleOfOverflow.count)) }
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

  // MARK: Laying out

  private func laidOut() -> ThresholdIndex {
    var trackOfSource = ContiguousArray<Int32>(repeating: -1, count: parts.count)
    var scales: [Scale] = []
    var rules: [[(rank: Int, item: Int)]] = []
    var lines: [BitRowBuilder] = []
    for source in parts.indices {
      let watched = source < watches.count ? watches[source] : []
      guard !parts[source].isEmpty || !watched.isEmpty else { continue }
      trackOfSource[source] = Int32(scales.count)
      let scale = Scale(parts[source].lazy.flatMap(\.tests) + watched.lazy.map(\.test))
      var line = BitRowBuilder(
        track: scales.count, columns: parts[source].lazy.map(\.column), chunkCount: chunkCount)
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
    _ trackOfSource: ContiguousArray<Int32>, _ scales: [Scale], _ lines: [BitRowBuilder],
    watchers: [[(rank: Int, item: Int)]]
  ) -> ThresholdIndex {
    let ranks = scales.map(\.rankCount)
    let flips = TransitionTable(ranks: ranks, events: lines.map(\.events))
    let shifts = shifts(ranks, lines)
    var rows: ContiguousArray<UInt64> = []
    var firstRow: ContiguousArray<Int32> = []
    for (line, count) in zip(lines, ranks) {
      firstRow.append(Int32(rows.count))
      line.append(to: &rows, ranks: count, shift: shifts[line.track], flips)
    }
    var slots = lines.map { _ in [Int]() }
    var firstSlot: ContiguousArray<Int32> = [0]
    var chunkOfSlot: ContiguousArray<Int32> = []
    for chunk in 0..<chunkCount {
      for line in lines where line.chunks.contains(chunk) {
        slots[line.track].append(chunkOfSlot.count)
        chunkOfSlot.append(Int32(chunk))
      }
      firstSlot.append(Int32(chunkOfSlot.count))
    }
    let moved = lines.map { line in
      line.events.map { (rank: $0.rank, item: slots[line.track][$0.item >> 6] << 6 | $0.item & 63) }
    }
    return ThresholdIndex(
      trackOfSource: trackOfSource, firstCut: starts(scales), cuts: ContiguousArray(scales.flatMap(\.cuts)),
      bitTransitions: TransitionTable(ranks: ranks, events: moved),
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

  /// The ranks before which a watched test changes its answer; becoming known is one.
  private static func steps(of test: ValueTest, on scale: Scale) -> [Int] {
    [1] + test.cuts.map { scale.rank(of: $0) }
  }

  private func starts(_ scales: [Scale]) -> ContiguousArray<Int32> {
    var starts: ContiguousArray<Int32> = [0]
    for scale in scales { starts.append(starts[starts.count - 1] + Int32(scale.cuts.count)) }
    return starts
  }

  /// By track: how many ranks a row stands for. Between two rows there are about as many flips everywhere: a fact with
  /// two values, of which each turns half of the bits, has a row for each rank.
  private func shifts(_ ranks: [Int], _ lines: [BitRowBuilder]) -> [Int] {
    let limit = max(Self.rowBytes, Self.rowBytesPerRule * image.rules.count)
    var shifts = lines.map { _ in 0 }
    var flips = 1
    while flips < 1 << 16 {
      let pieces = lines.indices.reduce(0) { $0 + ((ranks[$1] >> shifts[$1]) + 1) * lines[$1].chunks.count }
      if pieces * 8 <= limit { break }
      flips *= 2
      for track in lines.indices {
        let events = lines[track].events.count
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
