extension Problem {
  /// Where something is wrong: the name of a file, an option or a device, and the part of it that is meant.
  public struct Place: Hashable, Sendable, CustomStringConvertible {
    /// The file as the user named it, `standard input`, an option, a device; may be empty.
    public var name: String
    /// The line and column; `.none` where the whole is meant.
    public var text: TextLocation
    /// The byte, counted from 0; nil where the whole is meant.
    public var byte: Int64?
    /// The part: a JSON path such as `states[2].power`, or the name of a column; may be empty.
    public var part: String

    /// Makes a place.
    public init(_ name: String, at text: TextLocation = .none, byte: Int64? = nil, part: String = "") {
      self.name = name
      self.text = text
      self.byte = byte
      self.part = part
    }

    /// For people: `phone.json:3:14: states[2].power`, `walk.journal: at byte 4096`.
    public var description: String {
      var result = name
      if text != .none { result += ":\(text)" }
      if let byte { result += result.isEmpty ? "at byte \(byte)" : ": at byte \(byte)" }
      if !part.isEmpty { result += result.isEmpty ? part : ": \(part)" }
      return result
    }

    /// The same place within a larger one.
    func within(_ larger: String) -> Place {
      guard !larger.isEmpty else { return self }
      var result = self
      result.name = name.isEmpty ? larger : "\(larger): \(name)"
      return result
    }
  }
}

/// A place in a text: line and column, both counted from 1; columns count Unicode scalars.
public struct TextLocation: Hashable, Comparable, Sendable, CustomStringConvertible {
  public var line: Int
  public var column: Int

  /// Makes a place.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// No place: a value that was built rather than read, or a problem of a whole file.
  public static let none = TextLocation(line: 0, column: 0)

  public var description: String { "\(line):\(column)" }
  public static func < (left: TextLocation, right: TextLocation) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
