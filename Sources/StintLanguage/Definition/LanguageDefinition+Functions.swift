import StintModel
import StintUnits

extension LanguageDefinition {
  /// Every function, in alphabetical order. A new function is one value here and the function that checks it.
  public static let functions: [FunctionDefinition] =
    (windowFunctions + questions + amounts).sorted { $0.name < $1.name }

  /// Statistics over a bounded window of a fact's values.
  private static let windowFunctions: [FunctionDefinition] = [
    window(
      .avg, "The mean of the values that a fact took in the span up to now.", "avg(gps.speed, 1 min) < 1 m/s"),
    window(.count, "How many values a fact took in the span up to now.", "count(gps.accuracy, 1 min) < 10"),
    window(
      .max, "The largest of the values that a fact took in the span up to now.",
      "max(gps.speed, 5 min) < 2 m/s"),
    window(
      .min, "The smallest of the values that a fact took in the span up to now.",
      "min(gps.accuracy, 1 min) > 50 m"),
    window(
      .rate, "How many values a fact took in the span up to now, per second.",
      "rate(gps.accuracy, 1 min) < 0.5 Hz"),
    window(
      .spread, of: [.fact, .device],
      "The largest less the smallest of the values of a fact in the span up to now; of a device, how far apart its "
        + "positions lie.", "spread(gps.accuracy, 90 s) < 10 m"),
    window(
      .trend, "How much a fact rose over the span up to now, by the line nearest to its values; needs three.",
      "trend(gps.accuracy, 90 s) > -5 m"),
  ]

  private static func window(
    _ function: WindowFunction, of first: [FunctionDefinition.Argument] = [.fact], _ meaning: String,
    _ example: String
  ) -> FunctionDefinition {
    let result: FunctionDefinition.Result =
      switch function {
      case .count: .quantity(.none)
      case .rate: .quantity(.rate)
      case .trend, .spread, .avg, .min, .max: .asFirst
      }
    return FunctionDefinition(
      function.rawValue, [first, [.time]], result, meaning, example: example,
      check: { checker, call in
        if first.contains(.device), checker.namesDevice(call.arguments) {
          return checker.positionSpread(call.name, call.arguments, call.span)
        }
        return checker.window(function, call.name, call.arguments, call.span)
      })
  }

  /// What is true or false of facts, devices and zones.
  private static let questions: [FunctionDefinition] = [
    FunctionDefinition(
      "available", [[.device]], .boolean, "Whether the device is present and able to serve.",
      example: "available(gps)", check: { $0.device($1.name, $1.arguments, $1.span) }),
    FunctionDefinition(
      "can_defer", [[.device]], .boolean,
      "Whether the device can hold samples back by itself, and is there.", example: "can_defer(accel)",
      check: { $0.device($1.name, $1.arguments, $1.span) }),
    FunctionDefinition(
      "cheap", [[.device]], .boolean,
      "Whether a transfer costs little now: power from outside, Wi-Fi, or a radio that is up anyway.",
      example: "cheap(cell)", check: { $0.cheap($1.arguments, $1.span) }),
    FunctionDefinition(
      "demanded", [[.device]], .boolean,
      "Whether a demand on the device stands, granted or not; never unknown.", example: "demanded(gps)",
      check: { $0.device($1.name, $1.arguments, $1.span) }),
    zone(.enter, "True for the moment in which one comes into the zone.", "enter(home)"),
    zone(.exit, "True for the moment in which one leaves the zone.", "exit(home)"),
    FunctionDefinition(
      "heard", [[.zone, .device]], .boolean,
      "Whether the beacon of the zone is heard, or a client reads what the sensor measures.",
      example: "heard(accel)", check: { $0.zone(.heard, $1.arguments, $1.span) }),
    zone(.inside, "Whether one is inside the zone, after its waiting times.", "inside(home)"),
    FunctionDefinition(
      "known", [[.fact]], .boolean, "Whether the fact has a fresh value; never unknown.",
      example: "known(gps.accuracy)", check: { $0.known($1.name, $1.arguments, $1.span) }),
    FunctionDefinition(
      "used_by", [[.device], [.service]], .boolean,
      "Whether the device serves a demand of the service: visits, moves or orientation.",
      example: "used_by(gps, moves)", check: { $0.used(by: $1.arguments, $1.span) }),
  ]

  private static func zone(_ question: ZoneQuestion, _ meaning: String, _ example: String)
    -> FunctionDefinition
  {
    FunctionDefinition(
      question.rawValue, [[.zone]], .boolean, meaning, example: example,
      check: { $0.zone(question, $1.arguments, $1.span) })
  }

  /// What is measured, or granted.
  private static let amounts: [FunctionDefinition] = [
    FunctionDefinition(
      "age", [[.fact]], .quantity(.time), rule: "It is a span of time, only compared by < <= > >=.",
      "How long ago the fact got its value; compared with a span of time, unknown before any value.",
      example: "age(gps.accuracy) > 10 min", check: { $0.reportStandaloneAge($1.span) }),
    FunctionDefinition(
      "breakeven", [[.device]], .quantity(.time),
      "How far two fixes must lie apart so that a rest between them costs less than staying on.",
      example: "respite(gps, 50 m) > breakeven(gps)",
      check: { $0.breakEven($1.name, $1.arguments, $1.span) }),
    FunctionDefinition(
      "clamp", [[.number], [.number], [.number]], .asFirst, rule: "Value and limits have one dimension.",
      "The value, but at least the low limit and at most the high one, in the order value, low, high.",
      example: "clamp(gps.speed, 1 m/s, 5 m/s) * 10 s < 20 m", check: { $0.clamp($1) }),
    FunctionDefinition(
      "energy", [[.device, .service]], .quantity(.energy),
      "What the device, or a service, drew since local midnight.", example: "energy(gps) > 500 J",
      check: { $0.usage($1.name, $1.arguments, $1.span) }),
    FunctionDefinition(
      "grant", [[.client], [.part]], required: 1, .asPart, isForTests: true,
      "What a client is granted on a device, in a test: grant(\"app\", gps) is paused, gps.accuracy, …",
      example: "at 0 s attach \"app\" on gps\n  expect grant(\"app\", gps.accuracy) >= 5 m at 1 s",
      check: { $0.grant($1.name, $1.arguments, $1.span) }),
    FunctionDefinition(
      "respite", [[.device], [.length]], .quantity(.time),
      "For how long the device's last position stays within a distance, as far as anybody can tell.",
      example: "respite(gps, 50 m) > 20 s", check: { $0.respite($1.name, $1.arguments, $1.span) }),
    FunctionDefinition(
      "travelled", [[.device], [.time]], .quantity(.length),
      "How far the device's odometer went in the span up to now.",
      example: "travelled(gps, 10 min) < 100 m",
      check: { $0.travelled($1.name, $1.arguments, $1.span) }),
    FunctionDefinition(
      "unexplained", [[.device]], required: 0, .quantity(.time),
      "How long devices, or one of them, have been on without a complete cause.",
      example: "unexplained(gps) > 1 s",
      check: { $1.arguments.isEmpty ? $0.unexplained($1.span) : $0.unexplained($1.arguments, $1.span) }),
    FunctionDefinition(
      "wakeups", [[.device]], .quantity(.rate), "How often the device went on in the last hour.",
      example: "wakeups(gps) > 60 per h", check: { $0.usage($1.name, $1.arguments, $1.span) }),
  ]
}
