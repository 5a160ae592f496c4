import StintModel
import StintPluginKit
import StintUnits

/// The facts as they were said last, so that only news is said.
struct PowerFacts {
  private let port: DevicePort
  private let power: [FactHandle]
  private let heat: [FactHandle]
  private var said: [Int: FactValue] = [:]
  /// What is wrong was said already, and is not said again while it stays.
  private var complaints: Set<String> = []

  init(_ port: DevicePort) {
    self.port = port
    power = ["battery.level", "battery.charging", "battery.power", "power.source"].map { port.handle($0) }
    heat = ["thermal.temperature", "thermal.state"].map { port.handle($0) }
  }

  /// Whether any fact of the supplies, and of the thermal zones, is among these.
  func areas(of facts: Set<Int>) -> (power: Bool, heat: Bool) {
    (power.contains { facts.contains($0.index) }, heat.contains { facts.contains($0.index) })
  }

  /// Says what is needed of a reading and differs from what was said; nil is a half that was not read.
  mutating func publish(
    _ supplies: PowerReading?, _ zones: ThermalReading?, needed: Set<Int>, at now: Instant
  ) {
    if let supplies {
      say(power[0], supplies.level.map { .number($0) }, needed, at: now)
      say(power[1], supplies.isCharging.map { .boolean($0) }, needed, at: now)
      say(power[2], supplies.power.map { .number($0) }, needed, at: now)
      say(power[3], supplies.isExternal.map { .symbol($0 ? 1 : 0) }, needed, at: now)
    }
    if let zones {
      say(heat[0], zones.temperature.map { .number($0) }, needed, at: now)
      say(heat[1], zones.state.map { .symbol($0.rawValue) }, needed, at: now)
    }
    let wrong = (supplies?.complaints ?? []) + (zones?.complaints ?? [])
    for sentence in wrong where !complaints.contains(sentence) { port.report(.fault(sentence), at: now) }
    complaints = Set(wrong)
  }

  /// What was said is old when nobody needs it any more.
  mutating func forget(allBut needed: Set<Int>, at now: Instant) {
    for fact in power + heat where !needed.contains(fact.index) {
      guard let value = said.removeValue(forKey: fact.index), value != .unknown else { continue }
      port.publish(fact, .unknown, at: now)
    }
  }

  private mutating func say(
    _ fact: FactHandle, _ value: FactValue?, _ needed: Set<Int>, at now: Instant
  ) {
    let value = value ?? .unknown
    guard needed.contains(fact.index), said[fact.index, default: .unknown] != value else { return }
    said[fact.index] = value
    port.publish(fact, value, at: now)
  }
}
