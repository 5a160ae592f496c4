import StintLanguage

extension DiagnosticCase {
  static let all = lexing + parsing + names + types + rules + capabilities + proofs + clients + advice

  private static let lexing = [
    DiagnosticCase(.strangeCharacter, "let a = screen.on ⟦&&⟧ screen.on"),
    DiagnosticCase(.strangeCharacter, "let a = battery.level > 5 % ⟦—⟧ 3 %"),
    DiagnosticCase(.unterminatedString, "rule r ⟦\"why⟧\nalways { pause location.gnss }"),
    DiagnosticCase(.badNumber, "schedule s = ⟦25:00⟧..26:00", "hours are 00 to 24"),
    DiagnosticCase(.unknownUnit, "let a = location.gnss.accuracy > 5 ⟦metres⟧", "m"),
    DiagnosticCase(.unknownUnit, "rule r while screen.on for 5 ⟦minuts⟧ {}"),
  ]

  private static let parsing = [
    DiagnosticCase(.missingPolicy, "⟦⟧", "begin it with", header: ""),
    DiagnosticCase(.missingPolicy, "⟦rule⟧ r always { pause location.gnss }", header: ""),
    DiagnosticCase(.unexpected, "let a ⟦screen⟧.on"),
    DiagnosticCase(.unexpected, "let a = battery.level ⟦=⟧ 5 %", "=="),
    DiagnosticCase(.unexpected, "⟦rulle⟧ r always {}", "rule"),
    DiagnosticCase(.unexpected, "rule r always { ⟦paus⟧ location.gnss }", "pause"),
    DiagnosticCase(.unknownWord, "machine m starts ⟦parkd⟧ { state parked { } }", "parked"),
    DiagnosticCase(.unknownWord, "machine m starts a { state a { goto ⟦b⟧ when screen.on } }"),
    DiagnosticCase(.duplicateName, "machine m starts a { state a { } state ⟦a⟧ { } }"),
    DiagnosticCase(.emptyRule, "machine ⟦m⟧ starts a { }"),
    DiagnosticCase(.emptyRule, "machine m starts a { state a { goto ⟦a⟧ when screen.on } }"),
    DiagnosticCase(
      .unreachableState, "machine m starts a { state a { } state ⟦b⟧ { goto a when screen.on } }"),
    DiagnosticCase(
      .oscillating,
      "machine m starts a { state a { goto b when ⟦battery.level < 50 %⟧ } state b { goto a when screen.on } }",
      "make the conditions exclude each other"),
    DiagnosticCase(
      .unknownWord, "machine m starts a { state a { } }\nrule r while m is ⟦b⟧ { pause location.gnss }"),
    DiagnosticCase(.unknownName, "rule r always { watch ⟦region⟧ on location.gnss }"),
    DiagnosticCase(.unclosedBlock, "rule r always ⟦{⟧ pause location.gnss"),
    DiagnosticCase(.unclosedBlock, "default location.gnss ⟦{⟧ accuracy 100 m"),
    DiagnosticCase(
      .missingDeadline, "rule r always { ⟦defer radio.cellular until screen.on⟧ }", "deadline 18 h"),
  ]

  private static let names = [
    DiagnosticCase(.unknownFact, "let a = ⟦batery.level⟧ > 5 %", "battery.level"),
    DiagnosticCase(.unknownFact, "use location.gnss as gps\nlet a = ⟦gps.acuracy⟧ > 5 m", "gps.accuracy"),
    DiagnosticCase(.unknownDevice, "use ⟦location.gns⟧ as gps required", "location.gnss"),
    DiagnosticCase(.unknownDevice, "rule r always { pause ⟦gsp⟧ }", "use DEVICE as gsp"),
    DiagnosticCase(.unknownName, "rule r while time in ⟦nigth⟧ {}\nschedule night = 22:00..06:00", "night"),
    DiagnosticCase(.unknownName, "rule r always { batch location.gnss until ⟦hold⟧ }"),
    DiagnosticCase(.duplicateName, "let a = screen.on\nlet ⟦a⟧ = screen.on"),
    DiagnosticCase(
      .duplicateName, "rule r always { pause location.gnss }\nrule ⟦r⟧ always { pause location.gnss }"),
    DiagnosticCase(
      .duplicateName,
      "default location.gnss { accuracy 50 m }\ndefault ⟦location.gnss⟧ { accuracy 60 m }"),
    DiagnosticCase(.duplicateName, "default location.gnss { accuracy 50 m  ⟦accuracy⟧ 60 m }"),
    DiagnosticCase(.unknownSetting, "default location.gnss { ⟦acuracy⟧ 50 m }", "accuracy"),
    DiagnosticCase(.unknownFunction, "let a = ⟦knwon⟧(battery.level)", "known"),
    DiagnosticCase(.unknownFunction, "let a = ⟦frobnicate⟧(battery.level)", "the functions are age"),
    DiagnosticCase(.unknownName, "let a = inside(⟦home⟧)", "declare it"),
    DiagnosticCase(.unknownRule, "rule r over ⟦rr⟧ always { pause location.gnss }", "r"),
    DiagnosticCase(.unknownWord, "let a = motion.activity is ⟦walkin⟧", "walking"),
    DiagnosticCase(.unknownWord, "schedule s = ⟦mnn⟧ 08:00..12:00", "mon"),
    DiagnosticCase(.circularLet, "let ⟦a⟧ = b\nlet b = not a"),
  ]

  private static let types = [
    DiagnosticCase(.typeMismatch, "let a = ⟦motion.activity⟧ < walking", "use == or !="),
    DiagnosticCase(.typeMismatch, "let a = screen.on == ⟦5 m⟧"),
    DiagnosticCase(.wrongUnit, "rule r while screen.on for ⟦5 m⟧ {}", "5 min"),
    DiagnosticCase(.wrongUnit, "rule r while screen.on for ⟦5m⟧ {}", "5 min"),
    DiagnosticCase(.wrongUnit, "let a = location.gnss.accuracy > ⟦50 s⟧", "50 m"),
    DiagnosticCase(.wrongUnit, "let a = location.gnss.accuracy + ⟦5 s⟧ > 5 m", "5 m"),
    DiagnosticCase(.wrongUnit, "let a = location.gnss.speed > ⟦50 km⟧", "50 km/h"),
    DiagnosticCase(.wrongUnit, "rule r always { downgrade location.gnss to ⟦30 s⟧ }", "1 per 30 s"),
    DiagnosticCase(.missingUnit, "let a = battery.level < ⟦20⟧", "20 %"),
    DiagnosticCase(.missingUnit, "let a = battery.level < ⟦0.2⟧", "20 %"),
    DiagnosticCase(.missingUnit, "rule r while screen.on for ⟦5⟧ {}", "write the unit"),
    DiagnosticCase(.notACondition, "rule r while ⟦battery.level⟧ { pause location.gnss }", "compare it"),
    DiagnosticCase(.notConstant, "let a = avg(battery.level, ⟦battery.level⟧) > 5 %"),
    DiagnosticCase(.outOfRange, "param hold = ⟦50 m⟧ in 100 m .. 2 km"),
    DiagnosticCase(.outOfRange, "param hold = 50 m in ⟦2 km⟧ .. 100 m", "lower bound first"),
    DiagnosticCase(.outOfRange, "rule r while screen.on for ⟦0 s⟧ {}"),
    DiagnosticCase(.outOfRange, #"zone dock = beacon ⟦"a.1"⟧"#),
    DiagnosticCase(.divisionByZero, "let a = battery.level / ⟦0⟧ > 5 %"),
    DiagnosticCase(.divisionByZero, "let a = battery.level / ⟦(2 - 2)⟧ > 5 %"),
    DiagnosticCase(.badArguments, "let a = ⟦trend(battery.level)⟧ > 5 %", "trend(gps.accuracy, 90 s)"),
    DiagnosticCase(.badArguments, "let a = avg(⟦motion.activity⟧, 5 min) > 5 %", "count and rate"),
    DiagnosticCase(.mixedUnits, "rule r while screen.on for ⟦1 h 5 m⟧ {}", "min"),
    DiagnosticCase(.tooLarge, doubling, "fewer lets"),
    DiagnosticCase(.doesNotFit, fullWindows, "shorter windows"),
    DiagnosticCase(.tooDeep, "let a = " + String(repeating: "(", count: 201) + "screen.on", "let"),
    DiagnosticCase(.tooDeep, "let a = 1" + String(repeating: " + 1", count: 501), "let"),
    DiagnosticCase(.tooLong, crowd, "several devices"),
  ]

  /// One rule more than the limit of rules that may be loaded together.
  private static let crowd =
    (1...4000).map { "rule r\($0) always { stop radio.wifi }\n" }.joined()
    + "rule ⟦r0⟧ always { stop radio.wifi }"

  /// Three rules with 400 windows each; the third is over the limit.
  private static let fullWindows =
    "let poor = " + (1...400).map { _ in "avg(location.gnss.accuracy, 1 h) > 20 m or " }.joined()
    + "screen.on\n"
    + "rule r1 while poor { pause location.gnss }\nrule r2 while poor { pause location.gnss }\n"
    + "rule ⟦r3⟧ while poor { pause location.gnss }"

  /// Thirteen lets, each twice as large as the previous let; the last let is too large.
  private static let doubling =
    "let a0 = screen.on\n" + (1...11).map { "let a\($0) = a\($0 - 1) and a\($0 - 1)\n" }.joined()
    + "let a12 = ⟦a11 and a11⟧"

  private static let rules = [
    DiagnosticCase(.missingEnding, "rule r when screen.on { ⟦pause location.gnss⟧ }", "for 5 min"),
    DiagnosticCase(.missingEnding, "rule r every 5 min { ⟦stop location.gnss⟧ }", "for 5 min"),
    DiagnosticCase(.outOfRange, "let a = battery.level between 50 % and ⟦20 %⟧", "between 20 % and 50 %"),
    DiagnosticCase(
      .badArguments, "let a = ⟦clamp(battery.level, 20 %)⟧ < 50 %", "clamp(gps.speed, 1 m/s, 5 m/s)"),
    DiagnosticCase(
      .badArguments, "let a = clamp(battery.level, ⟦60 %⟧, 20 %) < 50 %", "write the value first"),
    DiagnosticCase(.wrongUnit, "let a = clamp(battery.level, 0 %, ⟦20 m⟧) < 50 %"),
    DiagnosticCase(.wrongRelease, "let a = battery.level below 20 % release ⟦15 %⟧", "above its threshold"),
    DiagnosticCase(.wrongRelease, "let a = battery.level above 20 % release ⟦25 %⟧", "below its threshold"),
    DiagnosticCase(.circularOver, "rule ⟦a⟧ over b always { pause location.gnss }\n" + back("b", "a")),
    DiagnosticCase(.circularOver, "rule ⟦a⟧ over a always { pause location.gnss }"),
    DiagnosticCase(.emptyRule, "rule ⟦r⟧ always {}"),
    DiagnosticCase(.endingInLevelRule, "rule r always { pause location.gnss ⟦for 5 min⟧ }", "when"),
    DiagnosticCase(.actInLevelRule, "rule r while screen.on { ⟦flush⟧ location.gnss }", "when"),
    DiagnosticCase(
      .doublingDownwards, "rule r when screen.on { stop location.gnss for 5 min doubling to ⟦1 min⟧ }"),
  ]

  private static func back(_ name: String, _ other: String) -> String {
    "rule \(name) over \(other) always { pause location.gnss }"
  }

  private static let capabilities = [
    DiagnosticCase(.verbNotSupported, "rule r always { ⟦pause⟧ radio.cellular }", "stop, batch"),
    DiagnosticCase(
      .boundNotSupported, "rule r always { batch motion.accelerometer until ⟦500 m⟧ }", "a time"),
    DiagnosticCase(.boundNotSupported, "rule r always { batch location.gnss until ⟦2 MB⟧ }", "a time"),
    DiagnosticCase(
      .budgetLoosens, "budget b = 5 J per day on location.gnss { at 80 % { ⟦start⟧ location.gnss } }"),
    DiagnosticCase(
      .overBudget,
      "budget b = 5 J per day on location.gnss { at 80 % { pause location.gnss } }\n"
        + "rule r over ⟦b-80⟧ while screen.on { pause location.gnss }"),
    DiagnosticCase(
      .unknownWord, "budget b = 5 J per ⟦dya⟧ on location.gnss { at 80 % { pause location.gnss } }", "day"),
    DiagnosticCase(
      .wrongUnit, "budget b = ⟦5 m⟧ per day on location.gnss { at 80 % { pause location.gnss } }"),
    DiagnosticCase(
      .outOfRange, "budget b = 5 J per day on location.gnss { at ⟦0 %⟧ { pause location.gnss } }"),
    DiagnosticCase(.emptyRule, "budget b = 5 J per day on location.gnss { at ⟦80 %⟧ { } }"),
    DiagnosticCase(.notACondition, "require ⟦battery.level⟧"),
    DiagnosticCase(.testOrder, "test \"t\" { at 5 s reload at ⟦3 s⟧ reload expect screen.on }"),
    DiagnosticCase(.emptyTest, "test ⟦\"t\"⟧ { at 5 s reload }"),
    DiagnosticCase(.notPublished, "test \"t\" { given ⟦location.gnss.on⟧ = true expect screen.on }"),
    DiagnosticCase(.wrongUnit, "test \"t\" { at ⟦5 m⟧ reload expect screen.on }", "5 min"),
    DiagnosticCase(.outOfRange, "test \"t\" { given battery.level = ⟦120 %⟧ expect screen.on }"),
    DiagnosticCase(.unknownRule, "test \"t\" { expect screen.on because ⟦nosuch⟧ }"),
    DiagnosticCase(.unknownDevice, "test \"t\" { at 0 s attach ⟦\"app\"⟧ expect screen.on }"),
    DiagnosticCase(
      .outOfRange, "zone z = circle ⟦147.5⟧ 8.3 radius 50 m\nlet a = inside(z)", "latitude first"),
    DiagnosticCase(.wrongUnit, "zone z = circle 47.5 8.3 radius ⟦5 min⟧\nlet a = inside(z)"),
    DiagnosticCase(.outOfRange, "zone z = circle 47.5 8.3 radius ⟦0 m⟧\nlet a = inside(z)"),
    DiagnosticCase(.outOfRange, "zone z = beacon \"b\" major ⟦70000⟧\nlet a = inside(z)"),
    DiagnosticCase(.unused, "zone ⟦z⟧ = circle 47.5 8.3 radius 50 m"),
    DiagnosticCase(.unknownName, "zone home = circle 47 8 radius 50 m\nlet a = inside(⟦hime⟧)", "home"),
    DiagnosticCase(
      .badArguments, "zone home = circle 47 8 radius 50 m\nlet a = heard(⟦home⟧)", "inside(home)"),
    DiagnosticCase(.badArguments, "require ⟦wakeups(5 min)⟧ < 3 per h"),
    DiagnosticCase(.beyondDevice, "default location.gnss { accuracy ⟦1 m⟧ }", "from 5 m to 3 km"),
    DiagnosticCase(.beyondDevice, "rule r always { downgrade motion.accelerometer to ⟦1 kHz⟧ }"),
  ]

  private static let proofs = [
    DiagnosticCase(
      .noWayBack, "rule r while location.gnss.speed > 3 m/s { ⟦stop location.gnss⟧ }",
      "stop location.gnss for 5 min"),
    DiagnosticCase(.noWayBack, "rule r always { ⟦pause location.gnss⟧ }", "give a condition"),
    DiagnosticCase(.brokenRequirement, "require ⟦location.gnss.on implies screen.on⟧", "add a rule"),
    DiagnosticCase(
      .noWayBack, "rule r always { defer radio.cellular until ⟦radio.cellular.on⟧ deadline 1 h }",
      "a fact of another device"),
  ]

  private static let clients = [
    DiagnosticCase(.clientUnknown, "require ⟦client.accuracy⟧ < 5 m", "downgrades, batches"),
    DiagnosticCase(.clientUnknown, "require not ⟦client.background⟧", "app.state is background"),
    DiagnosticCase(
      .clientUnknown, "let near = client.accuracy < 5 m\nrequire ⟦screen.on implies near⟧",
      "condition of a rule"),
    DiagnosticCase(.clientUnknown, "test \"t\" { expect ⟦known(client.period)⟧ at 1 s }"),
    DiagnosticCase(
      .clientRuleDoesMore, "rule r while client.accuracy < 5 m { ⟦start⟧ location.gnss stop location.gnss }",
      "client.*"),
    DiagnosticCase(
      .clientRuleDoesMore, "rule r when client.name == \"a\" and screen.on { ⟦emit⟧ \"x\" }"),
    DiagnosticCase(
      .typeMismatch, "rule r while client.name == ⟦trail⟧ { stop location.gnss }", "\"trail\""),
    DiagnosticCase(
      .typeMismatch, "rule r while client.name in [⟦trail⟧] { stop location.gnss }", "\"trail\""),
    DiagnosticCase(.typeMismatch, "rule r while client.name is ⟦trail⟧ { stop location.gnss }", "\"trail\""),
    DiagnosticCase(.typeMismatch, "rule r while ⟦client.name⟧ { stop location.gnss }", "client.name in ["),
    DiagnosticCase(.typeMismatch, "rule r while ⟦client.name < \"a\"⟧ { stop location.gnss }", "=="),
    DiagnosticCase(
      .unknownFact, "rule r while ⟦client.acuracy⟧ < 5 m { stop location.gnss }", "client.accuracy"),
    DiagnosticCase(
      .clientUnknown,
      "machine m starts a { state a { goto b when ⟦client.background⟧ } state b { pause location.gnss goto a when screen.on } }",
      "app.state is background"),
    DiagnosticCase(
      .badArguments, "rule r while ⟦grant(\"a\", location.gnss)⟧ is paused { stop location.gnss }",
      "client.accuracy"),
    DiagnosticCase(
      .unknownWord,
      "test \"t\" { at 0 s attach \"trail\" on location.gnss expect grant(⟦\"trial\"⟧) is paused at 1 s }",
      "did you mean “trail”?"),
    DiagnosticCase(
      .unknownSetting, "test \"t\" { expect grant(\"a\", location.gnss.⟦acuracy⟧) > 5 m at 1 s }", "accuracy"),
    DiagnosticCase(.badArguments, "test \"t\" { expect ⟦grant(location.gnss)⟧ is paused at 1 s }", "grant("),
    DiagnosticCase(
      .badArguments,
      "test \"t\" { at 0 s attach \"a\" on location.gnss at 0 s attach \"a\" on motion.accelerometer expect grant(⟦\"a\"⟧) is paused at 1 s }",
      "grant(\"a\", location.gnss)"),
    DiagnosticCase(
      .badArguments,
      "use location.gnss as gps\ntest \"t\" { at 0 s attach \"a\" on gps at 0 s attach \"a\" on "
        + "motion.accelerometer expect grant(⟦\"a\"⟧) is paused at 1 s }", "grant(\"a\", gps)"),
    DiagnosticCase(
      .unknownWord, "test \"t\" { expect grant(\"a\", location.gnss) is ⟦pausd⟧ at 1 s }", "paused"),
    DiagnosticCase(.wrongUnit, "rule r while client.accuracy < ⟦5 s⟧ { stop location.gnss }"),
  ]

  private static let advice = [
    DiagnosticCase(
      .flapping, "rule r while ⟦location.gnss.accuracy > 50 m⟧ { stop location.gnss }",
      "above 50 m release 40 m"),
    DiagnosticCase(
      .flapping, "rule r when screen.on and ⟦20 m > location.gnss.accuracy⟧ { flush location.gnss }",
      "below 20 m release 25 m"),
    DiagnosticCase(
      .unreachable, "rule r while ⟦battery.level > 100 %⟧ { downgrade location.gnss to 1 km }", "outside"),
    DiagnosticCase(
      .unreachable,
      "rule r while ⟦battery.level < 20 %⟧ and battery.level > 30 % { downgrade location.gnss to 1 km }"),
    DiagnosticCase(
      .alwaysTrue,
      "rule r while ⟦screen.on implies location.gnss.on or not location.gnss.on⟧ { downgrade location.gnss to 1 km }",
      "rule r always"),
    DiagnosticCase(
      .overruled,
      "rule go while battery.level > 50 % { ⟦start location.gnss⟧ }\nrule halt while battery.level > 20 % { stop location.gnss }",
      "rule go over halt"),
    DiagnosticCase(
      .overruledAtTimes,
      "rule go while screen.on { ⟦start location.gnss⟧ }\nrule halt while battery.level < 20 % { stop location.gnss }",
      "battery.level = 10 %"),
    DiagnosticCase(
      .shadowed,
      "rule ⟦r⟧ while battery.level < 10 % { downgrade location.gnss to 1 km }\nrule s while battery.level < 20 % { downgrade location.gnss to 2 km }",
      "narrow “s”"),
    DiagnosticCase(
      .noEffect, "rule r while screen.on { ⟦downgrade location.gnss to 5 m⟧ }", "saves something"),
    DiagnosticCase(
      .noEffect,
      "rule ⟦r⟧ over s while battery.level > 50 % { downgrade location.gnss to 1 km }\nrule s while battery.level < 20 % { stop location.gnss }",
      "remove the “over”"),
    DiagnosticCase(.missingOptionalDevice, "use ⟦location.gsns⟧ as gps", "location.gnss"),
    DiagnosticCase(.unused, "let ⟦a⟧ = screen.on"),
    DiagnosticCase(.unused, "param ⟦a⟧ = 5 m in 1 m .. 9 m"),
    DiagnosticCase(.unused, "use location.gnss as ⟦gps⟧"),
    DiagnosticCase(
      .holdLongerThanFact, "rule r while motion.steps > 5 for ⟦5 min⟧ { pause location.gnss }", "tolerate"),
    DiagnosticCase(
      .holdLongerThanFact,
      "zone home = circle 47 8 radius 300 m\nrule r when screen.on and enter(home) for ⟦10 s⟧ { emit \"x\" }",
      "use inside(home) for 10 s"),
    DiagnosticCase(
      .holdLongerThanFact,
      "zone home = circle 47 8 radius 300 m\nrule r when exit(home) for ⟦10 s⟧ { emit \"x\" }",
      "use not inside(home) for 10 s"),
    DiagnosticCase(.dearAccuracy, "default location.gnss { ⟦accuracy 10 m⟧ }", "activity fitness"),
    DiagnosticCase(.dearAccuracy, "default location.gnss { ⟦accuracy 10 m⟧  activity fitness }"),
    DiagnosticCase(
      .accuracyLeftOpen, "rule r while screen.on { ⟦start location.gnss with { background on }⟧ }",
      "accuracy 100 m"),
    DiagnosticCase(
      .receiverStaysOn, "rule r while screen.on { ⟦start location.gnss with { accuracy 20 m }⟧ }",
      "activity automotive"),
    DiagnosticCase(
      .activityUnfit,
      "rule r while motion.activity is walking { ⟦start location.gnss with { accuracy 20 m  activity automotive }⟧ }",
      "activity fitness"),
    DiagnosticCase(
      .timeoutBeforeStart, "rule r when screen.on { fix location.gnss to 20 m timeout ⟦46 s⟧ }",
      "timeout 47 s"),
    DiagnosticCase(
      .backgroundForGood,
      "rule r always { ⟦start location.gnss with { accuracy 20 m  activity fitness  background on }⟧ }",
      "leave background off"),
    DiagnosticCase(
      .validityOnly, "rule r when ⟦respite(location.gnss, 50 m)⟧ < 0 s { emit \"stale\" }",
      "fix location.gnss to 50 m"),
    DiagnosticCase(.frequentRule, "rule ⟦r⟧ every 1 ms { emit \"tick\" }", "longer period"),
    DiagnosticCase(.frequentRule, "rule ⟦r⟧ every 999 ms flex 10 min if screen.on { emit \"late\" }"),
  ]
}
