/// The state of the indexed rules: which of them are active, and the present rank of each track.
/// `ThresholdIndex` explains the parts of the index.
struct IndexedRuleState: Sendable {
  /// The present rank of each track.
  private(set) var ranks: ContiguousArray<Int32>
  /// For each slot of `ThresholdIndex.slotsOfTrack`: its present bits.
  private var rows: ContiguousArray<UInt64>
  /// For each chunk of columns: the terms that were true at the last evaluation.
  private var terms: ContiguousArray<UInt64>
  /// For each chunk of rules: the rules that were active at the last evaluation.
  private var held: ContiguousArray<UInt64>
  /// For each chunk of rules: the rules that were active in the last report.
  private var announced: ContiguousArray<UInt64>
  /// For each chunk of rules: scratch space for an evaluation.
  private var fresh: ContiguousArray<UInt64>
  /// The chunks of columns in which a slot changed. When `isAllTouched` is true, all chunks are evaluated.
  private var touched: BitSet
  private var isAllTouched = true
  /// The chunks of rules that may contain unreported changes.
  private var moved: BitSet

  /// Creates a state in which the value of every track is unknown and no rule has been evaluated yet.
  init(_ index: ThresholdIndex) {
    ranks = ContiguousArray(repeating: 0, count: index.trackCount)
    rows = ContiguousArray(repeating: 0, count: index.chunkOfSlot.count)
    terms = ContiguousArray(repeating: 0, count: index.chunkCount)
    held = ContiguousArray(repeating: 0, count: index.groupCount)
    announced = held
    fresh = held
    touched = BitSet(count: index.chunkCount)
    moved = BitSet(count: index.groupCount)
    isAllTouched = index.chunkCount > 0
    for track in 0..<index.trackCount { load(0, track, index) }
  }

  var isPending: Bool { isAllTouched || !touched.isEmpty }
  var hasChanges: Bool { !moved.isEmpty }

  // MARK: Sources

  /// Sets the rank of a track and updates the bits that differ between the old and the new rank.
  @inline(__always)
  mutating func move(_ track: Int, to rank: Int, _ index: ThresholdIndex) {
    let before = Int(ranks[track])
    ranks[track] = Int32(rank)
    let flips = index.bitTransitions.between(before, and: rank, of: track)
    guard !flips.isEmpty else { return }
    if flips.count <= index.maxSingleTransitions {
      for flip in flips {
        let bit = index.bitTransitions[flip]
        toggle(bit)
        touched.insert(Int(index.chunkOfSlot[bit >> 6]))
      }
    } else {
      isAllTouched = true
      load(rank, track, index)
    }
  }

  @inline(__always)
  private mutating func toggle(_ bit: Int) {
    rows[bit >> 6] ^= 1 << UInt64(bit & 63)
  }

  /// Loads the bits of a rank into all slots of a track.
  private mutating func load(_ rank: Int, _ track: Int, _ index: ThresholdIndex) {
    let slots = index.slotsOfTrack.range(of: track)
    let shift = Int(index.shifts[track])
    var from = Int(index.firstRow[track]) + (rank >> shift) * slots.count
    for item in slots {
      rows[index.slotsOfTrack[item]] = index.rows[from]
      from += 1
    }
    guard shift > 0 else { return }
    for flip in index.bitTransitions.between((rank >> shift) << shift, and: rank, of: track) {
      toggle(index.bitTransitions[flip])
    }
  }

  // MARK: Rules

  /// Evaluates the indexed rules whose bits have changed.
  @inline(__always)
  mutating func evaluate(_ index: ThresholdIndex) {
    if isAllTouched {
      for chunk in index.used.indices { terms[chunk] = term(chunk, index) }
      evaluateAll(index)
      isAllTouched = false
    } else {
      var next = 0
      while let chunk = touched.first(from: next) {
        next = chunk + 1
        evaluateTerms(chunk, index)
      }
    }
    touched.removeAll()
  }

  @inline(__always)
  private func term(_ chunk: Int, _ index: ThresholdIndex) -> UInt64 {
    var term = index.used[chunk]
    for slot in Int(index.firstSlot[chunk])..<Int(index.firstSlot[chunk + 1]) { term &= rows[slot] }
    return term
  }

  private mutating func evaluateAll(_ index: ThresholdIndex) {
    for word in held.indices { fresh[word] = terms[word] }
    for word in held.count..<terms.count {
      var marks = terms[word]
      let first = (word - held.count) << 6
      while marks != 0 {
        let rule = Int(index.ruleOfOverflow[first + marks.trailingZeroBitCount])
        fresh[rule >> 6] |= 1 << UInt64(rule & 63)
        marks &= marks - 1
      }
    }
    for word in held.indices where fresh[word] != held[word] {
      held[word] = fresh[word]
      moved.insert(word)
    }
  }

  private mutating func evaluateTerms(_ chunk: Int, _ index: ThresholdIndex) {
    let term = term(chunk, index)
    var change = terms[chunk] ^ term
    guard change != 0 else { return }
    terms[chunk] = term
    let first = (chunk - held.count) << 6
    if first < 0 { return evaluateRules(chunk, index) }
    // Adjacent overflow columns often belong to one chunk of rules, which is then evaluated only once.
    var last = -1
    while change != 0 {
      let rules = Int(index.ruleOfOverflow[first + change.trailingZeroBitCount]) >> 6
      change &= change - 1
      if rules != last { evaluateRules(rules, index) }
      last = rules
    }
  }

  private mutating func evaluateRules(_ chunk: Int, _ index: ThresholdIndex) {
    let now = terms[chunk] | overflowRules(chunk, index)
    guard held[chunk] != now else { return }
    held[chunk] = now
    moved.insert(chunk)
  }

  /// Returns the rules of a chunk for which an overflow term is true.
  @inline(__always)
  private func overflowRules(_ chunk: Int, _ index: ThresholdIndex) -> UInt64 {
    var column = Int(index.firstOverflow[chunk])
    let end = Int(index.firstOverflow[chunk + 1])
    var rules: UInt64 = 0
    while column < end {
      let next = min(end, (column | 63) + 1)
      var marks = terms[held.count + column >> 6] >> UInt64(column & 63)
      if next - column < 64 { marks &= 1 << UInt64(next - column) - 1 }
      while marks != 0 {
        rules |= 1 << UInt64(index.ruleOfOverflow[column + marks.trailingZeroBitCount] & 63)
        marks &= marks - 1
      }
      column = next
    }
    return rules
  }

  func isActive(_ rule: Int) -> Bool { held[rule >> 6] & (1 << UInt64(rule & 63)) != 0 }

  /// Returns the first rule at or after `rule` that is active; nil when none exists.
  @inline(__always)
  func firstHeld(from rule: Int) -> Int? {
    var index = rule >> 6
    guard index < held.count else { return nil }
    var word = held[index] & (~0 << UInt64(rule & 63))
    while word == 0 {
      index += 1
      guard index < held.count else { return nil }
      word = held[index]
    }
    return (index << 6) + word.trailingZeroBitCount
  }

  /// Adds to `changed` all rules whose state differs from the last report, and marks the present state as
  /// reported.
  mutating func collectChanges(into changed: inout BitSet) {
    var next = 0
    while let index = moved.first(from: next) {
      next = index + 1
      let change = held[index] ^ announced[index]
      if change != 0 { changed.insert(change, inWord: index) }
    }
    next = 0
    while let index = moved.first(from: next) {
      next = index + 1
      announced[index] = held[index]
    }
    moved.removeAll()
  }

  /// Sets the state of a rule from another VM or from a saved state.
  mutating func restore(_ rule: Int, isActive: Bool, isAnnounced: Bool) {
    let bit: UInt64 = 1 << UInt64(rule & 63)
    held[rule >> 6] = isActive ? held[rule >> 6] | bit : held[rule >> 6] & ~bit
    announced[rule >> 6] = isAnnounced ? announced[rule >> 6] | bit : announced[rule >> 6] & ~bit
    moved.insert(rule >> 6)
  }
}
