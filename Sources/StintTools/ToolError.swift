/// Why a tool could not do its work: where, what stands in the way, what to do.
public struct ToolError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error; more may come.
  public struct Code: Hashable, Sendable {
    public let name: String

    /// Names a kind of error.
    public init(_ name: String) { self.name = name }

    /// A file or folder that cannot be read or written.
    public static let file = Code("file")
    /// A name that nothing answers to: a scenario, a device, a profile.
    public static let unknownName = Code("unknown-name")
    /// A file that was read, and whose content is wrong.
    public static let content = Code("content")
  }

  public var code: Code
  /// A path, with a line where there is one, or an option.
  public var place: String
  /// One sentence without a full stop.
  public var cause: String
  /// What to do about it, one sentence without a full stop.
  public var nextStep: String

  /// Makes an error.
  public init(_ code: Code, place: String, cause: String, nextStep: String) {
    self.code = code
    self.place = place
    self.cause = cause
    self.nextStep = nextStep
  }

  /// Whether the call was right and what it named is wrong.
  public var isFinding: Bool { code == .content }

  public var description: String { "\(place): \(cause); \(nextStep)" }
}
