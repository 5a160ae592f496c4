import StintModel

extension LanguageDefinition {
  /// Every operator, from loose to tight.
  public static let operators: [OperatorDefinition] = logic + comparisons + arithmetic

  private static let logic: [OperatorDefinition] = [
    OperatorDefinition(
      "implies", .expression, .condition, "expression", rule: "It joins two conditions.",
      "False only where the left side is true and the right side is not.",
      example: "gps.on implies battery.level > 20 %"),
    OperatorDefinition(
      "or", .or, .condition, "and", rule: "It joins conditions.",
      "True when one side is, false when both are, and otherwise unknown.",
      example: "motion.activity is still or battery.level < 20 %"),
    OperatorDefinition(
      "and", .and, .condition, "temporal", rule: "It joins conditions.",
      "True when both sides are, false when one is, and otherwise unknown.",
      example: "motion.activity is still and battery.level < 20 %"),
    OperatorDefinition(
      "for", .temporal, .time, "measure [ \"tolerate\" quantity ]",
      rule: "It joins a condition and a span of time.",
      "True when the condition has been true without a gap for the span; behind a directive, its end.",
      example: "not gps.on for 4 min tolerate 30 s"),
    OperatorDefinition(
      "in last", .temporal, .time, "quantity", rule: "It joins a condition and a span of time.",
      "True when the condition was true at any time in the span up to now.",
      example: "motion.activity is walking in last 10 min"),
    OperatorDefinition(
      "not", .not, .condition, "not", rule: "It takes one condition.",
      "True when the condition is false, false when it is true, and otherwise unknown.",
      example: "not motion.activity is still"),
  ]

  private static let comparisons: [OperatorDefinition] =
    [
      compared("<", "True when the left side is less.", "battery.level < 20 %"),
      compared("<=", "True when the left side is less, or as much.", "battery.level <= 20 %"),
      compared(">", "True when the left side is more.", "gps.accuracy > 50 m"),
      compared(">=", "True when the left side is more, or as much.", "gps.accuracy >= 50 m"),
      OperatorDefinition(
        "==", .comparison, .alike, "sum", rule: equality, "True when both sides are the same.",
        example: "motion.activity == walking"),
      OperatorDefinition(
        "!=", .comparison, .alike, "sum", rule: equality, "True when the sides are not the same.",
        example: "motion.activity != walking"),
      threshold(.below, "True from below the threshold on until the value is above its release."),
      threshold(.above, "True from above the threshold on until the value is below its release."),
      OperatorDefinition(
        "between", [.init(), .init(word: "and")], rule: "Value and limits have one dimension.",
        "True when the value is a limit or lies between them: value >= low and value <= high.",
        example: "gps.accuracy between 10 m and 50 m",
        check: { $0.between($1[0], $1[1], $1[2], $2) }),
      OperatorDefinition(
        "is", .comparison, .word, "NAME", rule: "It joins a fact of words and one of its words.",
        "True when the fact is this word.", example: "motion.activity is walking"),
      OperatorDefinition(
        "in", .comparison, .word, "( LIST | \"[\" member { \",\" member } \"]\" )",
        rule: "It joins a fact of words and a list of its words, or time and a schedule.",
        "True when the fact is one of the words, or local time lies in the schedule.",
        example: "motion.activity in [walking, running] or time in night"),
    ]

  private static let measure = "Both sides have one dimension; an unknown side makes it unknown."
  private static let equality = "Both sides have one dimension, or are a fact of words and one of its words."

  private static func compared(_ name: String, _ meaning: String, _ example: String) -> OperatorDefinition {
    OperatorDefinition(name, .comparison, .alike, "sum", rule: measure, meaning, example: example)
  }

  private static func threshold(_ side: LatchSide, _ meaning: String) -> OperatorDefinition {
    OperatorDefinition(
      side.rawValue, [.init(), .init(word: "release", isOptional: true)],
      rule: "Value, threshold and release have one dimension.", meaning,
      example: side == .below
        ? "battery.level below 20 % release 25 %" : "gps.speed above 3 m/s release 2 m/s",
      check: { checker, operands, span in
        checker.latch(side, operands[0], operands[1], operands.count > 2 ? operands[2] : nil, span)
      })
  }

  private static let arithmetic: [OperatorDefinition] = [
    OperatorDefinition(
      "+", .sum, .alike, "term", rule: "Both sides have one dimension, and the sum has it too.",
      "The sum of both sides.",
      example: "gps.accuracy + 10 m < 60 m"),
    OperatorDefinition(
      "-", .sum, .alike, "term", rule: "Both sides have one dimension, and the difference has it too.",
      "The left side less the right side; in front of a number, its negation.",
      example: "gps.accuracy - 10 m < 40 m"),
    OperatorDefinition(
      "*", .term, .number, "factor", rule: "The dimensions of both sides are multiplied.",
      "The product of both sides.", example: "gps.speed * 10 s < 50 m"),
    OperatorDefinition(
      "/", .term, .number, "factor", rule: "The dimension of the left side is divided by that of the right.",
      "The left side divided by the right side; unknown where that is not finite.",
      example: "gps.distance / 60 s > 1 m/s"),
  ]

  /// The comparisons by words, in the order of the grammar.
  static let wordedComparisons = operators.filter { $0.comparing != nil }

  /// The comparison by this word; nil for any other name.
  static func wordedComparison(_ name: String) -> OperatorDefinition? {
    wordedComparisons.first { $0.name == name }
  }
}
