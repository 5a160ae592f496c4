extension Problem {
  /// The kind of a problem; open-ended, so that a new kind breaks no caller.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    public let name: String
    /// Whether what was read is wrong, rather than the request or the system.
    public let isContent: Bool

    /// Names a kind of failure: the request or the system stands in the way.
    public init(_ name: String) { self.init(name, isContent: false) }

    private init(_ name: String, isContent: Bool) {
      self.name = name
      self.isContent = isContent
    }

    /// Names a kind of finding: what was read is wrong.
    public static func content(_ name: String) -> Code { Code(name, isContent: true) }

    public var description: String { name }
  }
}

// MARK: Files and what the system refuses

extension Problem.Code {
  /// The file is not there.
  public static let notFound = Self("not-found")
  /// A folder stands where a file is expected.
  public static let folder = Self("folder")
  /// A folder was wanted.
  public static let notFolder = Self("not-folder")
  /// The user may not do this.
  public static let notPermitted = Self("not-permitted")
  /// The system refuses to read or write.
  public static let unreadable = Self("unreadable")
  /// More than is read at once.
  public static let tooLarge = Self("too-large")
  /// No room is left on the disk.
  public static let full = Self("full")
  /// A new file was asked for, and one stands there already.
  public static let exists = Self("exists")
  /// More than the system allows.
  public static let tooMany = Self("too-many")
  /// This system cannot do it.
  public static let unsupported = Self("unsupported")
  /// The system or a device refuses a call.
  public static let refused = Self("refused")
  /// Any other failure with a file.
  public static let file = Self("file")
  /// A name that nothing answers to: a scenario, a device, a profile, a member of an object.
  public static let unknownName = Self("unknown-name")
}

// MARK: Processes and devices

extension Problem.Code {
  /// No daemon listens there.
  public static let unreachable = Self("unreachable")
  /// Another process is at it.
  public static let taken = Self("taken")
  /// Another user's.
  public static let notOwned = Self("not-owned")
  /// The other side hung up without an answer.
  public static let silent = Self("silent")
  /// The device has gone, or was never there.
  public static let absent = Self("absent")
  /// The instant lies before what has happened.
  public static let past = Self("past")
  /// Parts that do not belong together.
  public static let mixed = Self("mixed")
  /// The one who watches stopped it.
  public static let interrupted = Self("interrupted")
}

// MARK: What was read

extension Problem.Code {
  /// What a file says is wrong.
  public static let content = Self.content("content")
  /// There is nothing in it.
  public static let empty = Self.content("empty")
  /// It is something else than what it was opened as.
  public static let foreign = Self.content("foreign")
  /// It breaks the rules of its format.
  public static let syntax = Self.content("syntax")
  /// Nested deeper than the limit.
  public static let depth = Self.content("depth")
  /// A line or a file beyond the limit.
  public static let size = Self.content("size")
  /// It ends in the middle.
  public static let cut = Self.content("cut")
  /// The same name twice.
  public static let duplicate = Self.content("duplicate")
  /// Something that must be there is not.
  public static let missing = Self.content("missing")
  /// A value of the wrong type: a string where a number is expected.
  public static let type = Self.content("type")
  /// A value that cannot be: latitude 91, a negative power.
  public static let value = Self.content("value")
  /// Times that go backwards.
  public static let order = Self.content("order")
  /// What was written has changed since.
  public static let corrupt = Self.content("corrupt")
  /// A checksum that does not fit what it covers.
  public static let checksum = Self.content("checksum")
  /// A format version that this program does not know.
  public static let version = Self.content("version")
  /// A manifest that cannot be trusted, or another than was compiled for.
  public static let manifest = Self.content("manifest")
  /// A plugin is not of the kind that its manifest says.
  public static let kind = Self.content("kind")
  /// What it says is not what comes of it.
  public static let mismatch = Self.content("otherwise")
  /// A part is missing: a file of several, or records that found no room when they were written.
  public static let hole = Self.content("hole")
}
