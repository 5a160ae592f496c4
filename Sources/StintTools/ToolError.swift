/// Why a tool could not do its work: where, what stands in the way, what to do; one problem or several.
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

  /// One thing that is wrong.
  public struct Problem: Hashable, Sendable {
    /// A path, with a line where there is one, or an option.
    public var place: String
    /// One sentence without a full stop.
    public var cause: String
    /// What to do about it, one sentence without a full stop; may be empty.
    public var nextStep: String

    /// Makes a problem.
    public init(place: String, cause: String, nextStep: String) {
      self.place = place
      self.cause = cause
      self.nextStep = nextStep
    }
  }

  public var code: Code
  /// In the order of their places; never empty.
  public var problems: [Problem]

  /// Makes an error.
  ///
  /// - Precondition: there is a problem.
  public init(_ code: Code, _ problems: [Problem]) {
    precondition(!problems.isEmpty, "an error has a problem")
    self.code = code
    self.problems = problems
  }

  /// Makes an error of one problem.
  public init(_ code: Code, place: String, cause: String, nextStep: String) {
    self.init(code, [Problem(place: place, cause: cause, nextStep: nextStep)])
  }

  /// Whether the call was right and what it named is wrong.
  public var isFinding: Bool { code == .content }

  /// One line for each problem.
  public var description: String {
    problems.map { problem in
      problem.nextStep.isEmpty
        ? "\(problem.place): \(problem.cause)" : "\(problem.place): \(problem.cause); \(problem.nextStep)"
    }.joined(separator: "\n")
  }
}
