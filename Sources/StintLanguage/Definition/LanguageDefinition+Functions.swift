import StintModel
import StintUnits

extension LanguageDefinition {
  /// Every function, in alphabetical order. A new function needs one value in this extension, and one Swift
  /// function that checks its calls.
  public static let functions: [FunctionDefinition] =
    (windowFunctions + questions + amounts).sorted { $0.name < $1.name }

  /// Statistics over a bounded window of a fact's values.
  private static let windowFunctions: [FunctionDefinition] = [
    window(
      .avg, "The mean of a fact's values in the span up to now.", "avg(gps.speed, 1 min) < 1 m/s"),
    window(
      .count,
      "The number of values of a fact in the span up to now; the function does not turn a sensor on, and "
        + "counts the values for all demands.", "count(gps.accuracy, 1 min) < 10"),
    window(
      .max, "The largest value of a fact in the span up to now.",
      "max(gps.speed, 5 min) < 2 m/s"),
    window(
      .min, "The smallest value of a fact in the span up to now.",
      "min(gps.accuracy, 1 min) > 50 m"),
    window(
      .rate,
      "The number of values of a fact in the span up to now, per second; the function does not turn a sensor "
        + "on, and counts the values for all demands.",
      "rate(gps.accuracy, 1 min) < 0.5 Hz"),
    window(
      .spread, of: [.fact, .device],
      "The largest minus the smallest value of a fact in the span up to now; for a device, the distance "
        + "between its farthest positions.", "spread(gps.accuracy, 90 s) < 10 m"),
    window(
      .trend, "The rise of a fact over the span up to now, by linear regression over at least three values.",
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

  /// Functions with a Boolean result, about facts, devices and zones.
  private static let questions: [FunctionDefinition] = [
    FunctionDefinition(
      "available", [[.device]], .boolean, "Whether the device is present and able to serve.",
      example: "available(gps)", check: { $0.device($1.name, $1.arguments, $1.span) }),
    FunctionDefinition(
      "can_defer", [[.device]], .boolean,
      "Whether the device is available and can buffer samples by itself.", example: "can_defer(accel)",
      check: { $0.device($1.name, $1.arguments, $1.span) }),
    FunctionDefinition(
      "cheap", [[.device]], .boolean,
      "Whether a transfer costs little now: external power, Wi-Fi, or a radio that is already active.",
      example: "cheap(cell)", check: { $0.cheap($1.arguments, $1.span) }),
    FunctionDefinition(
      "demanded", [[.device]], .boolean,
      "Whether the device has a demand, granted or not. For a sensor, also whether it lingers, or is on "
        + "for a demand that names another device; never unknown.", example: "demanded(gps)",
      check: { $0.device($1.name, $1.arguments, $1.span) }),
    zone(.enter, "True at the instant at which the host enters the zone.", "enter(home)"),
    zone(.exit, "True at the instant at which the host leaves the zone.", "exit(home)"),
    FunctionDefinition(
      "heard", [[.zone, .device]], .boolean,
      "For a zone, whether its beacon is in range; for a sensor, whether a client or service "
        + "reads its samples.",
      example: "heard(accel)", check: { $0.zone(.heard, $1.arguments, $1.span) }),
    zone(.inside, "Whether the host is inside the zone, after the delays of the zone.", "inside(home)"),
    FunctionDefinition(
      "known", [[.fact]], .boolean, "Whether the fact has a value that is not too old; never unknown.",
      example: "known(gps.accuracy)", check: { $0.known($1.name, $1.arguments, $1.span) }),
    FunctionDefinition(
      "used_by", [[.device], [.service]], .boolean,
      "Whether the device serves a demand of the service: visits, moves or orientation.",
      example: "used_by(gps, moves)", check: { $0.used(by: $1.arguments, $1.span) }),
  ]

  private static func zone(_ question: ZoneQuery, _ meaning: String, _ example: String)
    -> FunctionDefinition
  {
    FunctionDefinition(
      question.rawValue, [[.zone]], .boolean, meaning, example: example,
      check: { $0.zone(question, $1.arguments, $1.span) })
  }

  /// Functions that return a quantity or a part of a grant.
  private static let amounts: [FunctionDefinition] = [
    FunctionDefinition(
      "age", [[.fact, .device]], .quantity(.time), rule: "It is a time; only < <= > >= can compare it.",
      "The time since the last value of the fact, or since the last sample of the device; unknown before the "
        + "first value or sample.",
      example: "age(gps.accuracy) > 10 min", check: { $0.reportStandaloneAge($1.span) }),
    FunctionDefinition(
      "breakeven", [[.device]], .quantity(.time),
      "The shortest time between two fixes for which turning the device off between them saves energy.",
      example: "respite(gps, 50 m) > breakeven(gps)",
      check: { $0.breakEven($1.name, $1.arguments, $1.span) }),
    FunctionDefinition(
      "clamp", [[.number], [.number], [.number]], .asFirst, rule: "Value and limits have the same dimension.",
      "The value, limited to a range; the arguments are the value, the low limit and the high limit.",
      example: "clamp(gps.speed, 1 m/s, 5 m/s) * 10 s < 20 m", check: { $0.clamp($1) }),
    FunctionDefinition(
      "energy", [[.device, .service]], .quantity(.energy),
      "The energy that the device, or a service, consumed since local midnight.",
      example: "energy(gps) > 500 J",
      check: { $0.usage($1.name, $1.arguments, $1.span) }),
    FunctionDefinition(
      "grant", [[.client], [.part]], required: 1, .asPart, isForTests: true,
      "In a test, the grant of a client on a device as a word, such as paused, or one setting of this grant.",
      example: "at 0 s attach \"app\" on gps\n  expect grant(\"app\", gps.accuracy) >= 5 m at 1 s",
      check: { $0.grant($1.name, $1.arguments, $1.span) }),
    FunctionDefinition(
      "respite", [[.device], [.length]], .quantity(.time),
      "How long the host is expected to stay within this distance of the device's last position; the function "
        + "does not turn the device on.",
      example: "respite(gps, 50 m) > 20 s", check: { $0.respite($1.name, $1.arguments, $1.span) }),
    FunctionDefinition(
      "starts", [[.device]], .quantity(.rate),
      "How often the device turned on in the last hour; starts from standby between two samples also count.",
      example: "starts(gps) > 60 per h", check: { $0.usage($1.name, $1.arguments, $1.span) }),
    FunctionDefinition(
      "travelled", [[.device], [.time]], .quantity(.length),
      "The distance on the device's odometer in the span up to now.",
      example: "travelled(gps, 10 min) < 100 m",
      check: { $0.travelled($1.name, $1.arguments, $1.span) }),
    FunctionDefinition(
      "unexplained", [[.device]], required: 0, .quantity(.time),
      "How long the device was on without a complete cause; without a device, the sum for all devices.",
      example: "unexplained(gps) > 1 s",
      check: { $1.arguments.isEmpty ? $0.unexplained($1.span) : $0.unexplained($1.arguments, $1.span) }),
    FunctionDefinition(
      "wakeups", [[.device]], required: 0, .quantity(.rate),
      "How often the governor turned the device on in the last hour; without a device, how often the processor woke.",
      example: "wakeups(gps) > 60 per h", check: { $0.usage($1.name, $1.arguments, $1.span) }),
  ]
}
