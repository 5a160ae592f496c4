/// A word that the parser recognizes, with its colour in editors.
public struct KeywordDefinition: Sendable {
  /// The colour group of the word in editors.
  public enum Group: String, Hashable, Sendable, CaseIterable {
    case declaration, control, directive, operatorWord, other
  }

  /// The name, form and meaning of the keyword.
  public let word: LanguageWord
  /// The colour group of the keyword in editors.
  public let group: Group
  /// True when the word may follow a bare number on its line. The parser then never reads the word as a unit.
  public let endsNumber: Bool

  /// The keyword as written in a policy.
  public var name: String { word.name }
}

extension LanguageDefinition {
  /// Every keyword once: words that begin items, triggers, verbs, operators, then the other words of the
  /// grammar.
  public static let keywords: [KeywordDefinition] =
    items + triggers.map { KeywordDefinition(word: $0.word, group: .control, endsNumber: false) }
    + verbs.map { KeywordDefinition(word: $0.word, group: .directive, endsNumber: true) }
    + operators.filter { $0.name.allSatisfy(\.isLetter) }
    .map { KeywordDefinition(word: $0.word, group: .operatorWord, endsNumber: true) } + clauses

  private static let items: [KeywordDefinition] = [
    item(
      "use", "\"use\" path [ \".\" \"*\" ] [ \"where\" expression ] \"as\" NAME [ \"required\" ]",
      "Gives a short name to a device. `location.*` is the most accurate device whose name begins with "
        + "`location.`.", "use radio.wifi as wifi required"),
    item(
      "let", "\"let\" NAME \"=\" expression", "Gives a name to a condition or a value.",
      "let moving = motion.activity is walking"),
    item(
      "param", "\"param\" NAME \"=\" quantity \"in\" quantity \"..\" quantity",
      "Gives a name to a quantity that may be changed within its range.",
      "param hold = 500 m in 100 m .. 2 km"),
    item(
      "schedule", "\"schedule\" NAME \"=\" window { \",\" window }",
      "Names windows of local time. The windows remain correct when the clock changes.",
      "schedule office = weekdays 08:00..18:00"),
    item(
      "zone", "\"zone\" NAME \"=\" …", "Names an area: a circle, or the range of a beacon.",
      "zone work = circle 47.06 8.30 radius 200 m"),
    item(
      "default", "\"default\" path settings", "Gives a device the settings that a demand does not specify.",
      "default gps { accuracy 10 m }"),
    item(
      "rule", "\"rule\" NAME [ STRING ] [ \"over\" RULE { \",\" RULE } ] trigger block",
      "Specifies directives for devices, and when they are in force.",
      "rule still while motion.activity is still for 4 min { pause gps }"),
    item(
      "machine", "\"machine\" NAME \"starts\" NAME \"{\" { state } \"}\"",
      "Declares states, of which exactly one is active at a time.", machineExample),
    item(
      "budget",
      "\"budget\" NAME \"=\" quantity \"per\" NAME [ \"from\" CLOCK ] \"on\" target \"{\" { step } \"}\"",
      "Declares an energy per period, and directives that apply after a share of this energy is used.",
      "budget trail = 1500 J per day from 04:00 on gps {\n  at 80 % { downgrade gps to 50 m }\n}"),
    item(
      "require", "\"require\" expression",
      "States a condition that must always be true: proved if possible, monitored if not.",
      "require wakeups(gps) <= 60 per h"),
    item(
      "test", "\"test\" STRING \"{\" { event | \"given\" assignments | expectation } \"}\"",
      "Runs the policy in virtual time and checks its decisions.",
      "test \"off at first\" {\n  given battery.level = 80 %\n  expect gps is off at 1 s\n}"),
  ]

  private static let machineExample =
    "machine trip starts parked {\n  state parked { goto riding when motion.activity is running }\n"
    + "  state riding { goto parked when motion.activity is still for 5 min }\n}"
  private static let testExample =
    "given battery.level = 80 %\n  at 1 min set battery.level = 15 %\n  expect gps is off by 2 min"

  private static func item(_ name: String, _ form: String, _ meaning: String, _ example: String)
    -> KeywordDefinition
  {
    KeywordDefinition(
      word: LanguageWord(
        kind: .item, name: name, form: form, rule: "", meaning: meaning, example: .item(example)),
      group: .declaration, endsNumber: true)
  }

  private static func clause(
    _ name: String, in group: KeywordDefinition.Group = .other, endsNumber: Bool = true, _ meaning: String,
    _ example: LanguageExample
  ) -> KeywordDefinition {
    KeywordDefinition(
      word: LanguageWord(
        kind: .keyword, name: name, form: "", rule: "", meaning: meaning, example: example),
      group: group, endsNumber: endsNumber)
  }

  /// The words within items, triggers, directives and conditions.
  private static let clauses: [KeywordDefinition] = [
    clause(
      "policy", in: .declaration, endsNumber: false, "Begins a file and names its policy.",
      .item("let low = battery.level < 20 %")),
    clause(
      "version", in: .declaration, endsNumber: false,
      "Gives the policy a version number.", .item("let low = battery.level < 20 %")),
    clause(
      "state", in: .declaration,
      "Declares a state of a machine, with its rules and directives; a “for” in a rule's condition counts from "
        + "the entry into the state.",
      .item(machineExample)),
    clause(
      "goto", in: .control,
      "Leads to another state when the condition is true; a “for” in the condition counts from "
        + "the entry into the state.",
      .item(machineExample)),
    clause("starts", endsNumber: false, "Names the state in which a machine begins.", .item(machineExample)),
    clause(
      "if", in: .control, "Limits a periodic rule to times at which the condition is true.",
      .item("rule check every 15 min if gps.on { flush gps }")),
    clause(
      "flex", "The delay that a periodic rule may add to share a wake-up.",
      .item("rule check every 15 min flex 5 min { flush gps }")),
    clause("given", in: .control, "Sets facts before a test begins.", .test(testExample)),
    clause(
      "expect", in: .control, "States a condition that a test checks, at an instant or by an instant.",
      .test(testExample)),
    clause("set", in: .directive, "Changes the values of facts within a test.", .test(testExample)),
    clause("by", "The instant by which an expectation must have come true.", .test(testExample)),
    clause("attach", in: .directive, "Adds a client's demand within a test.", .test(attachExample)),
    clause("detach", in: .directive, "Ends a client's demands within a test.", .test(attachExample)),
    clause(
      "reload", in: .directive,
      "Reloads the same policies within a test; no decision may change.",
      .test("at 12 min reload\n  expect gps is off at 13 min")),
    clause(
      "because", "Names the rule that must be the cause of the expected decision.", .item(becauseExample)),
    clause(
      "last", in: .operatorWord, "Asks whether a condition was true in the span up to now.",
      .condition("motion.activity is walking in last 10 min")),
    clause(
      "release", in: .operatorWord,
      "The value beyond which a comparison by “below” or “above” becomes false again.",
      .condition("battery.level below 20 % release 25 %")),
    clause(
      "tolerate", in: .operatorWord, "How long the condition may be unknown without restarting the span.",
      .condition("gps.speed < 1 m/s for 4 min tolerate 30 s")),
    clause("as", "Gives a device its short name.", .item("use radio.wifi as wifi")),
    clause(
      "where", endsNumber: false, "Selects a device by a condition on its manifest.",
      .item("use radio.wifi where vendor == \"Stint reference phone\" as wifi")),
    clause(
      "required", "Rejects the policy if the host lacks the device.",
      .item("use radio.wifi as wifi required")),
    clause(
      "circle", endsNumber: false, "A zone by latitude, longitude and radius.",
      .item("zone work = circle 47.06 8.30 radius 200 m")),
    clause(
      "radius", "The radius of a zone.", .item("zone work = circle 47.06 8.30 radius 200 m")
    ),
    clause("beacon", endsNumber: false, "A zone that is the range of a beacon.", .item(beaconExample)),
    clause("major", "The first number of a beacon.", .item(beaconExample)),
    clause("minor", "The second number of a beacon.", .item(beaconExample)),
    clause(
      "enter_after", "How long the host must be inside the zone before it counts as inside.",
      .item("zone work = circle 47.06 8.30 radius 200 m enter_after 30 s")),
    clause(
      "exit_after", "How long the host must be outside the zone before it counts as outside.",
      .item("zone work = circle 47.06 8.30 radius 200 m exit_after 1 min")),
    clause(
      "over", endsNumber: false,
      "Overrides other rules while this rule is active, for the targets that both rules name.",
      .item(
        "rule pack always { batch gps until 5 min }\nrule busy over pack while screen.on { batch gps until 10 s }"
      )),
    clause(
      "at", "An instant of a test, a share of a budget, or part of a limit (at most).",
      .item("budget trail = 1500 J per day on gps {\n  at 80 % { downgrade gps to 50 m }\n}")),
    clause(
      "most", endsNumber: false, "Limits how often a rule acts, or a directive runs.",
      .item("rule out when exit(home) at most 1 per 5 min { flush gps }")),
    clause(
      "times", "Limits the number of runs of a directive.",
      .act("stop gps for 5 min doubling to 1 h at most 8 times")),
    clause(
      "doubling", "Doubles the duration at each repetition, up to the ceiling.",
      .act("stop gps for 5 min doubling to 1 h")),
    clause(
      "to", "The limit of a directive, or the ceiling of a doubling.", .directive("downgrade gps to 100 m")),
    clause(
      "until", "The bounds of a batch, or the condition that ends a defer.",
      .directive("batch gps until 2 km or 15 min")),
    clause(
      "deadline", "The longest time for which work is deferred; after this time, the work is released.",
      .directive("defer cell until net.kind is wifi deadline 18 h")),
    clause("timeout", "How long a fix may take at most.", .act("fix gps to 50 m timeout 30 s")),
    clause(
      "except", "Names clients whose demands a stop does not affect.", .directive("stop gps except \"sos\"")),
    clause(
      "with", "Settings of a demand.", .directive("start gps for \"trail-app\" with { accuracy 100 m }")),
    clause(
      "on", "The devices of a watch, a budget or a client's demand.",
      .directive("watch home on gps")),
    clause(
      "per", "Turns a number into a rate, or gives a budget its period.",
      .condition("wakeups(gps) > 60 per h")),
    clause(
      "from", endsNumber: false, "The time of day at which the period of a budget begins.",
      .item("budget trail = 1500 J per day from 04:00 on gps {\n  at 80 % { downgrade gps to 50 m }\n}")),
  ]

  private static let attachExample =
    "at 0 s attach \"app\" on gps with { accuracy 10 m }\n  at 1 min detach \"app\"\n  expect gps is off by 2 min"
  private static let beaconExample = "zone desk = beacon \"desk\" major 1 minor 2"
  private static let becauseExample =
    "rule low while battery.level < 20 % { stop gps }\n\ntest \"low\" {\n  given battery.level = 10 %\n"
    + "  at 0 s attach \"app\" on gps\n  expect gps is off at 1 min because low\n}"
}
