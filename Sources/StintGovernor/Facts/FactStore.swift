import StintModel
import StintUnits

/// Stores the value of every fact, with the bounds and rate limits of published facts.
struct FactStore: Sendable {
  private(set) var table: FactTable
  /// The next instant at which a stored early value may be set; the distant future when no value waits.
  private(set) var nextTimer = Instant.distantFuture
  /// For each published fact: the bounds from its schema.
  private var bounds: ContiguousArray<FactBounds>
  /// The rate limits. `limitIndex` contains the index of the limit of each published fact; -1 without a
  /// limit.
  private var limits: [FactRateLimit] = []
  private var limitIndex: [Int]
  /// For each fact: the instant at which it last lost its value; nil when it never lost a value. The array
  /// never grows, because a step must not allocate memory.
  private var ends: ContiguousArray<Instant?>

  /// Creates a store in which every fact is unknown.
  init(_ vocabulary: Vocabulary, at now: Instant) {
    table = FactTable(count: vocabulary.facts.count)
    ends = ContiguousArray(repeating: nil, count: vocabulary.facts.count)
    bounds = []
    limitIndex = []
    addBounds(vocabulary, at: now)
  }

  /// Adds the bounds and rate limits of the published facts that follow the known ones.
  private mutating func addBounds(_ vocabulary: Vocabulary, at now: Instant) {
    for fact in bounds.count..<vocabulary.firstComputed {
      bounds.append(FactBounds(vocabulary.facts[fact]))
      guard let limit = FactRateLimit(fact, vocabulary.facts[fact], at: now) else {
        limitIndex.append(-1)
        continue
      }
      limitIndex.append(limits.count)
      limits.append(limit)
    }
  }

  // MARK: Values

  /// Returns the reason to reject a value of a published fact; nil when the value is valid.
  func rejectionReason(for value: FactValue, of fact: Int, in vocabulary: Vocabulary) -> String? {
    bounds[fact].admits(value) ? nil : vocabulary.facts[fact].rejectionReason(for: value)
  }

  /// Returns whether a published value may be set now. Otherwise the value is stored until its rate limit
  /// permits it or a newer value replaces it.
  mutating func admits(_ fact: Int, _ value: FactValue, at now: Instant) -> Bool {
    guard fact < limitIndex.count, limitIndex[fact] >= 0 else { return true }
    let limit = limitIndex[fact]
    if limits[limit].admits(value, at: now) { return true }
    if let waiting = limits[limit].waiting { nextTimer = min(nextTimer, waiting.until) }
    return false
  }

  /// Removes and returns the stored values that may be set now, in the order of the vocabulary.
  mutating func released(at now: Instant) -> [(fact: Int, value: FactValue)] {
    guard nextTimer <= now else { return [] }
    var released: [(fact: Int, value: FactValue)] = []
    nextTimer = .distantFuture
    for limit in limits.indices {
      if let value = limits[limit].release(at: now) { released.append((limits[limit].fact, value)) }
      if let waiting = limits[limit].waiting { nextTimer = min(nextTimer, waiting.until) }
    }
    return released
  }

  /// Sets a valid value that its rate limit permits.
  mutating func set(_ fact: Int, _ value: FactValue, at now: Instant) {
    if value == .unknown, table.value(fact) != .unknown { ends[fact] = now }
    table.set(fact, value, at: now)
  }

  /// Returns the instant at which a fact lost its value. Nil for a known fact, and for a fact that was never
  /// known. A published value that is older than its maximum age is still stored, so it is not lost.
  func end(of fact: Int) -> Instant? { table.value(fact) == .unknown ? ends[fact] : nil }

  // MARK: Reload and restart

  /// Changes to another vocabulary with the same published facts, other facts of families and other computed
  /// facts.
  ///
  /// A fact of a family that both vocabularies contain keeps its value. A computed fact keeps its value under
  /// its new name. A new fact is unknown; a new state machine is in its initial state.
  mutating func migrate(
    from former: Vocabulary, to vocabulary: Vocabulary, _ names: RenameMap, at now: Instant
  ) {
    let (kept, keptEnds) = (table, ends)
    table = FactTable(count: vocabulary.facts.count)
    ends = ContiguousArray(repeating: nil, count: vocabulary.facts.count)
    for fact in 0..<vocabulary.keyed.lowerBound {
      table.set(fact, kept.value(fact), at: kept.instant(fact))
      ends[fact] = keptEnds[fact]
    }
    migrateKeyed(from: former, to: vocabulary, kept, keptEnds, at: now)
    for (place, computed) in vocabulary.computed.enumerated() {
      let fact = vocabulary.firstComputed + place
      table.set(fact, .unknown, at: now)
      if let old = former.fact(names.path(before: computed.schema.path)),
        old >= former.firstComputed
      {
        table.set(fact, kept.value(old), at: kept.instant(old))
        ends[fact] = keptEnds[old]
        migrateState(of: fact, former.facts[old], computed.schema)
      }
      if case .machine(let initial) = computed.source, table.value(fact) == .unknown {
        table.set(fact, .symbol(initial), at: now)
      }
    }
  }

  /// Moves the values of facts of families to their new indexes. A value that waits for a rate limit is not
  /// moved: `FactKeys` contains it.
  private mutating func migrateKeyed(
    from former: Vocabulary, to vocabulary: Vocabulary, _ kept: FactTable,
    _ keptEnds: ContiguousArray<Instant?>, at now: Instant
  ) {
    guard !former.keyed.isEmpty || !vocabulary.keyed.isEmpty else { return }
    limits.removeAll { $0.fact >= vocabulary.keyed.lowerBound }
    limitIndex.removeLast(limitIndex.count - vocabulary.keyed.lowerBound)
    bounds.removeLast(bounds.count - vocabulary.keyed.lowerBound)
    addBounds(vocabulary, at: now)
    for fact in vocabulary.keyed {
      guard let old = former.fact(vocabulary.facts[fact].path) else { continue }
      table.set(fact, kept.value(old), at: kept.instant(old))
      ends[fact] = keptEnds[old]
    }
  }

  /// Converts a symbol by name when its index changed. A symbol that no longer exists becomes unknown.
  private mutating func migrateState(of fact: Int, _ old: FactSchema, _ new: FactSchema) {
    guard case .symbol(let before) = old.type, case .symbol(let after) = new.type, before != after,
      case .symbol(let index) = table.value(fact), before.indices.contains(index)
    else { return }
    table.set(
      fact, after.firstIndex(of: before[index]).map(FactValue.symbol) ?? .unknown,
      at: table.instant(fact))
  }

  /// Returns the known published facts by name.
  func memory(in vocabulary: Vocabulary) -> [GovernorMemory.Fact] {
    (0..<vocabulary.firstComputed).filter { table.value($0) != .unknown }.map {
      .init(path: vocabulary.facts[$0].path, value: table.value($0), instant: table.instant($0))
    }
  }

  /// Restores values from before a restart, for facts that are still unknown.
  mutating func restore(_ memory: [GovernorMemory.Fact], in vocabulary: Vocabulary, at now: Instant) {
    for entry in memory {
      guard let fact = vocabulary.fact(entry.path), fact < vocabulary.firstComputed,
        table.value(fact) == .unknown, vocabulary.facts[fact].rejectionReason(for: entry.value) == nil
      else { continue }
      table.set(fact, entry.value, at: min(entry.instant, now))
    }
  }
}
