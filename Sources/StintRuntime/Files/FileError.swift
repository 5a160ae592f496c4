/// Why a file or folder cannot be used: which, what stands in the way, what to do.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error; more may come.
  public struct Code: Hashable, Sendable {
    public let name: String

    /// Names a kind of error.
    public init(_ name: String) { self.name = name }

    public static let notFound = Code("not-found")
    /// A file was wanted.
    public static let isFolder = Code("is-folder")
    /// A folder was wanted.
    public static let notFolder = Code("not-folder")
    public static let notPermitted = Code("not-permitted")
    public static let tooLarge = Code("too-large")
    public static let noSpace = Code("no-space")
    public static let other = Code("other")
  }

  public var code: Code
  public var path: String
  /// One sentence without a full stop.
  public var cause: String
  /// What to do about it, one sentence without a full stop.
  public var nextStep: String

  /// Makes an error.
  public init(_ code: Code, path: String, cause: String, nextStep: String) {
    self.code = code
    self.path = path
    self.cause = cause
    self.nextStep = nextStep
  }

  public var description: String { "\(path): \(cause); \(nextStep)" }
}
