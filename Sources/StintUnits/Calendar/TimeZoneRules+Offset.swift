extension TimeZoneRules {
  /// Creates the rules of a fixed offset from UTC, positive to the east: `UTC`, `UTC+1`, `UTC-03:30`. Nil for
  /// any other name.
  ///
  /// Sites, scenarios and commands call this initializer before they parse a POSIX rule. So `UTC+1` is always
  /// one hour ahead of UTC, although the POSIX rule `UTC+1` has the opposite sign.
  ///
  /// - Throws: a `Problem` of the kind `value` when the offset is not below 24 h.
  public init?(distanceFromUTC name: String) throws(Problem) {
    guard name.hasPrefix("UTC") else { return nil }
    let rest = name.dropFirst(3)
    guard let sign = rest.first else {
      self = .utc
      return
    }
    guard sign == "+" || sign == "-" else { return nil }
    let parts = rest.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    let isNumeric = parts.allSatisfy {
      (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy { (48...57).contains($0) }
    }
    let numbers = parts.compactMap { Int64($0) }
    guard isNumeric, (1...2).contains(numbers.count), numbers[0] < 24,
      numbers.dropFirst().allSatisfy({ $0 < 60 })
    else {
      throw Problem(
        .value, cause: "“\(name)” is not a valid offset; write hours and minutes below 24 h",
        remedy: "write UTC+1 or UTC-3:30")
    }
    self = .fixed(.minutes((sign == "-" ? -1 : 1) * (numbers[0] * 60 + (numbers.count > 1 ? numbers[1] : 0))))
  }
}
