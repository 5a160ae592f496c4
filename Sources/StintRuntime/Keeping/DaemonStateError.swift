/// Why a state file is not read; the daemon starts afresh.
public struct DaemonStateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error; more may come.
  public struct Code: Hashable, Sendable {
    public let name: String

    /// Names a kind of error.
    public init(_ name: String) { self.name = name }

    /// No state file at all.
    public static let foreign = Code("foreign")
    /// Of another version of this program.
    public static let version = Code("version")
    /// Cut short or changed.
    public static let torn = Code("torn")
  }

  public var code: Code
  public var cause: String

  /// Makes an error.
  public init(_ code: Code, cause: String) {
    self.code = code
    self.cause = cause
  }

  public var description: String { cause }
}
