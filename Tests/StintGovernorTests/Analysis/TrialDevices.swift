import StintModel
import StintUnits

/// The devices and facts for the policies in the tests of analyses.
enum TrialDevices {
  static let vocabulary = Vocabulary(manifests: [
    sensor(
      "location.gnss",
      [
        number("location.gnss.accuracy", .length, 0...10_000),
        number("location.gnss.speed", .speed, 0...1000),
        number("location.gnss.distance", .length, 0...1e9, isNoisy: false),
        number("location.gnss.age_of_sky", .time, 0...1e6, maxAge: .seconds(10)),
      ]),
    sensor(
      "location.wifi", [number("location.wifi.accuracy", .length, 0...10_000, maxAge: .minutes(5))]),
    sensor(
      "motion.accelerometer",
      [
        FactSchema(
          path: "motion.activity", type: .symbol(["still", "walking", "running"]),
          device: "motion.accelerometer"),
        number("motion.steps", .none, 0...1e9, isNoisy: false, device: "motion.accelerometer"),
      ]),
    Manifest(
      device: "radio.cellular", kind: .radio, title: "", states: states,
      transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)], verbs: Verb.allCases,
      facts: [
        FactSchema(
          path: "net.kind", type: .symbol(["none", "cellular", "wifi"]), device: "radio.cellular")
      ]),
    Manifest(
      device: "host.app", kind: .source, title: "",
      facts: [
        FactSchema(
          path: "app.state", type: .symbol(["foreground", "background"]), device: "host.app"),
        FactSchema(path: "screen.on", type: .boolean, device: "host.app"),
        number("battery.level", .ratio, 0...1, isNoisy: false, device: "host.app"),
      ]),
  ])

  private static let states = [
    PowerState(name: "off", power: .zero, isOn: false),
    PowerState(name: "on", power: Power(nanowatts: 60_000_000), isOn: true),
    PowerState(name: "search", power: Power(nanowatts: 75_000_000), isOn: true),
  ]

  private static func sensor(_ device: DeviceID, _ facts: [FactSchema]) -> Manifest {
    Manifest(
      device: device, kind: .sensor, title: "", states: states,
      transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)], verbs: Verb.allCases,
      attributes: [
        AttributeSchema(name: "accuracy", type: .quantity(.length), range: 5...3000),
        AttributeSchema(name: "rate", type: .quantity(.rate), range: 0.001...50, fallback: .number(1)),
      ],
      facts: facts)
  }

  private static func number(
    _ path: String, _ dimension: Dimension, _ range: ClosedRange<Double>, maxAge: TimeSpan? = nil,
    isNoisy: Bool = true, device: DeviceID? = nil
  ) -> FactSchema {
    let words = path.split(separator: ".")
    return FactSchema(
      path: path, type: .quantity(dimension), range: range, maxAge: maxAge, fastest: .seconds(1),
      isNoisy: isNoisy, device: device ?? DeviceID(words.dropLast().joined(separator: ".")))
  }
}
