/// The one definition of the language's words: functions, verbs, settings, triggers, operators and keywords.
///
/// Each is one value. Parser and checker look words up here; editors, `stint explain`, the word lists of the
/// grammar, the colours of editors and `grammar/REFERENCE.md` are made from the same values.
public enum LanguageDefinition {
  /// Every word with its meaning: keywords first, then symbols, functions and settings.
  public static let words: [LanguageWord] =
    keywords.map(\.word)
    + operators.filter { !$0.name.allSatisfy(\.isLetter) }.map(\.word) + functions.map(\.word)
    + settings.map(\.word)

  /// All meanings of a word; empty for what is no word of the language.
  public static func words(named name: String) -> [LanguageWord] { words.filter { $0.name == name } }

  private static let functionsByName = Dictionary(uniqueKeysWithValues: functions.map { ($0.name, $0) })

  /// The function of this name; nil for any other name.
  public static func function(_ name: String) -> FunctionDefinition? { functionsByName[name] }

  private static let keywordsByName = Dictionary(uniqueKeysWithValues: keywords.map { ($0.name, $0) })

  /// The keyword of this name; nil for any other name.
  public static func keyword(_ name: String) -> KeywordDefinition? { keywordsByName[name] }

  /// The words that begin items.
  public static let itemNames = keywords.filter { $0.word.kind == .item }.map(\.name)

  /// Words that cannot be the name of a fact, because they join expressions.
  public static let joiningWords = keywords.filter { $0.group == .operatorWord && $0.name != "last" }
    .map(\.name)

  /// Words that may stand behind a number without being its unit.
  public static let wordsBehindNumbers = keywords.filter(\.endsNumber).map(\.name)
}
