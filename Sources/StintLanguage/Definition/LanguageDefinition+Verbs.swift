/// A verb of directives or one-time actions, and the function that parses it.
public struct VerbDefinition: Sendable {
  /// The name, form and meaning of the verb.
  public let word: LanguageWord
  /// Parses the tokens after the verb. The caller parses the ending of the directive.
  let parse: @Sendable (inout Parser, Name) -> SyntaxStatement.Kind

  /// The verb as written in a policy.
  public var name: String { word.name }

  init(
    _ name: String, _ tail: String, rule: String = "", _ meaning: String, example: LanguageExample,
    parse: @escaping @Sendable (inout Parser, Name) -> SyntaxStatement.Kind
  ) {
    word = LanguageWord(
      kind: .verb, name: name, form: "\"\(name)\" \(tail)", rule: rule, meaning: meaning, example: example)
    self.parse = parse
  }
}

extension LanguageDefinition {
  /// Every verb, in the order of the grammar.
  public static let verbs: [VerbDefinition] = directives + acts

  private static let directives: [VerbDefinition] = [
    VerbDefinition(
      "start", "target [ \"for\" STRING ] [ \"with\" settings ]",
      "Demands the device for a client, within the limits of other rules; or starts orientation, or starts "
        + "transfer tasks that clients have not resumed.",
      example: .directive("start gps for \"trail-app\" with { accuracy 100 m  rate 1 per 1 min }"),
      parse: { parser, _ in parser.start() }),
    VerbDefinition(
      "stop", "target [ \"except\" STRING { \",\" STRING } ]",
      "Turns the device off despite demands, except for the named clients; or stops visits, moves or "
        + "orientation.",
      example: .directive("stop gps except \"sos\""), parse: { parser, _ in parser.stop() }),
    VerbDefinition(
      "pause", "target", "Pauses the device; its demands remain.", example: .directive("pause gps"),
      parse: { parser, _ in .pause(parser.target()) }),
    VerbDefinition(
      "downgrade", "target \"to\" ( value | settings )",
      rule: "The value is a length, a rate or a parameter.",
      "Limits the grants of the device to an accuracy or a rate, or to values of its attributes.",
      example: .directive("downgrade gps to 100 m"),
      parse: { parser, _ in
        let target = parser.target()
        parser.expect(word: "to")
        if parser.token.isSymbol(.openBrace) { return .downgrade(target, to: .settings(parser.settings())) }
        return .downgrade(target, to: .value(parser.value("an accuracy or a rate")))
      }),
    VerbDefinition(
      "batch", "target \"until\" value { \"or\" value }",
      rule: "A bound is a time, a length, a count of items, an amount of data or a parameter.",
      "Lets the device collect samples or messages and deliver them together, at the first bound reached.",
      example: .directive("batch gps until 2 km or 15 min"), parse: { parser, _ in parser.batch() }),
    VerbDefinition(
      "defer", "target [ \"until\" expression \"deadline\" quantity ]", rule: "The deadline is a time.",
      "Defers work until a condition is true, but not beyond the deadline.",
      example: .directive("defer cell until net.kind is wifi deadline 18 h"),
      parse: { parser, verb in parser.deferral(verb) }),
    VerbDefinition(
      "watch", "NAME \"on\" target",
      "Requests single positions of the device when the host can have reached the border of the zone, to "
        + "determine whether the host is inside; or starts visits or moves on the device.",
      example: .directive("watch home on gps"),
      parse: { parser, _ in
        let name = parser.name("a zone, visits or moves")
        parser.expect(word: "on")
        return .watch(name, on: parser.target())
      }),
  ]

  private static let acts: [VerbDefinition] = [
    VerbDefinition(
      "fix", "target \"to\" quantity \"timeout\" quantity",
      rule: "The accuracy is a length, and the timeout is a time.",
      "Requests one position of the given accuracy; the attempt ends at the timeout.",
      example: .act("fix gps to 50 m timeout 30 s"),
      parse: { parser, _ in
        let target = parser.target()
        parser.expect(word: "to")
        let accuracy = parser.quantity("an accuracy")
        parser.expect(word: "timeout")
        return .fix(target, accuracy: accuracy, timeout: parser.quantity("a span of time"))
      }),
    VerbDefinition(
      "flush", "target", "Delivers the buffered samples or messages of the device now.",
      example: .act("flush gps"),
      parse: { parser, _ in .flush(parser.target()) }),
    VerbDefinition(
      "emit", "STRING", "Sends an event to the host, once.", example: .act("emit \"battery-low\""),
      parse: { parser, _ in .emit(parser.string("the event's name in quotes")) }),
    VerbDefinition(
      "tell", "STRING STRING", "Sends a message to a client, once.",
      example: .act("tell \"trail-app\" \"saving power\""),
      parse: { parser, _ in
        let client = parser.string("the client's name in quotes")
        return .tell(client, parser.string("a message in quotes"))
      }),
    VerbDefinition(
      "launch", "STRING", "Asks the host to start a client, once.", example: .act("launch \"trail-app\""),
      parse: { parser, _ in .launch(parser.string("the client's name in quotes")) }),
  ]

  private static let verbsByName = Dictionary(uniqueKeysWithValues: verbs.map { ($0.name, $0) })

  /// Returns the verb of this name; nil for any other word.
  public static func verb(_ name: String) -> VerbDefinition? { verbsByName[name] }

  /// The names of all verbs.
  static let verbNames = Set(verbs.map(\.name))
}
