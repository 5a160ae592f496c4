extension Manifest {
  /// Returns the errors of families of facts, such as `tag.*`.
  func familyFaults() -> [ManifestFault] {
    facts.indices.compactMap { index in
      let (fact, place) = (facts[index], "facts[\(index)]")
      guard let keys = fact.keys else {
        guard fact.path.hasSuffix(FactSchema.familySuffix) else { return nil }
        return ManifestFault(
          path: place, sentence: "“\(fact.path)” is a family of facts, and has no number of “keys”")
      }
      if !fact.path.hasSuffix(FactSchema.familySuffix) {
        return ManifestFault(
          path: "\(place).keys", sentence: "only a family of facts, such as “tag.*”, has “keys”")
      }
      if !(1...InputBounds.keys).contains(keys) {
        return ManifestFault(
          path: "\(place).keys",
          sentence: "“\(fact.path)” has \(keys) keys; 1 to \(InputBounds.keys) are allowed")
      }
      if fact.reading != nil {
        return ManifestFault(path: "\(place).read", sentence: "a family of facts cannot be read on request")
      }
      guard let other = facts.first(where: { !$0.isFamily && fact.declares($0.path) }) else { return nil }
      return ManifestFault(
        path: "\(place).name",
        sentence: "“\(other.path)” is a fact of its own and of the family “\(fact.path)”")
    }
  }
}
