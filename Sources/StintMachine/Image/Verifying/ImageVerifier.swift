import StintModel
public import StintUnits

/// An image whose indexes, stack use and time spans are verified. Only `ImageVerifier` creates values of this
/// type.
public struct VerifiedImage: Hashable, Sendable {
  /// The verified image.
  public let image: Image

  fileprivate init(image: Image) { self.image = image }

  /// An image without rules.
  public static let empty = VerifiedImage(image: Image())
}

/// Verifies an untrusted image once, so that the rule VM need not check indexes and stack depth at run time.
public enum ImageVerifier {
  /// Returns the verified image.
  ///
  /// - Throws: the first `Problem` that makes the image unsafe to run.
  public static func verify(_ image: Image) throws(Problem) -> VerifiedImage {
    try verify(image) { _ in .any }
  }

  /// Verifies an image. `value` returns the type of a fact for its index in the vocabulary.
  static func verify(
    _ image: Image, value: (Int) -> InstructionForm.Value
  ) throws(Problem) -> VerifiedImage {
    try checkSizes(image)
    try checkNames(image)
    try checkTables(image)
    try checkSlots(image)
    let code = CodeCheck(image: image, facts: image.facts.map { value($0.number) })
    try checkRules(image, code)
    try checkDirectives(image, code)
    try checkLists(image)
    for pair in image.overrides {
      for rule in [pair.winner, pair.loser] {
        try require(
          image.rules.indices.contains(rule), .index, "the overrides", "there is no rule \(rule)")
      }
    }
    return VerifiedImage(image: image)
  }

  /// Returns true when a span is nil, or positive and at most `PolicyLimits.maxSpan`.
  static func isSpan(_ span: TimeSpan?) -> Bool {
    span.map { $0 > .zero && $0 <= PolicyLimits.maxSpan } ?? true
  }

  /// Returns true when a span is nil, or within the limits for repeating timers of rules.
  static func isWithinTimerLimits(_ span: TimeSpan?) -> Bool { span.map(PolicyLimits.allows) ?? true }

  /// Returns true when a span is nil, unlimited, or from zero to `PolicyLimits.maxSpan`.
  static func isWait(_ span: TimeSpan?) -> Bool {
    span.map { $0 >= .zero && ($0 <= PolicyLimits.maxSpan || $0 == .unlimited) } ?? true
  }

  static func require(
    _ condition: Bool, _ code: Problem.Code, _ place: @autoclosure () -> String,
    _ sentence: @autoclosure () -> String
  ) throws(Problem) {
    guard condition else {
      throw Problem(code, place: place(), cause: sentence(), remedy: "compile the policies again")
    }
  }
}
