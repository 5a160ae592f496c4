import StintModel

extension Image {
  /// A copy whose large arrays have no spare capacity. Arrays reserve spare capacity while they grow, and an
  /// image stays in memory while its rules run.
  public var packed: Image {
    var image = self
    image.facts = Self.packed(facts)
    image.constants = Self.packed(constants)
    image.code = Self.packed(code)
    image.slots = Self.packed(slots)
    image.rules = Self.packed(rules)
    image.directives = Self.packed(directives)
    image.shareTargets()
    image.acts = Self.packed(acts)
    return image
  }

  /// Stores equal lists of targets only once: directives with equal targets then share the storage of one
  /// array.
  private mutating func shareTargets() {
    var lists: [[DeviceID]: [DeviceID]] = [:]
    for place in directives.indices {
      let targets = directives[place].directive.targets
      if let list = lists[targets] {
        directives[place].directive.targets = list
      } else {
        lists[targets] = targets
      }
    }
  }

  private static func packed<Element>(_ list: [Element]) -> [Element] {
    var exact: [Element] = []
    exact.reserveCapacity(list.count)
    exact += list
    return exact
  }
}
