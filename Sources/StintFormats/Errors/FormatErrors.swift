/// All problems of one file, in the order of their places; never empty.
public struct FormatErrors: Error, Hashable, Sendable, CustomStringConvertible {
  public let problems: [FormatError]

  /// Collects problems.
  ///
  /// - Precondition: there is at least one.
  public init(_ problems: [FormatError]) {
    precondition(!problems.isEmpty, "a failure has at least one problem")
    let ordered = problems.enumerated().sorted { left, right in
      (left.element.place, left.offset) < (right.element.place, right.offset)
    }
    self.problems = ordered.map(\.element)
  }

  /// Wraps the only problem.
  public init(_ problem: FormatError) { self.problems = [problem] }

  /// One line for each problem.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}
