import StintModel
import StintPluginKit
import StintUnits

/// Publishes the facts, and stores the last published values.
struct PowerFacts {
  private let port: DevicePort
  private let facts: [FactHandle]
  private var published: [FactValue]
  /// The problems that exist and have already been reported.
  private var complaints: Set<String> = []

  init(_ port: DevicePort) {
    self.port = port
    facts = [
      "battery.level", "battery.charging", "battery.power", "power.source", "thermal.temperature",
      "thermal.state",
    ].map { port.handle($0) }
    published = Array(repeating: .unknown, count: facts.count)
  }

  /// Publishes all values when `all` is true. When `all` is false, publishes only the values that have
  /// changed since they were last published.
  mutating func publish(_ supplies: PowerReading, _ zones: ThermalReading, all: Bool, at now: Instant) {
    let values: [FactValue?] = [
      supplies.level.map { .number($0) }, supplies.isCharging.map { .boolean($0) },
      supplies.power.map { .number($0) }, supplies.isExternal.map { .symbol($0 ? 1 : 0) },
      zones.temperature.map { .number($0) }, zones.state.map { .symbol($0.rawValue) },
    ]
    for (place, value) in values.enumerated() {
      let value = value ?? .unknown
      guard all || published[place] != value else { continue }
      published[place] = value
      port.publish(facts[place], value, at: now)
    }
    let wrong = supplies.complaints + zones.complaints
    for sentence in wrong where !complaints.contains(sentence) { port.report(.fault(sentence), at: now) }
    complaints = Set(wrong)
  }
}
