import StintLanguage

/// The words of the language, in the groups for completion and renaming.
enum Keywords {
  /// The words that begin an item.
  static let items = LanguageDefinition.itemNames.sorted()
  /// The words that join conditions, and therefore cannot be names in a condition.
  static let operators = LanguageDefinition.joiningWords.sorted()
  /// The verbs of directives and one-time actions.
  static let verbs = LanguageDefinition.verbs.map(\.name).sorted()
  /// All words that are not names, including the periods of budgets.
  static let all = Set(LanguageDefinition.keywords.map(\.name) + ["day", "hour", "week", "true", "false"])
  /// The words that cannot be names, because the parser would read them as keywords.
  static let reserved = Set(items + operators + ["true", "false", "last", "unexplained"])
}
