import StintLanguage

/// A policy whose states or rules keep a sensor off forever, and similar policies that can switch the sensor
/// on again.
struct PlantedStateTrap: Sendable, CustomStringConvertible {
  var description: String
  /// The rules of the policy that keeps the sensor off.
  var trap: String
  /// The rules of the similar policies.
  var clean: [String]

  /// A sensor that a policy keeps off. The condition `enters` stops the sensor. The condition `ends` would
  /// end the stop, but it reads facts that the stopped sensor does not publish.
  private struct Sensor {
    var name: String
    var enters: String
    var ends: String
    /// True when `enters` reads a fact of the sensor itself.
    var isOwn = true
  }

  private static let sensors = [
    Sensor(name: "accel", enters: "motion.activity is still for 5 min", ends: "motion.activity is walking"),
    Sensor(name: "accel", enters: "motion.activity is still", ends: "motion.steps > 90"),
    Sensor(name: "gps", enters: "gps.speed < 1 m/s", ends: "gps.speed > 3 m/s for 10 s"),
    Sensor(name: "gps", enters: "gps.accuracy > 50 m", ends: "gps.accuracy < 20 m"),
    Sensor(name: "gps", enters: "screen.on", ends: "gps.age_of_sky < 1 min", isOwn: false),
    Sensor(name: "place", enters: "battery.level < 20 %", ends: "place.accuracy < 30 m", isOwn: false),
  ]

  /// Conditions on facts of other devices, each with a condition that excludes it.
  private static let free = [
    ("screen.on", "not screen.on"), ("battery.level < 20 %", "battery.level > 30 %"),
    ("app.state is background", "app.state is foreground"),
  ]

  static let all: [PlantedStateTrap] = pairs + single

  private static let single: [PlantedStateTrap] = sensors.enumerated().flatMap { number, stopped in
    free.enumerated().flatMap { place, free in
      let other = Self.free[(place + 1) % Self.free.count]
      return shapes(stopped, free, other).map { shape in
        PlantedStateTrap(
          description: "\(shape.name), \(stopped.name) \(number), \(free.0)",
          trap: shape.trap,
          clean: shape.clean)
      }
    }
  }

  private struct Shape {
    var name: String
    var trap: String
    var clean: [String]
  }

  private static func shapes(
    _ stopped: Sensor, _ free: (String, String), _ other: (String, String)
  ) -> [Shape] {
    let (sensor, enters, ends) = (stopped.name, stopped.enters, stopped.ends)
    func machine(_ b: String, _ more: String = "") -> String {
      """
      machine m starts a {
        state a { goto b when \(enters) }
        state b { \(b) }
        \(more)
      }
      """
    }
    func beside(_ rules: String) -> String { machine("goto a when \(ends)") + "\n" + rules }
    var shapes = [
      Shape(
        name: "an exit that reads the stopped sensor", trap: machine("stop \(sensor) goto a when \(ends)"),
        clean: [
          machine("stop \(sensor) goto a when \(ends) or \(free.0)"),
          machine("stop cell goto a when \(ends)"),
        ]),
      Shape(
        name: "no exit", trap: machine("pause \(sensor)"),
        clean: [machine("pause \(sensor) goto a when \(free.1)")]),
      Shape(
        name: "two states",
        trap: machine(
          "stop \(sensor) goto c when \(free.0)",
          "state c { pause \(sensor) goto b when \(free.1) goto a when \(ends) }"),
        clean: [machine("stop \(sensor) goto c when \(free.0)", "state c { goto b when \(free.1) }")]),
      Shape(
        name: "a rule beside the machine", trap: beside("rule r while m is b { stop \(sensor) }"),
        clean: [beside("rule r while m is b and \(free.0) { stop \(sensor) }")]),
      Shape(
        name: "overridden by a rule that depends on the stopped sensor",
        trap: beside(
          "rule r while m is b { stop \(sensor) }\n"
            + "rule w over r while \(ends) { downgrade \(sensor) to 1 per min }"),
        clean: [
          beside(
            "rule r while m is b { stop \(sensor) }\n"
              + "rule w over r while \(free.0) { downgrade \(sensor) to 1 per min }")
        ]),
      Shape(
        name: "one or the other",
        trap:
          "rule p while \(free.0) { stop \(sensor) }\nrule q while not (\(free.0)) { pause \(sensor) }",
        clean: ["rule p while \(free.0) { stop \(sensor) }\nrule q while \(other.0) { pause \(sensor) }"]),
    ]
    let timed = machine("stop \(sensor) goto a when \(ends) goto a when m is b for 10 min")
    // When the machine enters state a, a `for` in `enters` starts to count. While the `for` counts, the
    // sensor is on. So the machine `timed` does not keep the sensor off forever.
    let waits = stopped.enters.contains(" for ")
    if !stopped.isOwn || waits { shapes[0].clean.append(timed) }
    if stopped.isOwn, !waits {
      shapes.append(
        Shape(
          name: "a state that is left after a time and entered again at once", trap: timed,
          clean: [
            machine(
              "stop \(sensor) goto c when m is b for 10 min", "state c { goto a when \(ends) and \(free.0) }")
          ])
      )
    }
    if stopped.isOwn {
      shapes.append(
        Shape(
          name: "a rule within a state",
          trap: machine("rule r while \(enters) { stop \(sensor) } goto a when \(ends)"),
          clean: [machine("rule r while \(enters) and \(free.0) { stop \(sensor) } goto a when \(ends)")]))
    }
    return shapes
  }

  /// Policies in which two sensors depend on each other and keep each other off.
  static let pairs = [
    PlantedStateTrap(
      description: "a machine and a rule",
      trap: """
        machine m starts a {
          state a { goto b when motion.activity is still }
          state b { stop gps goto a when motion.activity is walking }
        }
        rule r while gps.speed < 1 m/s { pause accel }
        """,
      clean: [
        """
        machine m starts a {
          state a { goto b when motion.activity is still }
          state b { stop gps goto a when motion.activity is walking }
        }
        rule r when gps.speed < 1 m/s { pause accel for 1 min }
        """
      ]),
    PlantedStateTrap(
      description: "two machines",
      trap: """
        machine m starts a {
          state a { goto b when motion.activity is still }
          state b { stop gps goto a when motion.activity is walking }
        }
        machine n starts a {
          state a { goto b when gps.speed < 1 m/s }
          state b { pause accel goto a when gps.speed > 3 m/s }
        }
        """,
      clean: [
        """
        machine m starts a {
          state a { goto b when motion.activity is still }
          state b { stop gps goto a when motion.activity is walking }
        }
        machine n starts a {
          state a { goto b when gps.speed < 1 m/s }
          state b { pause accel goto a when gps.speed > 3 m/s or screen.on }
        }
        """
      ]),
  ]
}
