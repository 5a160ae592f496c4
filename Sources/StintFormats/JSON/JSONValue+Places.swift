extension JSONValue {
  /// The place of the part that a path such as `states[2].power` leads to; where the path leads nowhere,
  /// the place of the last part that is there. Keys may hold dots themselves.
  func place(at path: String) -> FormatPlace {
    var value = self
    var rest = path[...]
    while !rest.isEmpty {
      if rest.first == "." { rest = rest.dropFirst() }
      if let key = value.members?.first(where: { $0.name == rest }) { return key.value.place }
      if rest.first == "[" {
        let digits = rest.dropFirst().prefix { $0 != "]" }
        guard let index = Int(digits), let items = value.items, items.indices.contains(index) else { break }
        value = items[index]
        rest = rest.dropFirst(digits.count + 2)
      } else {
        let name = rest.prefix { $0 != "." && $0 != "[" }
        guard let part = value[String(name)] else { break }
        value = part
        rest = rest.dropFirst(name.count)
      }
    }
    return value.place
  }
}
