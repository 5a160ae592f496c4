extension Problem {
  /// The kind of a problem. This type is not an enum, so that a new kind breaks no caller.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the kind in output, in lower case with hyphens.
    public let name: String
    /// True when the content that was read is wrong; false when the request or the system is the cause.
    public let isContent: Bool

    /// Makes a kind of failure: the request or the system is the cause.
    public init(_ name: String) { self.init(name, isContent: false) }

    private init(_ name: String, isContent: Bool) {
      self.name = name
      self.isContent = isContent
    }

    /// Makes a kind of finding: the content that was read is wrong.
    public static func content(_ name: String) -> Code { Code(name, isContent: true) }

    public var description: String { name }
  }
}

// MARK: Files and system calls

extension Problem.Code {
  /// The file does not exist.
  public static let notFound = Self("not-found")
  /// The path is a folder, but a file is required.
  public static let folder = Self("folder")
  /// The path is not a folder, but a folder is required.
  public static let notFolder = Self("not-folder")
  /// The user has no permission.
  public static let notPermitted = Self("not-permitted")
  /// A file or folder could not be used. The system refuses to read or write it, the folder has no policies,
  /// or a file of an embedded bus has invalid content.
  public static let unreadable = Self("unreadable")
  /// The file is larger than the size limit.
  public static let tooLarge = Self("too-large")
  /// The disk is full, or a limit on the number of services or tasks is reached.
  public static let full = Self("full")
  /// A file to be created exists already.
  public static let exists = Self("exists")
  /// A limit of the system, of the daemon or of a message bus is reached. For example, too many files are
  /// open or too many requests wait.
  public static let tooMany = Self("too-many")
  /// This system does not support the operation.
  public static let unsupported = Self("unsupported")
  /// The system or a device refuses a call.
  public static let refused = Self("refused")
  /// Any other failure with a file.
  public static let file = Self("file")
  /// No scenario, device, profile or object member has this name.
  public static let unknownName = Self("unknown-name")
}

// MARK: Processes and devices

extension Problem.Code {
  /// No daemon listens at this path.
  public static let unreachable = Self("unreachable")
  /// Another process uses the file or socket.
  public static let inUse = Self("taken")
  /// The file or socket belongs to another user.
  public static let notOwned = Self("not-owned")
  /// The file system or disk of a file did not respond in time.
  public static let timedOut = Self("late")
  /// The other side sent no answer in time, closed the connection without an answer, or sent an unreadable
  /// answer.
  public static let noValidAnswer = Self("silent")
  /// The device was removed or never existed.
  public static let absent = Self("absent")
  /// The bus, the host or the daemon is closed.
  public static let closed = Self("closed")
  /// The instant lies before the current time of the run.
  public static let past = Self("past")
  /// Two parts cannot be used together, for example rules that were compiled from different policies.
  public static let incompatible = Self("mixed")
  /// A change of the policies could not be saved, so it did not come into force.
  public static let notSaved = Self("not-saved")
  /// The user interrupted the operation.
  public static let interrupted = Self("interrupted")
}

// MARK: Content

extension Problem.Code {
  /// The content of a file is wrong.
  public static let content = Self.content("content")
  /// The file is empty.
  public static let empty = Self.content("empty")
  /// The content is of another kind than expected.
  public static let unexpectedContent = Self.content("foreign")
  /// The content violates the syntax of its format.
  public static let syntax = Self.content("syntax")
  /// The nesting is deeper than the limit.
  public static let depth = Self.content("depth")
  /// A line or a file exceeds the size limit.
  public static let size = Self.content("size")
  /// The content ends before it is complete.
  public static let truncated = Self.content("cut")
  /// A name occurs twice.
  public static let duplicate = Self.content("duplicate")
  /// A required entry is missing.
  public static let missing = Self.content("missing")
  /// A value has the wrong type, for example a string instead of a number.
  public static let type = Self.content("type")
  /// A value is impossible, for example latitude 91 or a negative power.
  public static let value = Self.content("value")
  /// Times are not in ascending order.
  public static let order = Self.content("order")
  /// The content is damaged, or is not a valid encoding.
  public static let corrupt = Self.content("corrupt")
  /// A checksum does not match its content.
  public static let checksum = Self.content("checksum")
  /// This program does not support the format version.
  public static let version = Self.content("version")
  /// A manifest is implausible, or differs from the manifest for which the policies were compiled.
  public static let manifest = Self.content("manifest")
  /// A plugin is not of the kind in its manifest, or a plugin in a process or library cannot provide a device
  /// of this kind.
  public static let kind = Self.content("kind")
  /// A stated result differs from the computed result.
  public static let mismatch = Self.content("otherwise")
  /// A part is missing: one of several files, or records dropped for lack of space when they were written.
  public static let missingPart = Self.content("hole")
}
