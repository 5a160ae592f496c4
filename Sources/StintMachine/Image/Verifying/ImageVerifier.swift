import StintModel
public import StintUnits

/// An image of which every index, stack and span has been looked at; only the verifier makes one.
public struct VerifiedImage: Hashable, Sendable {
  public let image: Image

  fileprivate init(image: Image) { self.image = image }

  /// An image without rules.
  public static let empty = VerifiedImage(image: Image())
}

/// Looks at everything that a machine would otherwise have to check at every step; trusts nothing.
public enum ImageVerifier {
  /// The image, safe to run, or the first reason why it is not.
  public static func verify(_ image: Image) throws(Problem) -> VerifiedImage {
    try verify(image) { _ in .any }
  }

  /// Verifies the image with known values of facts, by their numbers in the vocabulary.
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
          image.rules.indices.contains(rule), .index, "the overrides", "one names rule \(rule)")
      }
    }
    return VerifiedImage(image: image)
  }

  /// Whether a span is missing, or positive and short enough.
  static func isSpan(_ span: TimeSpan?) -> Bool {
    span.map { $0 > .zero && $0 <= PolicyLimits.longestSpan } ?? true
  }

  /// Whether a span is missing, or one that a timer of a rule may wait for again and again.
  static func isTimed(_ span: TimeSpan?) -> Bool { span.map(PolicyLimits.allows) ?? true }

  /// Whether a span is missing, none, short enough, or has no end.
  static func isWait(_ span: TimeSpan?) -> Bool {
    span.map { $0 >= .zero && ($0 <= PolicyLimits.longestSpan || $0 == .unlimited) } ?? true
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
