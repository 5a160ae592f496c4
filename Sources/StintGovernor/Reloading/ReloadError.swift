/// Why policies cannot be put in force; the governor is as it was before.
public struct ReloadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, for programs.
  public struct Code: Hashable, Sendable {
    public let name: String

    /// Makes a code.
    public init(_ name: String) { self.name = name }

    /// The instant lies before what has happened.
    public static let past = Code("past")
    /// The program was compiled for other devices or facts.
    public static let foreign = Code("foreign")
    /// The image of rules for demands is not of the same policies.
    public static let mixed = Code("mixed")
    /// The observer of the exchange stopped it.
    public static let interrupted = Code("interrupted")
  }

  public var code: Code
  public var cause: String
  /// What to do about it.
  public var step: String

  /// Makes an error.
  public init(_ code: Code, cause: String, step: String) {
    self.code = code
    self.cause = cause
    self.step = step
  }

  public var description: String { "\(cause); \(step)" }
}
