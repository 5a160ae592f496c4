/// Why files cannot be watched: which, what stands in the way, what to do.
public struct WatchError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error; more may come.
  public struct Code: Hashable, Sendable {
    public let name: String

    /// Names a kind of error.
    public init(_ name: String) { self.name = name }

    public static let notFound = Code("not-found")
    public static let notFolder = Code("not-folder")
    public static let notPermitted = Code("not-permitted")
    public static let tooMany = Code("too-many")
    /// This operating system has no watcher yet.
    public static let unsupported = Code("unsupported")
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

  public var description: String { "\(path) cannot be watched: \(cause); \(nextStep)" }
}
