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
  /// The use of the file whose path is the value; nil when the value is not a path.
  package var use: FileUse?
  /// The range of an integer value; nil for other values.
  package var integers: IntegerRule?
  /// The advice when the option is missing; nil when the option may be omitted.
  package var requirement: String?
  /// The option without which this option has no effect, with the advice when that option is missing; nil
  /// when this option needs no other option.
  package var prerequisite: Prerequisite?

  /// An option that another option requires. Without this option, the other option has no effect.
  package struct Prerequisite: Hashable, Sendable {
    package var name: String
    package var hint: String
  }

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

  /// Returns an option with an integer value within a range.
  package static func integer(
    _ name: String, _ value: String, in range: ClosedRange<UInt64>, otherwise fallback: UInt64? = nil,
    example: UInt64 = 1, _ meaning: String
  ) -> OptionDefinition {
    var option = OptionDefinition.value(name, value, meaning)
    option.integers = IntegerRule(range: range, fallback: fallback, example: fallback ?? example)
    return option
  }

  /// Returns a copy of the option whose value is the path of a file with this use.
  package func file(_ use: FileUse) -> OptionDefinition {
    var option = self
    option.use = use
    return option
  }

  /// Returns a copy of the option that must be given.
  ///
  /// - Parameter hint: the advice when it is missing.
  package func required(_ hint: String) -> OptionDefinition {
    var option = self
    option.requirement = hint
    return option
  }

  /// Returns a copy of the option that requires the option `name`: without `name`, the copy has no effect.
  ///
  /// - Parameter hint: the advice when the option `name` is missing.
  package func needing(_ name: String, _ hint: String) -> OptionDefinition {
    var option = self
    option.prerequisite = Prerequisite(name: name, hint: hint)
    return option
  }

  /// The description for help, with the range and the default of an integer.
  var note: String {
    guard let limits = integers?.note, !limits.isEmpty else { return meaning }
    return "\(meaning) (\(limits))"
  }

  /// The words on the command line that select the option.
  package var words: [String] { ["--\(name)"] + (letter.map { ["-\($0)"] } ?? []) }

  /// The option as help shows it: `--seed N`, `-o IMAGE`.
  package var spelling: String {
    let word = letter.map { "-\($0)" } ?? "--\(name)"
    return value.map { "\(word) \($0)" } ?? word
  }
}
