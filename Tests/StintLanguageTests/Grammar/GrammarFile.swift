import StintRuntime
import StintTestSupport

/// A grammar in EBNF: its productions and the word lists in its comments.
struct GrammarFile: Sendable {
  private(set) var productions: [String: GrammarPart] = [:]
  /// The names of the productions, in file order.
  private(set) var names: [String] = []
  /// The word lists in the comments, by their names in capitals. A line with an indent of at least 12 columns
  /// continues a list.
  private(set) var lists: [String: [String]] = [:]
  private var tokens: [String] = []
  private var place = 0

  static let itemWords: Set<String> = [
    "use", "let", "param", "schedule", "default", "rule", "zone", "machine", "budget", "require", "test",
  ]

  /// Returns the grammar of the repository.
  static func shipped() throws -> GrammarFile { try read.get() }

  private static let read = Result {
    GrammarFile(String(decoding: try FileText.read(Repository.path("grammar/stint.ebnf")), as: UTF8.self))
  }

  init(_ text: String) {
    split(text)
    while place < tokens.count {
      let name = next()
      precondition(next() == "=", "\(name) has no right side")
      precondition(productions[name] == nil, "\(name) is defined twice")
      productions[name] = choice()
      names.append(name)
      precondition(next() == ";", "\(name) has no end")
    }
  }

  var literals: Set<String> {
    Set(
      productions.values.flatMap(\.leaves).compactMap { leaf in
        if case .literal(let text) = leaf { text } else { nil }
      })
  }

  // MARK: Reading

  private mutating func takeLists(_ comment: Substring) {
    var name: String?
    for line in comment.split(separator: "\n", omittingEmptySubsequences: false) {
      var words = line.split(separator: " ").map(String.init)
      let indent = line.prefix { $0 == " " }.count
      if indent == 3, let first = words.first, first.allSatisfy(\.isUppercase), line.contains(first + "  ") {
        name = first
        words.removeFirst()
      } else if indent < 12 {
        name = nil
      }
      if let name { lists[name, default: []] += words }
    }
  }

  private mutating func split(_ text: String) {
    var rest = text[...]
    while let first = rest.first {
      if rest.hasPrefix("(*") {
        let end = rest.firstRange(of: "*)") ?? rest.endIndex..<rest.endIndex
        takeLists(rest[rest.startIndex..<end.lowerBound])
        rest = rest[end.upperBound...]
      } else if first == "\"" {
        let body = rest.dropFirst().prefix { $0 != "\"" }
        tokens.append("\"" + body)
        rest = rest[body.endIndex...].dropFirst()
      } else if first.isLetter {
        let word = rest.prefix { $0.isLetter }
        tokens.append(String(word))
        rest = rest[word.endIndex...]
      } else {
        if !first.isWhitespace { tokens.append(String(first)) }
        rest = rest.dropFirst()
      }
    }
  }

  private mutating func next() -> String {
    guard place < tokens.count else { return "" }
    defer { place += 1 }
    return tokens[place]
  }

  private mutating func choice() -> GrammarPart {
    var parts = [sequence()]
    while place < tokens.count, tokens[place] == "|" {
      place += 1
      parts.append(sequence())
    }
    return parts.count == 1 ? parts[0] : .choice(parts)
  }

  private mutating func sequence() -> GrammarPart {
    var parts: [GrammarPart] = []
    while place < tokens.count, !["|", ";", ")", "]", "}"].contains(tokens[place]) { parts.append(part()) }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func part() -> GrammarPart {
    let token = next()
    switch token {
    case "(": return closed(choice(), ")")
    case "[": return .optional(closed(choice(), "]"))
    case "{": return .repetition(closed(choice(), "}"))
    default:
      if token.hasPrefix("\"") { return .literal(String(token.dropFirst())) }
      return token.allSatisfy(\.isUppercase) ? .lexical(token) : .production(token)
    }
  }

  private mutating func closed(_ part: GrammarPart, _ end: String) -> GrammarPart {
    precondition(next() == end, "a bracket is not closed before \(place)")
    return part
  }
}
