public import StintModel
public import StintUnits

/// Publishes facts of families, such as `tag.*`, whose keys are known only when the plugin publishes them.
extension DevicePort {
  /// Publishes the fact of a family with this key. The value unknown withdraws the key, so that another key
  /// can take its place.
  ///
  /// While the family has as many keys as its manifest declares, a further key is dropped and counted, like a
  /// number outside the manifest's range. A word that cannot be a key becomes a fault.
  ///
  /// - Parameters:
  ///   - family: the handle of the family, from `handle("tag.*")`.
  ///   - key: 1 to 64 ASCII letters, digits and underscores.
  ///   - value: the new value of the key; unknown withdraws the key.
  ///   - instant: the instant of the value.
  public func publish(_ family: FactHandle, key: String, _ value: FactValue, at instant: Instant) {
    guard manifest.facts.indices.contains(family.index), manifest.facts[family.index].isFamily else {
      return fault("published a family of facts that its manifest does not declare", at: instant)
    }
    let schema = manifest.facts[family.index]
    guard FactSchema.isKey(key) else {
      return fault("published an invalid key of “\(schema.path)”", at: instant)
    }
    let fact = schema.keyed(key)
    if let rejectionReason = fact.rejectionReason(for: value) {
      if fact.isOutOfRange(value) {
        if checksRanges { return drop(rejectionReason) }
      } else {
        return fault(rejectionReason, at: instant)
      }
    }
    // The host decides about keys of a process, because its port counts the refused keys.
    guard !checksRanges || admits(family.index, key, value, schema, at: instant) else {
      return drop(schema.refusal(ofKey: key))
    }
    append(.keyed(family.index, key: key, value, at: instant), at: instant)
  }

  /// Publishes the value unknown for every known key of a family. A family as a whole has no other value.
  func withdrawKeys(of family: FactHandle, _ value: FactValue, at instant: Instant) {
    guard value == .unknown else {
      return fault("published “\(manifest.facts[family.index].path)” without a key", at: instant)
    }
    guard checksRanges else {
      return append(.fact(family.index, .unknown, at: instant), at: instant)
    }
    for key in knownKeys(of: family.index) { publish(family, key: key, .unknown, at: instant) }
  }

  /// Finds the family and the key of a name such as `tag.4711`.
  func family(of name: String) -> (FactHandle, key: String)? {
    for manifest in [own, manifest] {
      for (index, schema) in manifest.facts.enumerated() where schema.isFamily {
        for path in [name, "\(manifest.device.path).\(name)"] {
          if let key = schema.key(of: path) { return (FactHandle(index: index), key) }
        }
      }
    }
    return nil
  }
}
