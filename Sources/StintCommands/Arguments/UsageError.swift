/// A call that no command can do: what is wrong with it, and what to try.
package struct UsageError: Error, Hashable, Sendable {
  package var sentence: String
  package var hint: String

  package init(_ sentence: String, hint: String) {
    self.sentence = sentence
    self.hint = hint
  }
}
