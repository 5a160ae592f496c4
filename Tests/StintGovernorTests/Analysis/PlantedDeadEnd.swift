import StintLanguage

/// A policy with a stop that never ends, and a similar policy that can switch the device on again.
struct PlantedDeadEnd: Sendable, CustomStringConvertible {
  let name: String
  /// The rules of the policy with the dead end. Most of them read facts of devices that they keep off.
  let deadEnd: String
  /// The rules of the similar policy.
  let clean: String

  var description: String { name }

  /// Returns the source of a policy with a common header and the given body.
  static func source(_ body: String) -> SourceText {
    SourceText(
      file: "planted.stint",
      text: """
        policy "planted"
        use location.gnss as gps
        use location.wifi as place
        use motion.accelerometer as accel
        use radio.cellular as cell
        schedule always_on = 00:00..12:00, 12:00..00:00
        schedule night = 22:00..06:00
        let poor = not known(gps.accuracy) or gps.accuracy > 50 m
        rule needs_all while poor and time in always_on and time in night { downgrade [gps, place, accel] to 1 per min batch cell until 1 h }
        \(body)
        """)
  }

  private init(_ name: String, _ deadEnd: String, clean: String) {
    self.name = name
    self.deadEnd = deadEnd
    self.clean = clean
  }

  static let all = complaints + conditions + unconditional + chains

  /// Complaints of users: automatic pauses that never end.
  private static let complaints = [
    PlantedDeadEnd(
      "W7: paused while stationary, and the paused device measures the speed",
      "rule a while gps.speed < 0.5 m/s for 4 min { pause gps }",
      clean: "rule a while motion.activity is still for 4 min { pause gps }"),
    PlantedDeadEnd(
      "W7: a pause with a release",
      "rule a while gps.speed below 0.5 m/s release 1.5 m/s { pause gps }",
      clean: "rule a while gps.speed below 0.5 m/s release 1.5 m/s and not screen.on { pause gps }"),
    PlantedDeadEnd(
      "W7: a pause without movement",
      "rule a while gps.distance < 10 m { pause gps }",
      clean: "rule a when gps.distance < 10 m { pause gps for 5 min }"),
    PlantedDeadEnd(
      "W7: a stop when the accuracy is unknown",
      "rule a while not known(gps.accuracy) { stop gps }",
      clean: "rule a when not known(gps.accuracy) for 2 min { stop gps for 2 min doubling to 1 h }"),
    PlantedDeadEnd(
      "W7: a stop when no fix arrives",
      "rule a while poor for 3 min { stop gps }",
      clean: "rule a when poor for 3 min { stop gps for 2 min doubling to 5 min }"),
  ]

  /// Rules whose condition depends on the device that they stop.
  private static let conditions: [PlantedDeadEnd] = {
    let shapes: [(String, String)] = [
      ("gps.accuracy > 50 m", "gps"), ("not gps.accuracy <= 50 m", "gps"),
      ("gps.accuracy > 50 m or app.state is background", "gps"),
      ("gps.accuracy > 50 m in last 10 min", "gps"), ("50 m < gps.accuracy", "gps"),
      ("gps.accuracy * 2 > 100 m", "gps"), ("gps.accuracy - 20 m > 30 m", "gps"),
      ("gps.accuracy above 50 m release 30 m", "gps"), ("gps.accuracy > 50 m and gps.speed < 1 m/s", "gps"),
      ("gps.accuracy > 50 m or screen.on", "gps"), ("(screen.on implies gps.speed < 1 m/s)", "gps"),
      ("known(gps.accuracy)", "gps"), ("not known(gps.age_of_sky)", "gps"),
      ("age(gps.accuracy) > 10 min", "gps"), ("not gps.on and known(gps.distance)", "gps"),
      ("gps.accuracy > 50 m and demanded(gps)", "gps"), ("gps.speed < 1 m/s and gps.available", "gps"),
      ("gps.speed > gps.speed * 2 or gps.distance > 5 m", "gps"),
      ("gps.accuracy > 50 m and time in always_on", "gps"), ("motion.activity is still", "accel"),
      ("motion.activity in [still, walking] for 5 min", "accel"), ("not motion.activity is running", "accel"),
      ("motion.steps > 10000", "accel"), ("place.available and not known(place.accuracy)", "place"),
      ("count(gps.accuracy, 5 min) < 3", "gps"),
    ]
    return shapes.enumerated().map { number, shape in
      let verb = number.isMultiple(of: 2) ? "stop" : "pause"
      return PlantedDeadEnd(
        shape.0, "rule a while \(shape.0) { \(verb) \(shape.1) }",
        clean: "rule a while (\(shape.0)) and battery.level < 20 % { \(verb) \(shape.1) }")
    }
  }()

  /// Rules that are in force forever, whatever values the facts have.
  private static let unconditional = [
    PlantedDeadEnd(
      "always", "rule a always { stop gps }", clean: "rule a while time in night { stop gps }"),
    PlantedDeadEnd(
      "always, for most", "rule a always { stop gps except \"sos\" }",
      clean:
        "rule a always { stop gps except \"sos\" }\nrule b over a while screen.on { downgrade gps to 100 m }"),
    PlantedDeadEnd(
      "day and night", "rule a while time in always_on { stop gps }",
      clean: "rule a while not time in always_on { stop gps }"),
    PlantedDeadEnd(
      "any charge", "rule a while battery.level <= 100 % { pause gps }",
      clean: "rule a while battery.level < 100 % { pause gps }"),
    PlantedDeadEnd(
      "any state", "rule a while app.state in [foreground, background] { pause gps }",
      clean: "rule a while app.state in [background] { pause gps }"),
    PlantedDeadEnd(
      "on or off", "rule a while screen.on or not screen.on { stop gps }",
      clean: "rule a while screen.on and not app.state is foreground { stop gps }"),
    PlantedDeadEnd(
      "any side of a limit", "rule a while battery.level < 30 % or battery.level > 20 % { stop gps }",
      clean: "rule a while battery.level < 20 % or battery.level > 30 % { stop gps }"),
    PlantedDeadEnd(
      "a comparison of constants", "rule a while 5 m < 6 m { stop gps }",
      clean: "rule a while 6 m < 5 m { stop gps }"),
    PlantedDeadEnd(
      "overridden by a rule that never holds",
      "rule a always { stop gps }\nrule b over a while 6 m < 5 m { downgrade gps to 100 m }",
      clean: "rule a always { stop gps }\nrule b over a while demanded(place) { downgrade gps to 100 m }"),
    PlantedDeadEnd(
      "overridden by a rule that depends on the stopped device",
      "rule a while not gps.speed > 5 m/s { stop gps }\nrule b over a while gps.speed > 9 m/s { downgrade gps to 100 m }",
      clean:
        "rule a while not gps.speed > 5 m/s { stop gps }\nrule b over a while screen.on { downgrade gps to 100 m }"
    ),
    PlantedDeadEnd(
      "overridden only for another device",
      "rule a always { stop [gps, place] }\nrule b over a while screen.on { downgrade gps to 100 m }",
      clean: "rule a always { stop gps }\nrule b over a while screen.on { downgrade gps to 100 m }"),
  ]

  /// Rules that make devices keep each other off.
  private static let chains = [
    PlantedDeadEnd(
      "two sensors",
      "rule a while motion.activity is still { stop gps }\nrule b while gps.speed < 1 m/s { stop accel }",
      clean:
        "rule a while motion.activity is still { stop gps }\nrule b when gps.speed < 1 m/s { stop accel for 1 min }"
    ),
    PlantedDeadEnd(
      "two sensors, of which one is stopped by the state of the other",
      "rule a while motion.activity is still { stop gps }\nrule b while not gps.on { pause accel }",
      clean: "rule a while motion.activity is still { stop gps }\nrule b while gps.on { pause accel }"),
    PlantedDeadEnd(
      "three sensors",
      "rule a while motion.activity is still { stop gps }\nrule b while gps.speed < 1 m/s { stop place }\nrule c while not place.on { stop accel }",
      clean:
        "rule a while motion.activity is still { stop gps }\nrule b while gps.speed < 1 m/s { stop place }\nrule c while place.on { stop accel }"
    ),
    PlantedDeadEnd(
      "two sensors, of which one is stopped by an unknown value of the other",
      "rule a while not known(place.accuracy) { stop accel }\nrule b while motion.activity is still { stop place }",
      clean:
        "rule a while motion.activity is still { stop gps }\nrule b while gps.on { start accel for \"steps\" }"
    ),
    PlantedDeadEnd(
      "two sensors that one rule stops", "rule a while motion.activity is still { stop [gps, accel] }",
      clean: "rule a while motion.activity is still { stop [gps, place] }"),
    PlantedDeadEnd(
      "two devices that one rule stops by the facts of both",
      "rule a while gps.speed < 1 m/s and motion.activity is still { stop [gps, accel] }",
      clean: "rule a while gps.speed < 1 m/s and motion.activity is still { stop gps }"),
    PlantedDeadEnd(
      "three sensors that one rule pauses",
      "rule a while not known(gps.speed) and not accel.on { pause [gps, accel, place] }",
      clean: "rule a while not known(gps.speed) and not accel.on { pause [gps, place] }"),
    PlantedDeadEnd(
      "waits for itself", "rule a while not screen.on { defer cell until cell.on deadline 4 h }",
      clean: "rule a while not screen.on { defer cell until net.kind is wifi deadline 4 h }"),
    PlantedDeadEnd(
      "an impossible condition", "rule a always { defer cell until battery.level > 100 % deadline 4 h }",
      clean: "rule a always { defer cell until battery.level > 99 % deadline 4 h }"),
  ]
}
