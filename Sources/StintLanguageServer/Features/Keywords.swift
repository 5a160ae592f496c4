import StintLanguage

/// The words of the language, as completion and renaming need them.
enum Keywords {
  /// Those that begin an item.
  static let items = LanguageDefinition.itemNames.sorted()
  /// Those that join conditions, and so cannot be read as a name in one.
  static let operators = LanguageDefinition.joiningWords.sorted()
  /// Directives and acts.
  static let verbs = LanguageDefinition.verbs.map(\.name).sorted()
  /// Everything that is not a name, with the periods of budgets.
  static let all = Set(LanguageDefinition.keywords.map(\.name) + ["day", "hour", "week", "true", "false"])
  /// Those that a name would be mistaken for.
  static let reserved = Set(items + operators + ["true", "false", "last", "unexplained"])
}
