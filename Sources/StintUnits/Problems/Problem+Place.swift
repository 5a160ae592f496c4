extension Problem {
  /// The location of a problem: a file, an option or a device, and the part of it.
  public struct Place: Hashable, Sendable, CustomStringConvertible {
    /// The name of a file as the user wrote it, `standard input`, an option or a device; may be empty.
    public var name: String
    /// The line and column; `.none` for a binary file, and when the problem concerns the whole file.
    public var text: TextLocation
    /// The byte offset, counted from 0; nil for a text, and when the problem concerns the whole file.
    public var byte: Int64?
    /// The part: a JSON path such as `states[2].power`, or a column name; may be empty.
    public var part: String

    /// Makes a location.
    public init(_ name: String, at text: TextLocation = .none, byte: Int64? = nil, part: String = "") {
      self.name = name
      self.text = text
      self.byte = byte
      self.part = part
    }

    /// The location in messages: `phone.json:3:14: states[2].power`, `walk.journal: at byte 4096`.
    public var description: String {
      var result = name
      if text != .none { result += ":\(text)" }
      if let byte { result += result.isEmpty ? "at byte \(byte)" : ": at byte \(byte)" }
      if !part.isEmpty { result += result.isEmpty ? part : ": \(part)" }
      return result
    }

    /// Returns the same location with the name of an enclosing location in front.
    func within(_ larger: String) -> Place {
      guard !larger.isEmpty else { return self }
      var result = self
      result.name = name.isEmpty ? larger : "\(larger): \(name)"
      return result
    }
  }
}

/// A location in a text: line and column, both counted from 1. Columns count Unicode scalars.
public struct TextLocation: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The line, counted from 1; 0 in `none`.
  public var line: Int
  /// The column in Unicode scalars, counted from 1; 0 in `none`.
  public var column: Int

  /// Makes a location.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// No location: for values that were not parsed, and for problems of a whole file.
  public static let none = TextLocation(line: 0, column: 0)

  public var description: String { "\(line):\(column)" }
  public static func < (left: TextLocation, right: TextLocation) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
