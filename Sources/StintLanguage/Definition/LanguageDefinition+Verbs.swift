/// What a directive or an act says, and how it is read.
public struct VerbDefinition: Sendable {
  public let word: LanguageWord
  /// Reads what stands behind the verb; its ending is read by the caller.
  let parse: @Sendable (inout Parser, Name) -> SyntaxStatement.Kind

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
      "Demands the device, on behalf of a client; limits of other rules hold. Or has orientation followed, or "
        + "lets tasks of transfers begin that were not resumed.",
      example: .directive("start gps for \"trail-app\" with { accuracy 100 m  rate 1 per 1 min }"),
      parse: { parser, _ in parser.start() }),
    VerbDefinition(
      "stop", "target [ \"except\" STRING { \",\" STRING } ]",
      "Turns the device off whatever is demanded, except for the clients named. Or stops visits, moves, orientation.",
      example: .directive("stop gps except \"sos\""), parse: { parser, _ in parser.stop() }),
    VerbDefinition(
      "pause", "target", "Lets the device rest while demands on it stand.", example: .directive("pause gps"),
      parse: { parser, _ in .pause(parser.target()) }),
    VerbDefinition(
      "downgrade", "target \"to\" value", rule: "The value is a length, a rate or a parameter.",
      "Limits what demands get to an accuracy or a rate.", example: .directive("downgrade gps to 100 m"),
      parse: { parser, _ in
        let target = parser.target()
        parser.expect(word: "to")
        return .downgrade(target, to: parser.value("an accuracy or a rate"))
      }),
    VerbDefinition(
      "batch", "target \"until\" value { \"or\" value }",
      rule: "A bound is a time, a length, a count of items, an amount of data or a parameter.",
      "Lets the device gather samples or messages and deliver them together, at the first of its bounds.",
      example: .directive("batch gps until 2 km or 15 min"), parse: { parser, _ in parser.batch() }),
    VerbDefinition(
      "defer", "target [ \"until\" expression \"deadline\" quantity ]", rule: "The deadline is a time.",
      "Holds work back until a condition is true, at most to its deadline.",
      example: .directive("defer cell until net.kind is wifi deadline 18 h"),
      parse: { parser, verb in parser.deferral(verb) }),
    VerbDefinition(
      "watch", "NAME \"on\" target",
      "Demands the device as finely as the zone is wide, so that coming and going are noticed; or has visits or moves "
        + "told by it.", example: .directive("watch home on gps"),
      parse: { parser, _ in
        let name = parser.name("what to watch")
        parser.expect(word: "on")
        return .watch(name, on: parser.target())
      }),
  ]

  private static let acts: [VerbDefinition] = [
    VerbDefinition(
      "fix", "target \"to\" quantity \"timeout\" quantity",
      rule: "The accuracy is a length, the timeout a time.",
      "Takes one position of an accuracy, trying no longer than the timeout.",
      example: .act("fix gps to 50 m timeout 30 s"),
      parse: { parser, _ in
        let target = parser.target()
        parser.expect(word: "to")
        let accuracy = parser.quantity("an accuracy")
        parser.expect(word: "timeout")
        return .fix(target, accuracy: accuracy, timeout: parser.quantity("a span of time"))
      }),
    VerbDefinition(
      "flush", "target", "Delivers what the device has gathered, now.", example: .act("flush gps"),
      parse: { parser, _ in .flush(parser.target()) }),
    VerbDefinition(
      "emit", "STRING", "Sends an event to the host, once.", example: .act("emit \"battery-low\""),
      parse: { parser, _ in .emit(parser.string("the event's name in quotes")) }),
    VerbDefinition(
      "tell", "STRING STRING", "Sends a text to a client, once.",
      example: .act("tell \"trail-app\" \"saving power\""),
      parse: { parser, _ in
        let client = parser.string("the client's name in quotes")
        return .tell(client, parser.string("a text in quotes"))
      }),
    VerbDefinition(
      "launch", "STRING", "Asks the host to start a client, once.", example: .act("launch \"trail-app\""),
      parse: { parser, _ in .launch(parser.string("the client's name in quotes")) }),
  ]

  private static let verbsByName = Dictionary(uniqueKeysWithValues: verbs.map { ($0.name, $0) })

  /// The verb of this name; nil for any other word.
  public static func verb(_ name: String) -> VerbDefinition? { verbsByName[name] }

  /// The names of all verbs.
  static let verbNames = Set(verbs.map(\.name))
}
