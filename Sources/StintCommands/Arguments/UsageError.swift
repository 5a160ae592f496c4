/// An error in the use of a command: the problem, and a hint with the remedy.
package struct UsageError: Error, Hashable, Sendable {
  package var sentence: String
  package var hint: String

  package init(_ sentence: String, hint: String) {
    self.sentence = sentence
    self.hint = hint
  }
}
