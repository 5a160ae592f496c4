/// Why a journal cannot be read or written: where, and what to do.
public struct JournalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What sort of thing is wrong; open-ended.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    public let name: String

    /// Names a sort.
    public init(_ name: String) { self.name = name }

    public var description: String { name }

    /// The file is not there.
    public static let notFound = Code("not-found")
    /// A new journal was asked for, and a file stands there already.
    public static let exists = Code("exists")
    /// The system refuses to open, read or write.
    public static let refused = Code("refused")
    /// No room is left on the disk.
    public static let full = Code("full")
    /// Another writer holds the journal.
    public static let busy = Code("busy")
    /// The file has no bytes at all.
    public static let empty = Code("empty")
    /// The file is no journal.
    public static let foreign = Code("foreign")
    /// Written by a later version of this program.
    public static let version = Code("version")
    /// A record whose checksum does not fit.
    public static let corrupt = Code("corrupt")
    /// What it says is not what comes of it.
    public static let otherwise = Code("otherwise")
    /// A part is missing: a file of several, or records that found no room when they were written.
    public static let hole = Code("hole")
  }

  public var code: Code
  /// The file as the user named it.
  public var source: String
  /// The byte where it happened, counted from 0; nil when the whole file is meant.
  public var offset: Int64?
  /// What is wrong, one sentence without a full stop.
  public var cause: String
  /// What to do, one sentence without a full stop; may be empty.
  public var step: String

  /// Makes an error.
  public init(_ code: Code, source: String, offset: Int64? = nil, cause: String, step: String = "") {
    self.code = code
    self.source = source
    self.offset = offset
    self.cause = cause
    self.step = step
  }

  /// One line for people.
  public var description: String {
    var text = source
    if let offset { text += ": at byte \(offset)" }
    text += ": \(cause)"
    if !step.isEmpty { text += "; \(step)" }
    return text
  }
}
