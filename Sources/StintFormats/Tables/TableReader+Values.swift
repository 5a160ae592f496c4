import StintUnits

extension TableReader {
  /// A time in seconds, not negative; the field must not be empty.
  func time(_ column: Int) throws(FormatError) -> TimeSpan {
    let seconds = try requiredNumber(column)
    guard seconds >= 0, let time = TimeSpan(seconds: seconds) else {
      throw error(
        .value, seconds < 0 ? "the time is negative" : "the time is too large", column: column,
        step: "times are seconds from the start")
    }
    return time
  }

  /// A number that is not negative; nil where the field is empty.
  func amount(_ column: Int) throws(FormatError) -> Double? {
    guard let number = try number(column) else { return nil }
    if number < 0 {
      throw error(
        .value, "the number is negative", column: column, step: "leave the field empty where it is unknown")
    }
    return number
  }

  /// A whole number that is not negative; the field must not be empty.
  func count(_ column: Int) throws(FormatError) -> Int64 {
    let number = try requiredNumber(column)
    guard number >= 0, let count = Int64(exactly: number) else {
      throw error(.value, "this is no whole number of at least 0", column: column, step: "write it like 1500")
    }
    return count
  }
}
