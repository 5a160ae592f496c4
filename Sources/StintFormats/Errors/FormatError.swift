/// What is wrong with something that the outside world wrote: where, why, and what to do about it.
public struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
  public var code: Code
  /// The file as the user named it, or `standard input`.
  public var source: String
  /// Where in the text; `.none` when the whole file is meant.
  public var place: FormatPlace
  /// The part that is meant: a JSON path such as `states[2].power`, or the name of a column; may be empty.
  public var path: String
  /// What is wrong, one sentence without a full stop.
  public var cause: String
  /// What the reader of the message can do, one sentence without a full stop; may be empty.
  public var step: String

  /// Makes an error.
  public init(
    _ code: Code, source: String, place: FormatPlace = .none, path: String = "", cause: String,
    step: String = ""
  ) {
    self.code = code
    self.source = source
    self.place = place
    self.path = path
    self.cause = cause
    self.step = step
  }

  /// One line for people: `phone.json:3:14: states[2].power: cause; step`.
  public var description: String {
    var text = source
    if place != .none { text += ":\(place)" }
    if !path.isEmpty { text += ": \(path)" }
    text += ": \(cause)"
    if !step.isEmpty { text += "; \(step)" }
    return text
  }
}

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

extension FormatError {
  /// The kind of problem; open-ended, so that a new kind breaks no caller.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    public let name: String

    /// Names a sort.
    public init(_ name: String) { self.name = name }

    public var description: String { name }

    /// The file is not there.
    public static let notFound = Code("not-found")
    /// A folder stands where a file is expected.
    public static let folder = Code("folder")
    /// The system refuses to read or write.
    public static let unreadable = Code("unreadable")
    /// There is nothing in it.
    public static let empty = Code("empty")
    /// It is something else than what it was opened as.
    public static let foreign = Code("foreign")
    /// It breaks the rules of its format.
    public static let syntax = Code("syntax")
    /// Nested deeper than the limit.
    public static let depth = Code("depth")
    /// A line or a file beyond the limit.
    public static let size = Code("size")
    /// It ends in the middle.
    public static let cut = Code("cut")
    /// The same name twice.
    public static let duplicate = Code("duplicate")
    /// An unknown name.
    public static let unknownName = Code("unknown-name")
    /// Something that must be there is not.
    public static let missing = Code("missing")
    /// A value of the wrong type: a string where a number is expected.
    public static let type = Code("type")
    /// A value that cannot be: latitude 91, a negative power.
    public static let value = Code("value")
    /// Times that go backwards.
    public static let order = Code("order")
    /// A checksum that does not fit what it covers.
    public static let checksum = Code("checksum")
    /// A format version that this program does not know.
    public static let version = Code("version")
  }
}

/// A place in a text: line and column, both counted from 1; columns count Unicode scalars.
public struct FormatPlace: Hashable, Comparable, Sendable, CustomStringConvertible {
  public var line: Int
  public var column: Int

  /// Makes a place.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// No place: a value that was built rather than read, or an error about a whole file.
  public static let none = FormatPlace(line: 0, column: 0)

  public var description: String { "\(line):\(column)" }
  public static func < (left: FormatPlace, right: FormatPlace) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// Makes pieces of unknown files fit for messages.
enum Excerpt {
  /// At most 80 characters, control characters replaced.
  static func text(_ text: some StringProtocol) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(80) {
      let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
      result.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
    }
    return text.unicodeScalars.count > 80 ? result + "…" : result
  }
}

/// Finds the known name that is most similar to a misspelt one.
enum Spelling {
  /// The candidate that differs least from `name`, when that is little enough to be a slip; the first among
  /// equals.
  static func nearest(to name: String, among candidates: [String]) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars)
    guard wanted.count <= 64 else { return nil }
    let limit = max(1, wanted.count / 3)
    var best: (distance: Int, name: String)?
    for candidate in candidates {
      let distance = distance(wanted, Array(candidate.lowercased().unicodeScalars))
      if distance <= limit, distance < best?.distance ?? .max { best = (distance, candidate) }
    }
    return best?.name
  }

  /// The next step for an unknown name: suggests the likely name, else lists the known names.
  static func advice(for name: String, among candidates: [String]) -> String {
    if let near = nearest(to: name, among: candidates) { return "did you mean “\(near)”?" }
    return candidates.isEmpty ? "remove it" : "known here: \(candidates.joined(separator: ", "))"
  }

  /// Insertions, deletions, replacements and swaps of neighbours between two texts.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var above = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let same = left[row] == right[column]
        var cost = min(above[column] + (same ? 0 : 1), above[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, before[column - 1] + 1)
        }
        current.append(cost)
      }
      before = above
      above = current
    }
    return above[right.count]
  }
}
