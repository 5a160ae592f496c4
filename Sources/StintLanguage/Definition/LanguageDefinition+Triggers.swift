/// A trigger of rules, and the function that parses it.
public struct TriggerDefinition: Sendable {
  /// The name, form and meaning of the trigger.
  public let word: LanguageWord
  /// Parses the tokens after the trigger word. The span is that of the word.
  let parse: @Sendable (inout Parser, SourceSpan) -> SyntaxTrigger

  /// The trigger word as written in a policy.
  public var name: String { word.name }

  init(
    _ name: String, _ tail: String, rule: String, _ meaning: String, example: String,
    parse: @escaping @Sendable (inout Parser, SourceSpan) -> SyntaxTrigger
  ) {
    word = LanguageWord(
      kind: .trigger, name: name, form: "\"\(name)\"" + (tail.isEmpty ? "" : " " + tail), rule: rule,
      meaning: meaning, example: .item(example))
    self.parse = parse
  }
}

extension LanguageDefinition {
  /// Every trigger, in the order of the grammar.
  public static let triggers: [TriggerDefinition] = [
    TriggerDefinition(
      "always", "", rule: "", "The rule is active all the time.",
      example: "rule steps always { batch accel until 60 s }",
      parse: { _, place in .always(place) }),
    TriggerDefinition(
      "while", "expression", rule: "The expression is a condition.",
      "The rule is active exactly while the condition is true.",
      example: "rule still while motion.activity is still for 4 min { pause gps }",
      parse: { parser, _ in .whilst(parser.expression()) }),
    TriggerDefinition(
      "when", "expression [ \"at\" \"most\" quantity ]",
      rule: "The expression is a condition, and the quantity is a rate.",
      "The rule acts once each time the condition becomes true.",
      example: "rule out when exit(home) at most 1 per 5 min { flush gps }",
      parse: { parser, _ in
        let condition = parser.expression()
        guard parser.consume(word: "at", then: "most") else { return .when(condition, atMost: nil) }
        return .when(condition, atMost: parser.quantity("a rate, as in 1 per 5 min"))
      }),
    TriggerDefinition(
      "every", "quantity [ \"flex\" quantity ] [ \"if\" expression ]",
      rule: "Both quantities are times, and the expression is a condition.",
      """
      The rule acts once each period, at its end. With `flex`, the rule waits for the next wake-up, at most for \
      the time of `flex`.
      """,
      example: "rule check every 15 min flex 5 min if motion.activity is still { flush accel }",
      parse: { parser, _ in
        let period = parser.quantity("a span of time")
        let flex = parser.consume(word: "flex") ? parser.quantity("a span of time") : nil
        let condition = parser.consume(word: "if") ? parser.expression() : nil
        return .every(period, flex: flex, condition: condition)
      }),
  ]
}
