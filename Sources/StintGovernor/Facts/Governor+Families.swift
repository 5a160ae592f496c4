public import StintModel
public import StintUnits

/// The facts of families, such as `tag.*`. The governor stores the values of all keys. The vocabulary
/// contains only the facts that policies name, so only these have indexes, rules and timers.
extension Governor {
  /// Sets the value of a key.
  mutating func applyKeyed(_ number: Int, _ key: String, _ value: FactValue) {
    guard vocabulary.families.indices.contains(number), FactSchema.isKey(key) else {
      effects.append(.refused("\(number) and “\(key)” are not a family of facts and a key"))
      return
    }
    let family = vocabulary.families[number]
    if let rejectionReason = family.keyed(key).rejectionReason(for: value) {
      effects.append(.refused(rejectionReason))
      return
    }
    guard keys[number].set(key, value, of: family, at: now) else {
      effects.append(.refused(family.refusal(ofKey: key)))
      return
    }
    if let fact = vocabulary.fact(family.path(ofKey: key)) { applyFact(fact, value) }
  }

  /// Gives the facts that new policies name the values that their keys already have. A value that was saved
  /// before a restart makes its key known.
  mutating func matchKeys() {
    for fact in vocabulary.keyed {
      guard let (number, key) = vocabulary.family(of: vocabulary.facts[fact].path) else { continue }
      let value = factStore.table.value(fact)
      if value != .unknown, keys[number][key] == nil {
        _ = keys[number].set(
          key, value, of: vocabulary.families[number], at: factStore.table.instant(fact))
      } else if value == .unknown, let entry = keys[number][key] {
        factStore.set(fact, entry.value, at: entry.instant)
      }
    }
  }

  /// The known facts of families that no policy names, by family and key.
  public var unnamedFacts: [(schema: FactSchema, value: FactValue, instant: Instant)] {
    zip(vocabulary.families, keys).flatMap { family, keys in
      keys.entries.compactMap { entry in
        let schema = family.keyed(entry.key)
        guard vocabulary.fact(schema.path) == nil else { return nil }
        let isCurrent = family.maxAge.map { now - entry.instant <= $0 } ?? true
        return isCurrent ? (schema, entry.value, entry.instant) : nil
      }
    }
  }
}
