import StintModel

extension Image {
  /// The same without the room that lists keep while they grow: an image stays in memory as long as it runs.
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

  /// Directives for the same devices hold one list of them.
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
