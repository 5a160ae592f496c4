/// An error outside of policies, with its kind, location, cause and remedy.
///
/// Problems occur in files, formats, journals, sockets and system calls. Callers that rethrow a problem add a
/// location instead of wrapping the problem. Errors in policies are `Diagnostic` values.
public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the problem.
  public var code: Code
  /// The location of the problem; may be empty.
  public var place: Place
  /// The description of the error: one sentence without a full stop.
  public var cause: String
  /// The advice for the reader: one sentence without a full stop; may be empty.
  public var remedy: String
  /// Further problems that the same check found, in order of line and column.
  public var others: [Problem] = []

  /// Makes a problem at a location.
  public init(_ code: Code, place: Place, cause: String, remedy: String = "") {
    self.code = code
    self.place = place
    self.cause = cause
    self.remedy = remedy
  }

  /// Makes a problem of a file, an option or a device; the name may be empty.
  public init(_ code: Code, place: String = "", cause: String, remedy: String = "") {
    self.init(code, place: Place(place), cause: cause, remedy: remedy)
  }

  /// Combines all problems of one check into one value, in order of line and column.
  ///
  /// - Precondition: `problems` is not empty.
  public init(all problems: [Problem]) {
    precondition(!problems.isEmpty, "at least one problem is required")
    let ordered = problems.flatMap(\.all).enumerated().sorted { left, right in
      (left.element.place.text, left.offset) < (right.element.place.text, right.offset)
    }
    self = ordered[0].element
    others = ordered.dropFirst().map(\.element)
  }

  /// This problem and the problems in `others`, each as a separate value.
  public var all: [Problem] {
    var first = self
    first.others = []
    return [first] + others
  }

  /// Returns the same problem with `place` in front of its location: `at("site.json")`.
  public func at(_ place: String) -> Problem {
    var result = self
    result.place = self.place.within(place)
    result.others = others.map { $0.at(place) }
    return result
  }

  /// True when the request was valid, but a file in the request has invalid content.
  ///
  /// The command then reports a finding rather than a failed request.
  public var isFinding: Bool {
    all.allSatisfy { $0.code.isContent || $0.code == .unknownName && $0.place.text != .none }
  }

  /// The location and the cause, without the remedy: `phone.json:3:14: states[2].power: expected a number,
  /// found a string`.
  public var statement: String {
    // Names of files may contain characters that forge a message.
    let place = VisibleText.line(place.description)
    return place.isEmpty ? cause : "\(place): \(cause)"
  }

  /// One line per problem.
  public var description: String {
    all.map { $0.remedy.isEmpty ? $0.statement : "\($0.statement); \($0.remedy)" }.joined(separator: "\n")
  }
}
