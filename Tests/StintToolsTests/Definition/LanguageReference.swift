import StintLanguage

/// The reference of the language as a page, made from its definition.
enum LanguageReference {
  static var text: String {
    var parts = [head]
    for (kind, title, sentence) in sections {
      parts.append("## \(title)\n\n\(sentence)")
      let words = LanguageDefinition.words.filter { $0.kind == kind }
      parts += kind == .keyword ? [table(words)] : words.map(block)
    }
    return parts.joined(separator: "\n\n") + "\n"
  }

  private static let head = """
    # Reference of the policy language

    Made from the definition of the language by `STINT_RECORD=1 swift test --filter LanguageDefinitionTests`.
    `stint explain WORD` prints the same. Forms are written as in `stint.ebnf`; in those of functions, capitals
    stand for arguments. Each example checks with these lines in front of it, on the reference phone:

    ```stint
    \(LanguageExample.header.dropLast())
    ```
    """

  private static let sections: [(LanguageWord.Kind, String, String)] = [
    (.item, "Items", "What a policy is made of."),
    (.trigger, "Triggers", "When a rule acts."),
    (.verb, "Verbs", "What a rule wants of devices, and what it does once."),
    (
      .operator, "Operators",
      "From loose to tight. Conditions are true, false or unknown; a rule acts only on true."
    ),
    (.function, "Functions", "What conditions ask. Of a device that is not there all is unknown, or false."),
    (.setting, "Settings", "What demands, defaults and transfers say."),
    (.keyword, "Other keywords", "Words within the forms above."),
  ]

  private static func block(_ word: LanguageWord) -> String {
    var parts = ["### `\(word.name)`", word.meaning, "```text\n\(word.form)\n```"]
    if !word.rule.isEmpty { parts.append(word.rule) }
    parts.append("```\(word.example.isItem ? "stint fragment" : "text")\n\(word.example.text)\n```")
    return parts.joined(separator: "\n\n")
  }

  private static func table(_ words: [LanguageWord]) -> String {
    (["| Word | Meaning |", "|---|---|"] + words.map { "| `\($0.name)` | \($0.meaning) |" }).joined(
      separator: "\n")
  }
}
