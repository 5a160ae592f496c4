/// A place in a text: line and column, both counted from 1; columns count Unicode scalars.
public struct FormatPlace: Hashable, Comparable, Sendable, CustomStringConvertible {
  public var line: Int
  public var column: Int

  /// Makes a place.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// No place: a value that was built rather than read, or an error about a whole file.
  public static let none = FormatPlace(line: 0, column: 0)

  public var description: String { "\(line):\(column)" }
  public static func < (left: FormatPlace, right: FormatPlace) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
