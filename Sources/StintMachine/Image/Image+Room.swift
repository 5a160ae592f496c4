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
    image.acts = Self.packed(acts)
    return image
  }

  private static func packed<Element>(_ list: [Element]) -> [Element] {
    var exact: [Element] = []
    exact.reserveCapacity(list.count)
    exact += list
    return exact
  }
}
