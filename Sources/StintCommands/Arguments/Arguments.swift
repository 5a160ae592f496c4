/// The parsed arguments of a command line, after `ArgumentParser` has checked them against the
/// `CommandDefinition`.
package struct Arguments: Hashable, Sendable {
  /// The name of the command.
  package var command = ""
  package var operands: [String] = []
  package var flags: Set<String> = []
  package var values: [String: String] = [:]
  /// The values of repeatable options, in their order.
  package var lists: [String: [String]] = [:]

  package func has(_ flag: String) -> Bool { flags.contains(flag) }

  /// Returns true when the option or flag is on the command line.
  package func isGiven(_ option: String) -> Bool {
    flags.contains(option) || values[option] != nil || lists[option] != nil
  }

  /// Returns the value of an option as a string; nil when the option is absent.
  package func text(_ option: String) -> String? { values[option] }

  /// Returns the value of an option that the definition requires.
  package func required(_ option: String) -> String {
    guard let value = values[option] else { preconditionFailure("the parser requires --\(option)") }
    return value
  }

  /// Returns the values of a repeatable option; empty when the option is absent.
  package func list(_ option: String) -> [String] { lists[option] ?? [] }

  /// Returns the value of an option as an integer within a range, or `fallback` when the option is absent.
  ///
  /// - Throws: an error when the value is not an integer within the range.
  package func number<Value: FixedWidthInteger>(
    _ option: String, in range: ClosedRange<Value>, otherwise fallback: Value
  ) throws(UsageError) -> Value {
    guard let text = values[option] else { return fallback }
    guard let number = Value(text), range.contains(number) else {
      throw UsageError(
        "expected an integer, \(range.lowerBound) to \(range.upperBound), for --\(option), found “\(text)”",
        hint: "for example --\(option) \(fallback)")
    }
    return number
  }

  /// Returns the value of an integer option. When the option is absent, returns its default, or nil without a
  /// default.
  ///
  /// - Throws: an error when the value is not an integer within the range of the option.
  /// - Precondition: the definition states a range, and its limits fit the type.
  package func integer<Value: FixedWidthInteger>(
    _ option: OptionDefinition, as type: Value.Type = Value.self
  ) throws(UsageError) -> Value? {
    guard let rule = option.integers else { preconditionFailure("--\(option.name) has no range") }
    guard values[option.name] != nil else { return rule.fallback.map { Value($0) } }
    return try number(
      option.name, in: Value(rule.range.lowerBound)...Value(rule.range.upperBound),
      otherwise: Value(rule.example))
  }

  /// Returns the value of an option as a number above 0, or `fallback` when the option is absent.
  ///
  /// - Throws: an error when the value is not a finite number above 0.
  package func factor(_ option: String, otherwise fallback: Double) throws(UsageError) -> Double {
    guard let text = values[option] else { return fallback }
    guard let number = Double(text), number.isFinite, number > 0 else {
      throw UsageError(
        "expected a number above 0 for --\(option), found “\(text)”", hint: "for example --\(option) 60")
    }
    return number
  }
}
