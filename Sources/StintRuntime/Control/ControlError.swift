#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why a daemon cannot be asked, or cannot listen.
public struct ControlError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error; more may come.
  public struct Code: Hashable, Sendable {
    public let name: String

    /// Names a kind of error.
    public init(_ name: String) { self.name = name }

    /// No daemon listens there.
    public static let unreachable = Code("unreachable")
    /// A daemon cannot listen there.
    public static let taken = Code("taken")
    /// Another user listens there.
    public static let foreign = Code("foreign")
    /// The daemon hung up without an answer.
    public static let silent = Code("silent")
  }

  public var code: Code
  public var path: String
  public var cause: String

  /// Makes an error.
  public init(_ code: Code, path: String, cause: String) {
    self.code = code
    self.path = path
    self.cause = cause
  }

  static func last(_ code: Code, path: String) -> ControlError {
    ControlError(code, path: path, cause: String(cString: strerror(errno)))
  }

  public var description: String { "\(path): \(cause)" }
}
