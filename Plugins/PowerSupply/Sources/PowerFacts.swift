import StintModel
import StintPluginKit
import StintUnits

/// The facts as they were said last.
struct PowerFacts {
  private let port: DevicePort
  private let facts: [FactHandle]
  private var published: [FactValue]
  /// What is wrong was said already, and is not said again while it stays.
  private var complaints: Set<String> = []

  init(_ port: DevicePort) {
    self.port = port
    facts = [
      "battery.level", "battery.charging", "battery.power", "power.source", "thermal.temperature",
      "thermal.state",
    ].map { port.handle($0) }
    published = Array(repeating: .unknown, count: facts.count)
  }

  /// Says what is there now: all of it when it was asked for, else what differs from what was said last.
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
