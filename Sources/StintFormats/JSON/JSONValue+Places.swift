extension JSONValue {
  /// The place of the part that a path such as `states[2].power` leads to; where the path leads nowhere, the place
  /// of the last part that is there.
  func place(at path: String) -> FormatPlace {
    var value = self
    for step in path.split(whereSeparator: { $0 == "." || $0 == "[" }) {
      if step.hasSuffix("]") {
        guard let index = Int(step.dropLast()), let items = value.items, items.indices.contains(index) else {
          return value.place
        }
        value = items[index]
      } else {
        guard let part = value[String(step)] else { return value.place }
        value = part
      }
    }
    return value.place
  }
}
