import StintFormats
public import StintLanguage

/// What `stint explain` says of a word of the language: all that it means.
public struct WordExplanation: Sendable {
  public let name: String
  /// Its meanings, at least one: `pause` is a verb and a setting.
  public let meanings: [LanguageWord]

  /// Finds the meanings of a word; nil for what is no word of the language.
  public init?(of name: String) {
    meanings = LanguageDefinition.words(named: name)
    self.name = name
    if meanings.isEmpty { return nil }
  }

  /// The meanings for people.
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

  /// The meanings as `stint explain WORD --json` prints them, as one line of text.
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
