/// One option that a command takes.
package struct OptionForm: Hashable, Sendable {
  /// Without the dashes.
  package var name: String
  /// What its value is called in help; nil for a flag.
  package var value: String?
  /// What it does, without a full stop.
  package var meaning: String
  /// A letter that says the same behind one dash: `-o`.
  package var letter: Character?

  package static func flag(_ name: String, _ meaning: String) -> OptionForm {
    OptionForm(name: name, value: nil, meaning: meaning)
  }

  package static func value(
    _ name: String, _ value: String, _ meaning: String, letter: Character? = nil
  ) -> OptionForm {
    OptionForm(name: name, value: value, meaning: meaning, letter: letter)
  }

  /// The words that name it.
  package var words: [String] { ["--\(name)"] + (letter.map { ["-\($0)"] } ?? []) }

  /// As help shows it: `--seed N`, `-o IMAGE`.
  package var spelling: String {
    let word = letter.map { "-\($0)" } ?? "--\(name)"
    return value.map { "\(word) \($0)" } ?? word
  }
}
