/// What a command was called with, once it fits the command's form.
package struct Arguments: Hashable, Sendable {
  package var operands: [String] = []
  package var flags: Set<String> = []
  package var values: [String: String] = [:]

  package func has(_ flag: String) -> Bool { flags.contains(flag) }

  /// The value as it was given; nil when the option was not.
  package func text(_ option: String) -> String? { values[option] }

  /// The value as a whole number within a range.
  package func number<Value: FixedWidthInteger>(
    _ option: String, in range: ClosedRange<Value>, otherwise fallback: Value
  ) throws(UsageError) -> Value {
    guard let text = values[option] else { return fallback }
    guard let number = Value(text), range.contains(number) else {
      throw UsageError(
        "--\(option) is “\(text)”, and takes a whole number from \(range.lowerBound) to \(range.upperBound)",
        hint: "as in --\(option) \(fallback)")
    }
    return number
  }

  /// The value as a positive number.
  package func factor(_ option: String, otherwise fallback: Double) throws(UsageError) -> Double {
    guard let text = values[option] else { return fallback }
    guard let number = Double(text), number.isFinite, number > 0 else {
      throw UsageError("--\(option) is “\(text)”, and takes a number above 0", hint: "as in --\(option) 60")
    }
    return number
  }
}
