import StintLanguage

/// The language reference as a page, generated from the definition.
enum LanguageReference {
  static var text: String {
    var parts = [head]
    for (kind, title, sentence) in sections {
      parts.append("## \(title)\n\n\(sentence)")
      let words = LanguageDefinition.words.filter { $0.kind == kind }
      parts += Self.tables.contains(kind) ? [table(words)] : words.map(block)
    }
    return parts.joined(separator: "\n\n") + "\n"
  }

  private static let head = """
    # Reference of the policy language

    This page is generated from the definition of the language by
    `STINT_RECORD=1 swift test --filter LanguageDefinitionTests`. `stint explain WORD` prints the same text.
    Forms use the notation of `stint.ebnf`; in forms of functions, names in capitals are arguments. Each
    example compiles after these lines, on the reference phone:

    ```stint
    \(LanguageExample.header.dropLast())
    ```
    """

  private static let sections: [(LanguageWord.Kind, String, String)] = [
    (.item, "Items", "The parts of a policy."),
    (.trigger, "Triggers", "The condition or time that activates a rule."),
    (.verb, "Verbs", "The directives and the one-time actions of a rule."),
    (
      .operator, "Operators",
      "In order of increasing precedence. Conditions are true, false or unknown; a rule acts only on true."
    ),
    (
      .function, "Functions",
      "The functions of conditions. For a missing device, the result is unknown or false."
    ),
    (.setting, "Settings", "The settings of demands, defaults and transfers."),
    (.keyword, "Other keywords", "Words within the forms above."),
    (
      .property, "Facts and properties",
      "The facts that exist on every host; manifests declare further facts. DEVICE is a device, and SERVICE "
        + "a service."
    ),
    (.value, "Words within values", "Days, periods, services, words of the standard facts, and units."),
  ]

  /// The kinds of words that the page lists in a table.
  private static let tables: Set<LanguageWord.Kind> = [.keyword, .property, .value]

  private static func block(_ word: LanguageWord) -> String {
    var parts = ["### `\(word.name)`", word.meaning, "```text\n\(word.form)\n```"]
    if !word.rule.isEmpty { parts.append(word.rule) }
    parts.append("```\(word.example.isItem ? "stint fragment" : "text")\n\(word.example.text)\n```")
    return parts.joined(separator: "\n\n")
  }

  private static func table(_ words: [LanguageWord]) -> String {
    (["| Word | Meaning |", "|---|---|"]
      + words.map { "| `\($0.kind == .property && !$0.form.isEmpty ? $0.form : $0.name)` | \($0.meaning) |" })
      .joined(separator: "\n")
  }
}
