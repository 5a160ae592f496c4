import StintFormats
import StintRuntime
import StintTestSupport

/// A TextMate highlighting grammar, limited to the features that the repository's grammar uses: a list of
/// patterns within lines.
struct TextMateGrammar {
  /// A pattern, with the scopes of its match and of its groups.
  struct Pattern {
    var name: String?
    var text: String
    var captures: [Int: String]
    var regex: Regex<AnyRegexOutput>
  }

  let fileTypes: [String]
  let patterns: [Pattern]

  /// Returns the TextMate grammar of the repository.
  static func shipped() throws -> TextMateGrammar {
    let bytes = try FileText.read(Repository.path("grammar/stint.tmLanguage.json"))
    return try TextMateGrammar(JSONReader.value(of: bytes, source: "stint.tmLanguage.json"))
  }

  private init(_ value: JSONValue) throws {
    fileTypes = (value["fileTypes"]?.items ?? []).compactMap(\.string)
    patterns = try (value["patterns"]?.items ?? []).map { pattern in
      let text = pattern["match"]?.string ?? ""
      var captures: [Int: String] = [:]
      for member in pattern["captures"]?.members ?? [] {
        captures[Int(member.name) ?? 0] = member.value["name"]?.string
      }
      return Pattern(
        name: pattern["name"]?.string, text: text, captures: captures,
        regex: try Regex(text).wordBoundaryKind(.simple))
    }
  }

  /// Returns the words that the selected patterns list between `(?:` and `)`, or between `(` and `)`.
  func words(where isWanted: (Pattern) -> Bool) -> [String] {
    patterns.filter(isWanted).flatMap { pattern in
      (pattern.text.firstMatch(of: /\((?:\?:)?([\w\/]+(?:\|[\w\/]+)+)\)/)?.output.1 ?? "").split(
        separator: "|"
      )
      .map(String.init)
    }
  }

  /// Returns the scope of each character of a line; nil for a character without a scope.
  func scopes(_ line: String) -> [String?] {
    var scopes: [String?] = Array(repeating: nil, count: line.count)
    var place = line.startIndex
    while place < line.endIndex {
      guard let (pattern, match) = first(in: line[place...]), !match.range.isEmpty else {
        place = line.index(after: place)
        continue
      }
      for index in match.output.indices {
        let name = index == 0 ? pattern.name : pattern.captures[index]
        guard let name, let range = match.output[index].range else { continue }
        let start = line.distance(from: line.startIndex, to: range.lowerBound)
        for offset in 0..<line.distance(from: range.lowerBound, to: range.upperBound) {
          scopes[start + offset] = name
        }
      }
      place = match.range.upperBound
    }
    return scopes
  }

  private func first(in text: Substring) -> (Pattern, Regex<AnyRegexOutput>.Match)? {
    for pattern in patterns {
      if let match = text.prefixMatch(of: pattern.regex) { return (pattern, match) }
    }
    return nil
  }
}
