import StintModel

/// What rules do to each other: never holding, always holding, beating, making needless.
enum Conflicts {
  static func findings(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> [Finding] {
    let book = RuleBook(policies, vocabulary: vocabulary)
    return Reachability.findings(book) + Overruled(book: book).findings() + Shadowed(book: book).findings()
      + NoEffect(book: book).findings()
  }
}
