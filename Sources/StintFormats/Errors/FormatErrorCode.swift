extension FormatError {
  /// The kind of problem; open-ended, so that a new kind breaks no caller.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    public let name: String

    /// Names a sort.
    public init(_ name: String) { self.name = name }

    public var description: String { name }

    /// The file is not there.
    public static let notFound = Code("not-found")
    /// A folder stands where a file is expected.
    public static let folder = Code("folder")
    /// The system refuses to read or write.
    public static let unreadable = Code("unreadable")
    /// There is nothing in it.
    public static let empty = Code("empty")
    /// It is something else than what it was opened as.
    public static let foreign = Code("foreign")
    /// It breaks the rules of its format.
    public static let syntax = Code("syntax")
    /// Nested deeper than the limit.
    public static let depth = Code("depth")
    /// A line or a file beyond the limit.
    public static let size = Code("size")
    /// It ends in the middle.
    public static let cut = Code("cut")
    /// The same name twice.
    public static let duplicate = Code("duplicate")
    /// An unknown name.
    public static let unknownName = Code("unknown-name")
    /// Something that must be there is not.
    public static let missing = Code("missing")
    /// A value of the wrong type: a string where a number is expected.
    public static let type = Code("type")
    /// A value that cannot be: latitude 91, a negative power.
    public static let value = Code("value")
    /// Times that go backwards.
    public static let order = Code("order")
    /// A checksum that does not fit what it covers.
    public static let checksum = Code("checksum")
    /// A format version that this program does not know.
    public static let version = Code("version")
  }
}
