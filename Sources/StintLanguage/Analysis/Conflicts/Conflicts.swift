import StintModel

/// What rules do to each other: never holding, always holding, beating, making needless.
enum Conflicts {
  static func findings(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> [Finding] {
    let book = RuleBook(policies, vocabulary: vocabulary)
    var overruled = Overruled(book: book)
    var shadowed = Shadowed(book)
    return Reachability.findings(book) + overruled.findings() + shadowed.findings()
      + NoEffect(book: book).findings() + WatchedOnly(book: book, policies: policies).findings()
  }
}
