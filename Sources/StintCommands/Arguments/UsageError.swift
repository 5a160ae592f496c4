/// A call that no command can do: what is wrong with it, and what to try.
struct UsageError: Error, Hashable, Sendable {
  var sentence: String
  var hint: String

  init(_ sentence: String, hint: String) {
    self.sentence = sentence
    self.hint = hint
  }
}
