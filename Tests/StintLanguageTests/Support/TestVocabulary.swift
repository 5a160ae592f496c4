import StintModel
import StintUnits

/// The devices and facts that are used in the tests of the checker.
enum TestVocabulary {
  static let vocabulary = Vocabulary(manifests: [gnss, accelerometer, cellular, battery, host])

  private static let gnss = Manifest(
    device: "location.gnss", kind: .sensor, title: "GNSS receiver", vendor: "sim",
    states: [
      PowerState(name: "off", power: .zero, isOn: false),
      PowerState(name: "search", power: Power(nanowatts: 75_000_000), isOn: true),
      PowerState(name: "track", power: Power(nanowatts: 60_000_000), isOn: true),
    ],
    verbs: [.start, .stop, .pause, .downgrade, .batch, .watch, .fix, .flush],
    attributes: [
      AttributeSchema(name: "accuracy", type: .quantity(.length), range: 5...3000),
      AttributeSchema(name: "rate", type: .quantity(.rate), range: (1 / 3600)...1),
      AttributeSchema(name: "activity", type: .symbol(["other", "fitness", "automotive"])),
    ],
    facts: [
      FactSchema(
        path: "location.gnss.accuracy", type: .quantity(.length), maxAge: .seconds(10), fastest: .seconds(1),
        isNoisy: true, device: "location.gnss"),
      FactSchema(path: "location.gnss.speed", type: .quantity(.speed), device: "location.gnss"),
      FactSchema(path: "location.gnss.distance", type: .quantity(.length), device: "location.gnss"),
      FactSchema(path: "location.gnss.latitude", type: .quantity(.angle), device: "location.gnss"),
      FactSchema(path: "location.gnss.longitude", type: .quantity(.angle), device: "location.gnss"),
    ], figures: ["cold_fix": Quantity(47, .time)])

  private static let accelerometer = Manifest(
    device: "motion.accelerometer", kind: .sensor, title: "accelerometer", vendor: "sim",
    states: [PowerState(name: "off", power: .zero, isOn: false)], verbs: [.start, .stop, .downgrade, .batch],
    attributes: [AttributeSchema(name: "rate", type: .quantity(.rate), range: 1...100)],
    facts: [
      FactSchema(
        path: "motion.activity", type: .symbol(["still", "walking", "running"]),
        device: "motion.accelerometer"),
      FactSchema(
        path: "motion.steps", type: .quantity(.none), maxAge: .minutes(1), fastest: .minutes(2)),
    ])

  private static let cellular = Manifest(
    device: "radio.cellular", kind: .radio, title: "cellular radio", vendor: "sim",
    states: [PowerState(name: "idle", power: .zero, isOn: false)],
    verbs: [.stop, .batch, .defer, .flush])

  private static let battery = Manifest(
    device: "power.battery", kind: .source, title: "battery",
    facts: [FactSchema(path: "battery.level", type: .quantity(.ratio), range: 0...1)])

  private static let host = Manifest(
    device: "host.app", kind: .source, title: "the app",
    facts: [
      FactSchema(path: "app.state", type: .symbol(["foreground", "background"])),
      FactSchema(path: "screen.on", type: .boolean),
    ])
}
