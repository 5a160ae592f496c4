import StintUnits

/// A fact whose path does not begin with the name of a device. So policies need not name the device that
/// publishes it.
///
/// Every vocabulary has all standard facts. A standard fact that no device publishes is unknown, so a policy
/// that uses the fact loads and works without such a device.
public struct StandardFact: Hashable, Sendable {
  /// The schema, with the usual publisher as its device.
  public let schema: FactSchema
  /// The kind of device that publishes the fact, for people: `an accelerometer`.
  public let publisher: String

  /// All standard facts, sorted by path.
  public static let all: [StandardFact] = [
    symbol("app.state", ["foreground", "background"], "host.app", "an app or a desktop session"),
    symbol(
      "auth.location", ["denied", "undecided", "when_in_use", "always"], "host.app",
      "an app or a desktop session"),
    StandardFact(
      schema: FactSchema(
        path: "battery.level", type: .quantity(.ratio), range: 0...1, device: "power.battery"),
      publisher: "a battery"),
    symbol(
      "motion.activity", ["still", "walking", "running", "cycling", "automotive"], "motion.accelerometer",
      "an accelerometer"),
    StandardFact(
      schema: FactSchema(
        path: "motion.confidence", type: .quantity(.ratio), range: 0...1, device: "motion.accelerometer"),
      publisher: "an accelerometer"),
    StandardFact(
      schema: FactSchema(path: "motion.shaking", type: .boolean, device: "motion.accelerometer"),
      publisher: "an accelerometer"),
    StandardFact(
      schema: FactSchema(path: "motion.tilting", type: .boolean, device: "motion.accelerometer"),
      publisher: "an accelerometer"),
    symbol("net.kind", ["none", "cellular", "wifi"], "radio.wifi", "a radio"),
    StandardFact(
      schema: FactSchema(
        path: "net.throughput", type: .quantity(.throughput), range: 0...1e9, device: "radio.cellular"),
      publisher: "a radio"),
    symbol("power.source", ["battery", "external"], "power.battery", "a battery"),
    StandardFact(
      schema: FactSchema(path: "screen.on", type: .boolean, device: "host.app"),
      publisher: "an app or a desktop session"),
  ]

  private static func symbol(
    _ path: String, _ words: [String], _ device: DeviceID, _ publisher: String
  ) -> StandardFact {
    StandardFact(schema: FactSchema(path: path, type: .symbol(words), device: device), publisher: publisher)
  }
}
