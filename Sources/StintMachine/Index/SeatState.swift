/// Which seated rules hold, and the ranks that say so.
struct SeatState: Sendable {
  /// By track.
  private(set) var ranks: ContiguousArray<Int32>
  /// By slot.
  private var rows: ContiguousArray<SIMD8<UInt64>>
  /// By word of a chunk: all bits of it.
  private let words: ContiguousArray<SIMD8<UInt64>>
  /// By chunk: terms that are true, as last worked out.
  private var terms: ContiguousArray<SIMD8<UInt64>>
  /// By rule: whether it holds, as last worked out, and as last told.
  private var held: ContiguousArray<SIMD8<UInt64>>
  private var announced: ContiguousArray<SIMD8<UInt64>>
  /// Words of columns of which a row has changed; or so many that all are worked out.
  private var touched: MarkSet
  private var isAllTouched = true
  /// Words of rules of which some may have to be told.
  private var moved: MarkSet

  /// Every source is unknown, and nothing has been worked out.
  init(_ index: ThresholdIndex) {
    ranks = ContiguousArray(repeating: 0, count: index.trackCount)
    rows = ContiguousArray(repeating: .zero, count: index.chunkOfSlot.count)
    words = ContiguousArray(
      (0..<8).map { lane in
        var word = SIMD8<UInt64>.zero
        word[lane] = .max
        return word
      })
    terms = ContiguousArray(repeating: .zero, count: index.chunkCount)
    held = ContiguousArray(repeating: .zero, count: index.groupCount)
    announced = held
    touched = MarkSet(count: 8 * index.chunkCount)
    moved = MarkSet(count: 8 * index.groupCount)
    isAllTouched = index.chunkCount > 0
    for track in 0..<index.trackCount { load(0, track, index) }
  }

  var isPending: Bool { isAllTouched || !touched.isEmpty }
  var mustTell: Bool { !moved.isEmpty }

  // MARK: Sources

  /// Moves a track to another rank.
  @inline(__always)
  mutating func move(_ track: Int, to rank: Int, _ index: ThresholdIndex) {
    let before = Int(ranks[track])
    ranks[track] = Int32(rank)
    let flips = index.bitFlips.between(before, and: rank, of: track)
    guard !flips.isEmpty else { return }
    if flips.count <= index.fewFlips {
      for flip in flips {
        let bit = index.bitFlips[flip]
        toggle(bit)
        touched.insert(8 * Int(index.chunkOfSlot[bit >> 9]) + (bit >> 6) & 7)
      }
    } else {
      isAllTouched = true
      load(rank, track, index)
    }
  }

  @inline(__always)
  private mutating func toggle(_ bit: Int) {
    rows[bit >> 9] ^= words[(bit >> 6) & 7] & SIMD8(repeating: 1 << UInt64(bit & 63))
  }

  private mutating func load(_ rank: Int, _ track: Int, _ index: ThresholdIndex) {
    let slots = index.slotsOfTrack.range(of: track)
    var from = Int(index.firstRow[track]) + (rank >> index.shift) * slots.count
    for item in slots {
      rows[index.slotsOfTrack[item]] = index.rows[from]
      from += 1
    }
    guard index.shift > 0 else { return }
    for flip in index.bitFlips.between((rank >> index.shift) << index.shift, and: rank, of: track) {
      toggle(index.bitFlips[flip])
    }
  }

  // MARK: Rules

  /// Works out which rules hold now.
  @inline(__always)
  mutating func workOut(_ index: ThresholdIndex) {
    if isAllTouched {
      for group in held.indices { workOut(group: group, index) }
      isAllTouched = false
    } else {
      var next = 0
      while let word = touched.first(from: next) {
        next = word + 1
        workOut(word: word, index)
      }
    }
    touched.removeAll()
  }

  private mutating func workOut(group: Int, _ index: ThresholdIndex) {
    var now = SIMD8<UInt64>.zero
    for place in index.chunksOfGroup.range(of: group) {
      let chunk = index.chunksOfGroup[place]
      var term = index.used[chunk]
      for slot in Int(index.firstSlot[chunk])..<Int(index.firstSlot[chunk + 1]) { term &= rows[slot] }
      terms[chunk] = term
      now |= term
    }
    let change = now ^ held[group]
    guard change != .zero else { return }
    held[group] = now
    for lane in 0..<8 where change[lane] != 0 { moved.insert(8 * group + lane) }
  }

  private mutating func workOut(word: Int, _ index: ThresholdIndex) {
    let chunk = word >> 3
    let lane = word & 7
    var term = index.used[chunk][lane]
    for slot in Int(index.firstSlot[chunk])..<Int(index.firstSlot[chunk + 1]) { term &= rows[slot][lane] }
    guard terms[chunk][lane] != term else { return }
    terms[chunk][lane] = term
    let group = Int(index.groupOfChunk[chunk])
    var now: UInt64 = 0
    for place in index.chunksOfGroup.range(of: group) { now |= terms[index.chunksOfGroup[place]][lane] }
    guard held[group][lane] != now else { return }
    held[group][lane] = now
    moved.insert(8 * group + lane)
  }

  func isHeld(_ rule: Int) -> Bool { held.contains(rule) }

  /// The first rule from `rule` on that holds; nil when none does.
  @inline(__always)
  func firstHeld(from rule: Int) -> Int? {
    var index = rule >> 6
    guard index < 8 * held.count else { return nil }
    var word = held.word(index) & (~0 << UInt64(rule & 63))
    while word == 0 {
      index += 1
      guard index < 8 * held.count else { return nil }
      word = held.word(index)
    }
    return (index << 6) + word.trailingZeroBitCount
  }

  /// Marks the rules that hold now and did not when last told, or the other way round.
  mutating func tell(into changed: inout MarkSet) {
    var next = 0
    while let index = moved.first(from: next) {
      next = index + 1
      let change = held.word(index) ^ announced.word(index)
      if change != 0 { changed.insert(change, inWord: index) }
    }
    next = 0
    while let index = moved.first(from: next) {
      next = index + 1
      announced[index >> 3][index & 7] = held[index >> 3][index & 7]
    }
    moved.removeAll()
  }

  /// Takes over what another machine said of the rule.
  mutating func adopt(_ rule: Int, isHeld: Bool, isAnnounced: Bool) {
    held.set(rule, isHeld)
    announced.set(rule, isAnnounced)
    moved.insert(rule >> 6)
  }
}
