/// An operating error: its kind, where it is, what is wrong, and what to do about it.
///
/// This one value stands for all that can go wrong outside of policies: files, formats, journals, sockets, calls of the
/// system. A caller that passes one on adds a place and wraps nothing. Problems of policies are `Diagnostic` values.
public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
  public var code: Code
  /// Where; may be empty.
  public var place: Place
  /// What is wrong, one sentence without a full stop.
  public var cause: String
  /// What the reader can do about it, one sentence without a full stop; may be empty.
  public var remedy: String
  /// What else is wrong, where one look found several problems; in the order of their places.
  public var others: [Problem] = []

  /// Makes a problem of a place with parts.
  public init(_ code: Code, place: Place, cause: String, remedy: String = "") {
    self.code = code
    self.place = place
    self.cause = cause
    self.remedy = remedy
  }

  /// Makes a problem of a file, an option, a device; the place may be empty.
  public init(_ code: Code, place: String = "", cause: String, remedy: String = "") {
    self.init(code, place: Place(place), cause: cause, remedy: remedy)
  }

  /// Makes one of all problems that a look at one thing found, in the order of their places.
  ///
  /// - Precondition: there is a problem.
  public init(all problems: [Problem]) {
    precondition(!problems.isEmpty, "there is a problem")
    let ordered = problems.flatMap(\.all).enumerated().sorted { left, right in
      (left.element.place.text, left.offset) < (right.element.place.text, right.offset)
    }
    self = ordered[0].element
    others = ordered.dropFirst().map(\.element)
  }

  /// Itself and the others, each alone.
  public var all: [Problem] {
    var first = self
    first.others = []
    return [first] + others
  }

  /// The same problem, with a place in front of its own: `at("site.json")`.
  public func at(_ place: String) -> Problem {
    var result = self
    result.place = self.place.within(place)
    result.others = others.map { $0.at(place) }
    return result
  }

  /// Whether the request was right and what it named is wrong, which is a finding and no failure of the request.
  public var isFinding: Bool {
    all.allSatisfy { $0.code.isContent || $0.code == .unknownName && $0.place.text != .none }
  }

  /// What is wrong and where, without the remedy: `phone.json:3:14: states[2].power: a number is expected`.
  public var statement: String {
    let place = place.description
    return place.isEmpty ? cause : "\(place): \(cause)"
  }

  /// A line for each problem.
  public var description: String {
    all.map { $0.remedy.isEmpty ? $0.statement : "\($0.statement); \($0.remedy)" }.joined(separator: "\n")
  }
}
