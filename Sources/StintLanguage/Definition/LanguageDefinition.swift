/// The single definition of the language's words: functions, verbs, settings, triggers, operators, keywords,
/// properties and words within values.
///
/// Each word is one value. The parser and the checker look words up here. `stint explain`, editors, the word
/// lists of the grammar and `grammar/REFERENCE.md` use the same values.
public enum LanguageDefinition {
  /// Every word with its meaning: keywords first, then operators that are not a single word, functions,
  /// settings, properties and words within values.
  public static let words: [LanguageWord] =
    keywords.map(\.word)
    + operators.filter { !$0.name.allSatisfy(\.isLetter) }.map(\.word) + functions.map(\.word)
    + settings.map(\.word) + properties + values

  /// Returns all meanings of a word; empty when the language does not define it.
  public static func words(named name: String) -> [LanguageWord] {
    let name = technicalTerms[name] ?? name
    return words.filter { $0.name == name }
  }

  /// Terms of the documentation and of reports that are not words of policies, each with the word to which it
  /// refers.
  private static let technicalTerms = ["latch": "release", "hysteresis": "release"]

  private static let functionsByName = Dictionary(uniqueKeysWithValues: functions.map { ($0.name, $0) })

  /// Returns the function of this name; nil for any other name.
  public static func function(_ name: String) -> FunctionDefinition? { functionsByName[name] }

  private static let keywordsByName = Dictionary(uniqueKeysWithValues: keywords.map { ($0.name, $0) })

  /// Returns the keyword of this name; nil for any other name.
  public static func keyword(_ name: String) -> KeywordDefinition? { keywordsByName[name] }

  /// The keywords that begin items.
  public static let itemNames = keywords.filter { $0.word.kind == .item }.map(\.name)

  /// Words that join expressions, and therefore cannot be names of facts.
  public static let joiningWords = keywords.filter { $0.group == .operatorWord && $0.name != "last" }
    .map(\.name)

  /// Words that may follow a number and are not units.
  public static let wordsAfterNumbers = keywords.filter(\.endsNumber).map(\.name)
}
