import StintAuthoring
import StintDaemon
import StintFormats
public import StintLanguage

/// The explanation that `stint explain` prints for a word of the language.
public struct WordExplanation: Sendable {
  /// The word as the user wrote it.
  public let name: String
  /// The meanings of the word, at least one. For example, `pause` is a verb and a setting.
  public let meanings: [LanguageWord]

  /// Finds the meanings of a word. Returns nil when the language does not contain the word.
  public init?(of name: String) {
    meanings = LanguageDefinition.words(named: name)
    self.name = name
    if meanings.isEmpty { return nil }
  }

  /// Returns the meanings as text for people.
  public func text(_ paint: Paint = .plain) -> String {
    meanings.map { Self.text($0, paint) }.joined(separator: "\n\n")
  }

  private static func text(_ word: LanguageWord, _ paint: Paint) -> String {
    var parts = [paint.strong("\(word.name)  \(word.kind.rawValue)"), TextWrap.page.paragraph(word.meaning)]
    if !word.form.isEmpty { parts.append("    " + word.form) }
    if !word.rule.isEmpty { parts.append(TextWrap.page.paragraph(word.rule)) }
    parts += [paint.good("example"), DiagnosticPage.indented(word.example.text)]
    return parts.joined(separator: "\n\n")
  }

  /// The meanings as `stint explain WORD --json` prints them, as one line of JSON.
  public var jsonText: String {
    ReportKind.word.text(of: [
      "word": JSONValue(name),
      "meanings": JSONValue(
        meanings.map { word -> JSONValue in
          [
            "kind": JSONValue(word.kind.rawValue), "form": JSONValue(word.form), "rule": JSONValue(word.rule),
            "meaning": JSONValue(word.meaning), "example": JSONValue(word.example.text),
          ]
        }),
    ])
  }
}
