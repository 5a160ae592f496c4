/// The definition of an option of a command.
package struct OptionDefinition: Hashable, Sendable {
  /// The name, without the dashes.
  package var name: String
  /// The placeholder for the value in help; nil for a flag.
  package var value: String?
  /// The description for help, without a full stop.
  package var meaning: String
  /// The letter of the short form, such as `o` for `-o`; nil without a short form.
  package var letter: Character?
  /// True when the option may be given several times, each time with one more value.
  package var isRepeatable = false

  package static func flag(_ name: String, _ meaning: String) -> OptionDefinition {
    OptionDefinition(name: name, value: nil, meaning: meaning)
  }

  package static func value(
    _ name: String, _ value: String, _ meaning: String, letter: Character? = nil
  ) -> OptionDefinition {
    OptionDefinition(name: name, value: value, meaning: meaning, letter: letter)
  }

  /// Returns an option with a value that may be given several times.
  package static func values(_ name: String, _ value: String, _ meaning: String) -> OptionDefinition {
    OptionDefinition(name: name, value: value, meaning: meaning, isRepeatable: true)
  }

  /// The words on the command line that select the option.
  package var words: [String] { ["--\(name)"] + (letter.map { ["-\($0)"] } ?? []) }

  /// The option as help shows it: `--seed N`, `-o IMAGE`.
  package var spelling: String {
    let word = letter.map { "-\($0)" } ?? "--\(name)"
    return value.map { "\(word) \($0)" } ?? word
  }
}
