import StintModel

extension LanguageDefinition {
  /// Every operator, in order of increasing precedence.
  public static let operators: [OperatorDefinition] = logic + comparisons + arithmetic

  private static let logic: [OperatorDefinition] = [
    OperatorDefinition(
      "implies", .expression, .condition, "expression", rule: "It joins two conditions.",
      "False only where the left side is true and the right side is not.",
      example: "gps.on implies battery.level > 20 %"),
    OperatorDefinition(
      "or", .or, .condition, "and", rule: "It joins conditions.",
      "True when one side is true, false when both are false, unknown in all other cases.",
      example: "motion.activity is still or battery.level < 20 %"),
    OperatorDefinition(
      "and", .and, .condition, "temporal", rule: "It joins conditions.",
      "True when both sides are true, false when one is false, unknown in all other cases.",
      example: "motion.activity is still and battery.level < 20 %"),
    OperatorDefinition(
      "for", .temporal, .time, "( measure | VALUE ) [ \"tolerate\" quantity ]",
      rule: "It joins a condition and a span of time.",
      "True when the condition was true during the whole span up to now; after a directive, its duration.",
      example: "not gps.on for 4 min tolerate 30 s"),
    OperatorDefinition(
      "in last", .temporal, .time, "quantity", rule: "It joins a condition and a span of time.",
      "True when the condition was true at any instant of the span up to now.",
      example: "motion.activity is walking in last 10 min"),
    OperatorDefinition(
      "not", .not, .condition, "not", rule: "It negates one condition.",
      "True when the condition is false, false when it is true, unknown when it is unknown.",
      example: "not motion.activity is still"),
  ]

  private static let comparisons: [OperatorDefinition] =
    [
      compared("<", "True when the left side is less than the right side.", "battery.level < 20 %"),
      compared(
        "<=", "True when the left side is less than or equal to the right side.",
        "battery.level <= 20 %"),
      compared(">", "True when the left side is greater than the right side.", "gps.accuracy > 50 m"),
      compared(
        ">=", "True when the left side is greater than or equal to the right side.",
        "gps.accuracy >= 50 m"),
      OperatorDefinition(
        "==", .comparison, .alike, "sum", rule: equalityRule, "True when both sides are equal.",
        example: "motion.activity == walking"),
      OperatorDefinition(
        "!=", .comparison, .alike, "sum", rule: equalityRule, "True when the sides are not equal.",
        example: "motion.activity != walking"),
      threshold(
        .below, "Becomes true below the threshold and stays true until the value is above the release."),
      threshold(
        .above, "Becomes true above the threshold and stays true until the value is below the release."),
      OperatorDefinition(
        "between", [.init(), .init(word: "and")], rule: "Value and limits have the same dimension.",
        "True when the value lies between the limits or equals a limit: value >= low and value <= high.",
        example: "gps.accuracy between 10 m and 50 m",
        check: { $0.between($1[0], $1[1], $1[2], $2) }),
      OperatorDefinition(
        "is", .comparison, .word, "[ \"not\" ] WORD",
        rule: "It compares a fact whose values are words with one of these words.",
        "True when the value of the fact is this word; with “not”, when it is another word.",
        example: "motion.activity is not walking"),
      OperatorDefinition(
        "in", .comparison, .word, "( LIST | \"[\" member { \",\" member } \"]\" )",
        rule: "It compares a fact whose values are words with a list of them, or local time with a schedule.",
        "True when the value of the fact is one of the words, or local time lies in the schedule.",
        example: "motion.activity in [walking, running] or time in night"),
    ]

  private static let measureRule =
    "Both sides have the same dimension; the result is unknown if a side is unknown."
  private static let equalityRule =
    "Both sides have the same dimension, or one side is a fact and the other is one of its words."

  private static func compared(_ name: String, _ meaning: String, _ example: String) -> OperatorDefinition {
    OperatorDefinition(name, .comparison, .alike, "sum", rule: measureRule, meaning, example: example)
  }

  private static func threshold(_ side: LatchSide, _ meaning: String) -> OperatorDefinition {
    OperatorDefinition(
      side.rawValue, [.init(), .init(word: "release", isOptional: true)],
      rule: "Value, threshold and release have the same dimension.", meaning,
      example: side == .below
        ? "battery.level below 20 % release 25 %" : "gps.speed above 3 m/s release 2 m/s",
      check: { checker, operands, span in
        checker.latch(side, operands[0], operands[1], operands.count > 2 ? operands[2] : nil, span)
      })
  }

  private static let arithmetic: [OperatorDefinition] = [
    OperatorDefinition(
      "+", .sum, .alike, "term", rule: "Both sides have the same dimension, which is also that of the sum.",
      "The sum of both sides.",
      example: "gps.accuracy + 10 m < 60 m"),
    OperatorDefinition(
      "-", .sum, .alike, "term",
      rule: "Both sides have the same dimension, which is also that of the difference.",
      "The left side minus the right side; before a single operand, its negation.",
      example: "gps.accuracy - 10 m < 40 m"),
    OperatorDefinition(
      "*", .term, .number, "factor", rule: "The dimensions of both sides are multiplied.",
      "The product of both sides.", example: "gps.speed * 10 s < 50 m"),
    OperatorDefinition(
      "/", .term, .number, "factor", rule: "The dimension of the left side is divided by that of the right.",
      "The left side divided by the right side; unknown when the quotient is not finite.",
      example: "gps.distance / 60 s > 1 m/s"),
  ]

  /// The comparisons that are written as words, such as `between`, in the order of the grammar.
  static let wordedComparisons = operators.filter { $0.comparing != nil }

  /// Returns the comparison operator that is written as this word; nil for any other name.
  package static func wordedComparison(_ name: String) -> OperatorDefinition? {
    wordedComparisons.first { $0.name == name }
  }
}
