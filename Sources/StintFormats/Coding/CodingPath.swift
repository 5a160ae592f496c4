/// The path from the root value to a part, as a linked list: each step is stored once.
indirect enum CodingPath {
  case root
  /// The value of a key in an object.
  case key(String, of: CodingPath)
  /// An element of an array, counted from 0.
  case index(Int, of: CodingPath)

  /// The path in messages, such as `states[2].power`; empty for the root.
  var text: String {
    switch self {
    case .root: return ""
    case .key(let name, let parent):
      let path = parent.text
      return path.isEmpty ? Excerpt.text(name) : "\(path).\(Excerpt.text(name))"
    case .index(let index, let parent): return "\(parent.text)[\(index)]"
    }
  }

  /// The path as the protocols of the standard library represent it.
  var keys: [any CodingKey] {
    switch self {
    case .root: []
    case .key(let name, let parent): parent.keys + [CodingStep(stringValue: name)]
    case .index(let index, let parent): parent.keys + [CodingStep(intValue: index)]
    }
  }
}

/// A step of a path, and the key of a member with any name.
package struct CodingStep: CodingKey {
  package let stringValue: String
  package let intValue: Int?

  package init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  package init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}
