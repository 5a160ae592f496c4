/// One option that a command takes.
struct OptionForm: Hashable, Sendable {
  /// Without the dashes.
  var name: String
  /// What its value is called in help; nil for a flag.
  var value: String?
  /// What it does, without a full stop.
  var meaning: String

  static func flag(_ name: String, _ meaning: String) -> OptionForm {
    OptionForm(name: name, value: nil, meaning: meaning)
  }

  static func value(_ name: String, _ value: String, _ meaning: String) -> OptionForm {
    OptionForm(name: name, value: value, meaning: meaning)
  }

  /// As help shows it: `--seed N`.
  var spelling: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
}
